//! Tables as Parquet files.
//!
//! Files are compressed with zstd, carry statistics and a page index, and say by which columns they are
//! sorted. Keys are delta-coded: sorted neighbours share their first bytes. A file appears whole or not at
//! all.

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
    let mut writer = Writer::new(table, batches.schema(), path.as_ref(), false)?;
    for batch in batches {
        writer.push(&batch?)?;
    }
    writer.finish()
}

/// A table on its way to a file.
pub(crate) struct Writer<'p> {
    path: &'p Path,
    file: ArrowWriter<NamedTempFile>,
    rows: u64,
}

impl<'p> Writer<'p> {
    /// A table of no rows yet; with a bloom filter of its keys, for those who look for what is not there.
    pub(crate) fn new(table: Table, schema: SchemaRef, path: &'p Path, bloom: bool) -> Result<Self, Error> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = builder().tempfile_in(folder).map_err(|cause| failed(path, cause))?;
        let sorted = if schema.field(0).name() == "id" { &[0][..] } else { &[0, 1, 2][..] };
        let properties = properties(table, sorted, bloom);
        let file = ArrowWriter::try_new(temporary, schema, Some(properties));
        Ok(Writer { path, file: file.map_err(|error| broken(path, error))?, rows: 0 })
    }

    /// Adds rows.
    pub(crate) fn push(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        self.rows += batch.num_rows() as u64;
        self.file.write(batch).map_err(|error| broken(self.path, error))
    }

    /// Gives the file its name.
    pub(crate) fn finish(self) -> Result<Written, Error> {
        let path = self.path;
        let file = self.file.into_inner().map_err(|error| broken(path, error))?;
        file.as_file().sync_all().map_err(|cause| failed(path, cause))?;
        let bytes = file.as_file().metadata().map_err(|cause| failed(path, cause))?.len();
        file.persist(path).map_err(|error| failed(path, error.error))?;
        Ok(Written { rows: self.rows, bytes })
    }
}

fn failed(path: &Path, cause: io::Error) -> Error {
    Error::Write { path: path.display().to_string(), cause }
}

fn broken(path: &Path, error: ParquetError) -> Error {
    failed(path, io::Error::other(error))
}

fn properties(table: Table, sorted: &[i32], bloom: bool) -> WriterProperties {
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
    let properties = if bloom {
        // A key per row at most.
        properties
            .set_column_bloom_filter_enabled(column("key"), true)
            .set_column_bloom_filter_max_ndv(column("key"), ROW_GROUP_ROWS as u64)
    } else {
        properties
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
