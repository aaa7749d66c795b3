//! Tables of small collections.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array as _, RecordBatch};
use boardprint_base::Digest;
use boardprint_games::{Profile, ReadOptions};
use boardprint_records::{Input, Reader, ReaderOptions};
use proptest::prelude::*;

use crate::rows::{Block, Row};
use crate::sort::Sorter;
use crate::{Error, Failure, Games, Key, Options, PackedPostings, Table, records};

const PGN: &str = "[White \"Ann\"]\n[Black \"Bo\"]\n[Date \"2024.02.29\"]\n[WhiteElo \"2000\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
    [White \"Cy\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\n1. Nf3 e5 2. e4 0-1\n";

fn games(text: &str) -> Games {
    let reader = Reader::new([Input::text(text)], ReaderOptions::default().cut_text(true));
    records(reader, ReadOptions::default())
}

fn all(options: &Options, table: Table, text: &str) -> Vec<RecordBatch> {
    options.read(table, games(text)).collect::<Result<_, _>>().expect("good games")
}

fn keys(batches: &[RecordBatch]) -> Vec<Vec<u8>> {
    let keys = batches.iter().map(|batch| batch.column(0).as_binary::<i32>());
    keys.flat_map(|keys| (0..keys.len()).map(|row| keys.value(row).to_vec())).collect()
}

#[test]
fn postings_are_the_hashes_of_the_door() {
    let full = Options::default().key(Key::Full);
    let batches = all(&full, Table::Postings, PGN);
    let first = boardprint_games::read("1. e4 e5 2. Nf3").expect("a game");
    let second = boardprint_games::read("1. Nf3 e5 2. e4").expect("a game");
    let hashes = [first, second].map(|game| game.hashes(Profile::Plain).expect("playable"));
    let expected: Vec<Vec<u8>> = hashes.concat().iter().map(|Digest(bytes)| bytes.to_vec()).collect();
    assert_eq!(keys(&batches), expected);
    // The same last position by different roads.
    assert_eq!(expected[3], expected[7]);
    let batch = &batches[0];
    let plies: Vec<i32> = batch.column(2).as_primitive::<Int32Type>().values().to_vec();
    assert_eq!(plies, [0, 1, 2, 3, 0, 1, 2, 3]);
    let moves: Vec<Option<&str>> = batch.column(3).as_string::<i32>().iter().collect();
    assert_eq!(moves[..4], [Some("e2e4"), Some("e7e5"), Some("g1f3"), None]);
    assert_eq!(batch.column(4).as_string::<i32>().value(7), "0-1");
}

#[test]
fn short_keys_are_the_first_ten_bytes() {
    let (short, full) = (Options::default(), Options::default().key(Key::Full));
    let full: Vec<Vec<u8>> =
        keys(&all(&full, Table::Postings, PGN)).into_iter().map(|key| key[..10].to_vec()).collect();
    assert_eq!(keys(&all(&short, Table::Postings, PGN)), full);
}

#[test]
fn sorted_postings_are_in_order_and_the_same() {
    let (one, many) = (Options::default().memory(1), Options::default().threads(3));
    let mut expected = keys(&all(&many, Table::Postings, PGN));
    expected.sort();
    assert_eq!(keys(&all(&one, Table::SortedPostings, PGN)), expected);
    assert_eq!(keys(&all(&many, Table::SortedPostings, PGN)), expected);
}

#[test]
fn positions_are_counted_once_per_key() {
    let batches = all(&Options::default(), Table::Positions { cpn: true }, PGN);
    let [batch] = &batches[..] else { panic!("one batch") };
    // The start and the last position are in both games.
    assert_eq!(batch.num_rows(), 6);
    let column = |name: &str| {
        let column = batch.column_by_name(name).expect("a column");
        column.as_primitive::<Int64Type>().values().to_vec()
    };
    assert_eq!(column("occurrences").iter().sum::<i64>(), 8);
    let both: Vec<usize> =
        (0..6).filter(|row| column("games")[*row] == 2 && column("white_wins")[*row] == 1).collect();
    assert_eq!(both.len(), 2);
    let cpn = batch.column_by_name("cpn").expect("a column").as_string::<i32>();
    for (row, key) in keys(&batches).iter().enumerate() {
        assert_eq!(Digest::of(cpn.value(row).as_bytes()).0[..10], key[..]);
    }
}

#[test]
fn a_position_that_occurs_twice_in_a_game_is_of_one_game() {
    let batches = all(&Options::default(), Table::Positions { cpn: false }, "1. Nf3 Nf6 2. Ng1 Ng8 *");
    let batch = &batches[0];
    let of = |name: &str| batch.column_by_name(name).expect("a column").as_primitive::<Int64Type>().clone();
    let twice = (0..batch.num_rows()).find(|row| of("occurrences").value(*row) == 2).expect("the start");
    assert_eq!((of("games").value(twice), of("unknown").value(twice)), (1, 2));
}

#[test]
fn games_have_their_tags_as_columns_and_as_a_map() {
    let batches = all(&Options::default(), Table::Games, PGN);
    let batch = &batches[0];
    let text = |name: &str| batch.column_by_name(name).expect("a column").as_string::<i32>().clone();
    assert_eq!((text("white").value(0), text("moves").value(1)), ("Ann", "g1f3 e7e5 e2e4"));
    assert!(text("black").is_null(1), "`?` says nothing");
    let ratings = batch.column_by_name("white_elo").expect("a column").as_primitive::<Int32Type>();
    assert_eq!((ratings.value(0), ratings.is_null(1)), (2000, true));
    let tags = batch.column_by_name("tags").expect("a column").as_map();
    assert_eq!((tags.value_length(0), tags.value_length(1)), (5, 3));
}

#[test]
fn bad_records_end_the_table_or_are_handed_on() {
    let text = "K1,1|k1,9 1,1>1,2\n\nK1,1|k1,,9\n\nK2,2|k1,9 3,3>4,4\n\nK3,3|k1,9\n";
    let error = Options::default().read(Table::Postings, games(text)).find_map(Result::err);
    assert!(matches!(error, Some(Error::Record(failure)) if failure.line == Some(3)));

    let (send, receive) = std::sync::mpsc::channel();
    let batches = Options::default().read_with(Table::Postings, games(text), move |failure: Failure| {
        send.send(failure).expect("it is received");
        Ok(())
    });
    let batches: Vec<RecordBatch> = batches.collect::<Result<_, _>>().expect("bad records are handed on");
    let games: Vec<i64> = batches[0].column(1).as_primitive::<Int64Type>().values().to_vec();
    // The game that breaks off has no rows, and nobody gets its number.
    assert_eq!(games, [1, 1, 4]);
    let failures: Vec<Failure> = receive.iter().collect();
    let found: Vec<_> = failures.iter().map(|failure| (failure.record, failure.line, failure.kind)).collect();
    assert_eq!(found, [(Some(2), Some(3), "syntax"), (Some(3), Some(5), "empty-square")]);
}

#[test]
fn plies_beyond_the_limit_are_left_out() {
    for table in [Table::Postings, Table::SortedPostings] {
        let batches = all(&Options::default().max_ply(Some(1)), table, PGN);
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 4);
    }
}

