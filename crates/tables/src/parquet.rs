//! Tables as Parquet files.
//!
//! Files are compressed with zstd, carry statistics and a page index, and say by which columns they are sorted. Keys are delta-coded:
//! sorted neighbours share their first bytes. A file appears whole or not at all.

use std::fs::File;
use std::io;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;
use tempfile::NamedTempFile;

use crate::{Batches, Error, Table};

/// The rows of a row group, by which engines skip: a lookup by key reads one.
pub const ROW_GROUP_ROWS: usize = 122_880;
/// The rows of a page: what is read of a row group by those who use the page index.
pub const PAGE_ROWS: usize = 8192;

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many rows.
    pub rows: u64,
    /// How many bytes.
    pub bytes: u64,
}

/// Writes a table to a file.
///
/// # Errors
///
/// What ends the table, and failures of the disk. Then there is no file.
pub fn write(table: Table, batches: Batches, path: impl AsRef<Path>) -> Result<Written, Error> {
    let path = path.as_ref();
    let failed = |cause: io::Error| Error::Write { path: path.display().to_string(), cause };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = builder().tempfile_in(folder).map_err(failed)?;
    let schema = batches.schema();
    let rows = write_to(&temporary, table, schema, batches, &failed)?;
    let bytes = temporary.as_file().metadata().map_err(failed)?.len();
    temporary.persist(path).map_err(|error| failed(error.error))?;
    Ok(Written { rows, bytes })
}

fn write_to(
    file: &NamedTempFile,
    table: Table,
    schema: SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, Error>>,
    failed: &impl Fn(io::Error) -> Error,
) -> Result<u64, Error> {
    let broken = |error: ParquetError| failed(io::Error::other(error));
    let out: &File = file.as_file();
    let sorted = if schema.field(0).name() == "id" { &[0][..] } else { &[0, 1, 2][..] };
    let mut writer = ArrowWriter::try_new(out, schema, Some(properties(table, sorted))).map_err(broken)?;
    let mut rows = 0;
    for batch in batches {
        let batch = batch?;
        rows += batch.num_rows() as u64;
        writer.write(&batch).map_err(broken)?;
    }
    writer.close().map_err(broken)?;
    out.sync_all().map_err(failed)?;
    Ok(rows)
}

fn properties(table: Table, sorted: &[i32]) -> WriterProperties {
    let column = |name: &str| ColumnPath::from(name);
    let level = ZstdLevel::try_new(3).unwrap_or_default();
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(concat!("boardprint ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(level))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_data_page_row_count_limit(PAGE_ROWS);
    let by = |columns: &[i32]| {
        let columns = columns.iter().map(|column| SortingColumn {
            column_idx: *column,
            descending: false,
            nulls_first: false,
        });
        Some(columns.collect())
    };
    let delta = Encoding::DELTA_BINARY_PACKED;
    let properties = match table {
        // Not in order.
        Table::Postings => properties,
        Table::SortedPostings => properties
            .set_sorting_columns(by(sorted))
            .set_column_dictionary_enabled(column("game"), false)
            .set_column_encoding(column("game"), delta),
        Table::Games => properties
            .set_sorting_columns(by(sorted))
            .set_column_dictionary_enabled(column("id"), false)
            .set_column_encoding(column("id"), delta)
            .set_column_dictionary_enabled(column("hash"), false)
            .set_column_dictionary_enabled(column("moves"), false),
        Table::Positions { .. } => properties
            .set_sorting_columns(by(&sorted[..1]))
            .set_column_dictionary_enabled(column("first_game"), false)
            .set_column_encoding(column("first_game"), delta)
            .set_column_dictionary_enabled(column("cpn"), false),
    };
    properties
        .set_column_dictionary_enabled(column("key"), false)
        .set_column_encoding(column("key"), Encoding::DELTA_BYTE_ARRAY)
        .build()
}

/// Hidden files beside the one that they become, with the rights of ordinary ones.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".boardprint-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}
