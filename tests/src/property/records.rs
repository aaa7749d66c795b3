//! Collections cut into records.

use std::io::Write as _;

use boardprint_games::{Format, Record};
use boardprint_records::{Input, Reader, ReaderOptions};

/// Where a record begins and what it is, or why there is none.
type Item = Result<(u64, u64, u64, Format, String), String>;

/// The cutter: records come in order, as they stand in the source and never longer than allowed; the size of
/// the buffer does not matter.
pub fn records(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for it");
    let cut = |options: ReaderOptions| -> Vec<Item> {
        let reader = Reader::new([Input::path(file.path())], options);
        let item = |item: Result<Record, _>| match item {
            Ok(record) => Ok((record.offset, record.line, record.column, record.format, record.text)),
            Err(error) => Err(format!("{error}")),
        };
        reader.map(item).collect()
    };
    let wanted = cut(ReaderOptions::default());
    for size in [1, 7, 64] {
        assert_eq!(cut(ReaderOptions::default().buffer(size)), wanted, "with a buffer of {size}");
    }
    let is_plain = !bytes.starts_with(&[0x1f, 0x8b])
        && !bytes.starts_with(b"BZh")
        && bytes.get(1..4) != Some(b"\xb5\x2f\xfd");
    let mut end = 0;
    for (offset, _, _, format, text) in wanted.iter().filter_map(|item| item.as_ref().ok()) {
        assert!(*offset >= end, "records overlap");
        end = offset + 1;
        let at = usize::try_from(*offset).expect("within the file");
        let is_itself = || std::str::from_utf8(bytes).is_err() || bytes[at..].starts_with(text.as_bytes());
        assert!(!is_plain || is_itself(), "{format} at {at} is not what stands there: {text:?}");
    }
    for format in Format::ALL {
        let limit = 40;
        for item in cut(ReaderOptions::default().format(format).max_record(limit).buffer(16)) {
            assert!(item.is_err() || item.is_ok_and(|item| item.4.len() <= 3 * limit), "longer than allowed");
        }
    }
}