#[test]
fn an_empty_collection_is_an_empty_table() {
    for table in [Table::Postings, Table::SortedPostings, Table::Games, Table::Positions { cpn: true }] {
        assert!(Options::default().read(table, Box::new(std::iter::empty())).next().is_none());
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("postings.parquet");
    let batches = Options::default().read(Table::SortedPostings, games("K1,1|k1,9\n\nK1,1|k1,,9\n"));
    assert!(crate::parquet::write(Table::SortedPostings, batches, &path).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let batches = Options::default().read(Table::SortedPostings, games(PGN));
    let written = crate::parquet::write(Table::SortedPostings, batches, &path).expect("a file");
    assert_eq!((written.rows, written.bytes), (8, path.metadata().expect("a file").len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn spilling_does_not_change_the_order(
        rows in proptest::collection::vec((0_u8..4, 0_i64..5, 0_i32..5, proptest::option::of("[a-z]{0,3}")), 0..80),
        memory in 1_usize..4000,
    ) {
        let result = boardprint_base::GameResult::Draw;
        let mut sorter = Sorter::new(memory);
        for chunk in rows.chunks(3) {
            let mut block = Block::default();
            for (key, game, ply, text) in chunk {
                block.push(&Row { key: [*key; 20], game: *game, ply: *ply, result, text: text.as_deref() });
            }
            sorter.push(&block).expect("a temporary file");
        }
        let mut sorted = sorter.sorted().expect("a temporary file");
        let mut found = Vec::new();
        while let Some(row) = sorted
            .next(|row| (row.key[0], row.game, row.ply, row.text.map(str::to_owned)))
            .expect("a temporary file")
        {
            found.push(row);
        }
        prop_assert!(found.is_sorted_by_key(|(key, game, ply, _)| (*key, *game, *ply)));
        let mut expected = rows;
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}

/// What was packed in parts, and sorted part by part.
fn through_parts(options: &Options, table: Table, parts: u32) -> Vec<RecordBatch> {
    let mut sorting: Vec<PackedPostings> = (0..parts).map(|_| PackedPostings::new(options)).collect();
    for block in options.pack(games(PGN), parts) {
        let (part, bytes) = block.expect("good games");
        sorting[part as usize].add(&bytes).expect("a block");
    }
    let tables = sorting.into_iter().map(|part| part.read(table).expect("a table"));
    tables.flat_map(|table| table.collect::<Result<Vec<_>, _>>().expect("rows")).collect()
}

#[test]
fn postings_that_travel_in_parts_make_the_same_tables() {
    for options in [Options::default(), Options::default().key(Key::Full).memory(1).max_ply(Some(2))] {
        for table in [Table::SortedPostings, Table::Positions { cpn: false }] {
            let expected = all(&options, table, PGN);
            for parts in [1, 2, 3, 300] {
                let batches = through_parts(&options, table, parts);
                let whole = arrow_rows(&batches);
                assert_eq!(whole, arrow_rows(&expected), "{parts} parts");
            }
        }
    }
}

/// Every row as text, whatever the batches.
fn arrow_rows(batches: &[RecordBatch]) -> Vec<String> {
    let row = |batch: &RecordBatch, row: usize| {
        let columns = batch.columns().iter().map(|column| format!("{:?}", column.slice(row, 1)));
        columns.collect::<Vec<_>>().join(" ")
    };
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |number| row(batch, number))).collect()
}

#[test]
fn a_block_that_breaks_off_is_refused() {
    let options = Options::default();
    let (_, bytes) = options.pack(games(PGN), 1).next().expect("a block").expect("good games");
    for length in [1, 30, bytes.len() - 1] {
        let added = PackedPostings::new(&options).add(&bytes[..length]);
        assert!(matches!(added, Err(Error::Spill(_))), "{length}");
    }
    assert!(PackedPostings::new(&options).read(Table::Games).is_err());
    let bad = options.pack(games("1. e4 Ke7 *"), 1).collect::<Result<Vec<_>, _>>();
    assert!(matches!(bad, Err(Error::Record(_))), "a bad record ends it");
}

#[cfg(feature = "parquet")]
#[test]
fn packed_postings_write_both_tables_the_same_every_time() {
    use ::parquet::file::reader::{FileReader as _, SerializedFileReader};

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let options = Options::default();
    for (name, parts) in [("one", 1), ("again", 1)] {
        let mut packed = PackedPostings::new(&options);
        for block in options.pack(games(PGN), parts) {
            packed.add(&block.expect("good games").1).expect("a block");
        }
        let written = packed.write(path(name), path(&format!("{name}-positions"))).expect("two files");
        assert_eq!(written.map(|file| file.rows), [8, 6]);
    }
    for name in ["one", "one-positions"] {
        let bytes = std::fs::read(path(name)).expect("a file");
        assert_eq!(bytes, std::fs::read(path(&name.replace("one", "again"))).expect("a file"));
        let file =
            SerializedFileReader::new(std::fs::File::open(path(name)).expect("a file")).expect("Parquet");
        let key = file.metadata().row_group(0).column(0);
        assert!(key.bloom_filter_offset().is_some(), "{name}");
    }
}
