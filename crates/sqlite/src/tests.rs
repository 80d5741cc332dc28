//! Whole databases: the fixtures, whole and damaged.

use crate::{SqliteDatabase, SqliteRow, SqliteSource, SqliteTable, SqliteValue, is_sqlite};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs;
use std::rc::Rc;

const NAMES: [&str; 6] = ["values", "utf16le", "utf16be", "schema", "indexed", "logged"];

fn fixture(name: &str) -> Vec<u8> {
    fs::read(apex_parts_fixtures::path("sqlite").join(name)).unwrap()
}

/// A database and its log, if it has one.
fn files(name: &str) -> (Vec<u8>, Option<Vec<u8>>) {
    let log = (name == "logged").then(|| fixture("logged.db-wal"));
    (fixture(&format!("{name}.db")), log)
}

fn open(bytes: &[u8], log: Option<&[u8]>) -> Result<SqliteDatabase, String> {
    let log = log.map(|log| Box::new(log.to_vec()) as Box<dyn SqliteSource>);
    SqliteDatabase::open(Box::new(bytes.to_vec()), log)
}

/// A value as the fixtures have it.
fn written(value: &SqliteValue) -> Value {
    match value {
        SqliteValue::Null => Value::Null,
        SqliteValue::Integer(number) if number.unsigned_abs() >= 1 << 53 => {
            json!({ "$int": number.to_string() })
        }
        SqliteValue::Integer(number) => json!(number),
        SqliteValue::Real(number) => json!(number),
        SqliteValue::Text(text) => json!(text),
        SqliteValue::Blob(bytes) => {
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "$blob": hex.concat() })
        }
    }
}

fn all(database: &mut SqliteDatabase, table: &str) -> Vec<SqliteRow> {
    let mut rows = database.rows(table).unwrap();
    let mut found = Vec::new();
    while let Some(row) = database.next(&mut rows).unwrap() {
        found.push(row);
    }
    found
}

/// Reads all of a database, by all ways; returns how many rows there were.
fn read_all(database: &mut SqliteDatabase) -> usize {
    let tables: Vec<SqliteTable> = database.tables().cloned().collect();
    let mut count = 0;
    for table in &tables {
        let rows = all(database, &table.name);
        assert!(rows.iter().all(|row| row.values.len() == table.columns.len()));
        count += rows.len();
        for column in &table.columns {
            for text in ["", "ses_0003", "msg_7", "user", "\u{10ffff}"] {
                let mut rows = database.rows_where(&table.name, column, text).unwrap().unwrap();
                while let Some(row) = database.next(&mut rows).unwrap() {
                    assert_eq!(row.values[table.column_index(column).unwrap()].text(), Some(text));
                }
            }
        }
    }
    for problem in database.problems().iter() {
        assert!(
            ["db-page", "db-table", "db-index", "limit"].contains(&&*problem.rule),
            "{problem}"
        );
    }
    count
}

#[test]
fn fixtures_are_read_as_a_real_sqlite_reads_them() {
    for name in NAMES {
        let (bytes, log) = files(name);
        assert!(is_sqlite(&bytes));
        let mut database = open(&bytes, log.as_deref()).unwrap();
        let expected: Value = serde_json::from_slice(&fixture(&format!("{name}.json"))).unwrap();
        let expected = expected.as_object().unwrap();
        assert_eq!(database.tables().len(), expected.len());
        for (table, expected) in expected {
            let found = all(&mut database, table);
            let read = database.table(&table.to_uppercase()).unwrap();
            assert_eq!(read.unread().is_none(), !expected.is_null(), "{table}");
            if expected.is_null() {
                let last = database.problems().last().unwrap();
                assert_eq!((&*last.rule, found.len()), ("db-table", 0));
                assert!(
                    last.message.starts_with(&format!("the table {table:?} is not read: it is a "))
                );
                continue;
            }
            assert_eq!(json!(read.columns), expected["columns"]);
            let found = found.iter().map(|row| row.values.iter().map(written).collect());
            let found: Vec<Vec<Value>> = found.collect();
            for (row, expected) in found.iter().zip(expected["rows"].as_array().unwrap()) {
                for (value, expected) in row.iter().zip(expected.as_array().unwrap()) {
                    let alike = value == expected
                        || value.as_f64().is_some_and(|own| Some(own) == expected.as_f64());
                    assert!(alike, "{name} {table}: {value} for {expected}");
                }
            }
            assert_eq!(found.len(), expected["rows"].as_array().unwrap().len());
        }
        assert!(database.problems().iter().all(|problem| problem.rule == "db-table"));
    }
}

#[test]
fn the_schema_is_a_table() {
    let mut database = open(&fixture("schema.db"), None).unwrap();
    let rows = all(&mut database, "sqlite_master");
    assert!(rows.iter().any(|row| row.values[0].text() == Some("view")));
    assert_eq!(rows, all(&mut database, "SQLITE_SCHEMA"));
    assert!(database.rows("none").is_none());
    assert!(database.rows_where("none", "a", "").unwrap().is_none());
    assert!(database.rows_where("t", "none", "").unwrap().is_none());
}

#[test]
fn whole_numbers_of_a_real_column_are_real() {
    let mut database = open(&fixture("schema.db"), None).unwrap();
    let rows = all(&mut database, "t");
    let table = database.table("t").unwrap();
    assert_eq!(table.value(&rows[0], "b`t"), &SqliteValue::Real(2.0));
    assert_eq!(table.value(&rows[1], "REAL"), &SqliteValue::Real(5.0));
    assert_eq!(table.value(&rows[1], "id"), &SqliteValue::Integer(2));
    assert_eq!(table.value(&rows[1], "none"), &SqliteValue::Null);
}

#[test]
fn an_empty_file_with_a_log_is_whole() {
    let (bytes, log) = files("logged");
    let log = log.unwrap();
    let mut with_file = open(&bytes, Some(&log)).unwrap();
    let mut without = open(&[], Some(&log)).unwrap();
    let rows = all(&mut without, "t");
    assert_eq!(rows.len(), 20);
    assert_eq!(rows, all(&mut with_file, "t"));
    assert!(without.problems().is_empty());
    // As the file stands, it has no tables, and there is nothing to say of it.
    let alone = open(&bytes, None).unwrap();
    assert_eq!((alone.tables().len(), alone.problems().len()), (0, 0));
}

#[test]
fn a_log_of_another_database_is_ignored() {
    let (_, log) = files("logged");
    let bytes = fixture("schema.db");
    let mut database = open(&bytes, log.as_deref()).unwrap();
    assert_eq!(all(&mut database, "g").len(), 2);
    assert!(open(&[], Some(&log.unwrap()[..100])).is_err());
}

#[test]
fn what_is_no_database_is_refused() {
    let refused = |bytes: &[u8]| open(bytes, None).err().unwrap();
    let bytes = fixture("values.db");
    assert_eq!(refused(b""), "this is no SQLite database, or it is encrypted");
    assert_eq!(refused(b"SQLite format 3"), "this is no SQLite database, or it is encrypted");
    assert_eq!(refused(&bytes[..58]), "the database ends within its header");
    let with = |at: usize, byte: u8| refused(&[&bytes[..at], &[byte], &bytes[at + 1..]].concat());
    assert_eq!(with(17, 3), "the header of the database states a page size of 515 bytes");
    assert_eq!(with(20, 33), "the header of the database reserves 33 bytes of a page");
    assert_eq!(with(59, 4), "the database has texts in encoding 4");
}

/// A file that counts the bytes that are read.
struct Counted(Vec<u8>, Rc<Cell<usize>>);

impl SqliteSource for Counted {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        self.1.set(self.1.get() + length);
        self.0.read(offset, length)
    }
}

#[test]
fn rows_are_found_by_an_index() {
    let bytes = fixture("indexed.db");
    let expected: Value = serde_json::from_slice(&fixture("indexed.json")).unwrap();
    for (table, column, is_indexed) in [
        ("message", "session_id", true),
        ("message", "id", true),
        ("message", "role", false),
        ("message", "data", false),
        ("part", "session_id", true),
        ("part", "message_id", true),
        ("part", "id", false),
    ] {
        let place =
            expected[table]["columns"].as_array().unwrap().iter().position(|name| name == column);
        let rows = expected[table]["rows"].as_array().unwrap();
        let mut texts: Vec<&str> =
            rows.iter().filter_map(|row| row[place.unwrap()].as_str()).collect();
        texts.extend(["", "ses", "zzz"]);
        let read = Rc::new(Cell::new(0));
        let source = Counted(bytes.clone(), Rc::clone(&read));
        let mut database = SqliteDatabase::open(Box::new(source), None).unwrap();
        let mut least = usize::MAX;
        for text in texts {
            read.set(0);
            let mut walk = database.rows_where(table, column, text).unwrap().unwrap();
            assert_eq!((walk.is_indexed(), &*walk.table().name), (is_indexed, table));
            let mut found = Vec::new();
            while let Some(row) = database.next(&mut walk).unwrap() {
                found.push(Value::Array(row.values.iter().map(written).collect()));
            }
            let wanted: Vec<Value> =
                rows.iter().filter(|row| row[place.unwrap()] == text).cloned().collect();
            assert_eq!(found, wanted, "{table}.{column} = {text}");
            least = least.min(read.get());
        }
        assert!(!is_indexed || least < bytes.len() / 8, "{least} bytes of {}", bytes.len());
        assert!(database.problems().is_empty());
    }
}

/// A file that cannot be read while the switch is on.
struct Failing(Vec<u8>, Rc<Cell<bool>>);

impl SqliteSource for Failing {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        if self.1.get() { Err("no".to_owned()) } else { self.0.read(offset, length) }
    }
}

#[test]
fn what_the_host_cannot_read_is_an_error_and_no_damage() {
    let fails = Rc::new(Cell::new(true));
    let file = || Box::new(Failing(fixture("indexed.db"), Rc::clone(&fails)));
    assert_eq!(SqliteDatabase::open(file(), None).err().as_deref(), Some("no"));
    fails.set(false);
    let mut database = SqliteDatabase::open(file(), None).unwrap();
    let mut rows = database.rows("message").unwrap();
    let mut indexed = database.rows_where("message", "session_id", "ses_0003").unwrap().unwrap();
    assert!(database.next(&mut rows).unwrap().is_some());
    fails.set(true);
    assert_eq!(database.rows_where("part", "session_id", "ses_0003").err().as_deref(), Some("no"));
    let mut failed = 0;
    for rows in [&mut rows, &mut indexed] {
        for _ in 0..200 {
            failed += usize::from(database.next(rows).is_err());
        }
    }
    assert!(failed > 2, "{failed}");
    fails.set(false);
    assert_eq!(all(&mut database, "message").len(), 160);
    assert!(database.problems().is_empty());
    let (bytes, log) = files("logged");
    fails.set(true);
    let log: Box<dyn SqliteSource> = Box::new(Failing(log.unwrap(), fails));
    assert_eq!(SqliteDatabase::open(Box::new(bytes), Some(log)).err().as_deref(), Some("no"));
}

/// The page at which an index of `indexed.db` begins.
fn root(index: &str) -> usize {
    let mut database = open(&fixture("indexed.db"), None).unwrap();
    let rows = all(&mut database, "sqlite_schema");
    let row = rows.iter().find(|row| row.values[1].text() == Some(index)).unwrap();
    usize::try_from(row.values[3].integer().unwrap()).unwrap()
}

#[test]
fn a_damaged_index_is_not_used() {
    let whole = fixture("indexed.db");
    let mut database = open(&whole, None).unwrap();
    let wanted: Vec<_> = all(&mut database, "message");
    let wanted: Vec<_> =
        wanted.into_iter().filter(|row| row.values[1].text() == Some("ses_0003")).collect();
    assert!(wanted.len() > 2);
    let start = (root("message_session") - 1) * 512;
    let other = (root("message_role") - 1) * 512;
    let mut damaged = Vec::new();
    for at in 0..512 {
        let mut bytes = whole.clone();
        bytes[start + at] ^= 0xff;
        damaged.push(bytes);
    }
    let mut swapped = whole.clone();
    swapped.copy_within(other..other + 512, start);
    damaged.push(swapped);
    let mut said = 0;
    for bytes in damaged {
        let mut database = open(&bytes, None).unwrap();
        let mut walk = database.rows_where("message", "session_id", "ses_0003").unwrap().unwrap();
        let mut found = Vec::new();
        while let Some(row) = database.next(&mut walk).unwrap() {
            found.push(row);
        }
        if let Some(problem) = database.problems().first() {
            assert_eq!(problem.rule, "db-index", "{problem}");
            assert_eq!(found, wanted, "{problem}");
            said += 1;
        }
    }
    assert!(said > 20, "{said}");
}

/// A page of a table: cells at these places.
fn leaf(cells: &[(u16, &[u8])], stated: u16) -> Vec<u8> {
    let mut page = vec![0; 512];
    page[0] = 13;
    page[3..5].copy_from_slice(&stated.to_be_bytes());
    for (index, (at, cell)) in cells.iter().enumerate() {
        page[8 + 2 * index..10 + 2 * index].copy_from_slice(&at.to_be_bytes());
        page[usize::from(*at)..usize::from(*at) + cell.len()].copy_from_slice(cell);
    }
    page
}

/// The database `values.db` with other pages behind its first.
fn with_pages(pages: &[Vec<u8>]) -> Vec<u8> {
    [fixture("values.db")[..512].to_vec(), pages.concat()].concat()
}

fn problems(database: &SqliteDatabase) -> Vec<(String, f64)> {
    database.problems().iter().map(|one| (one.message.clone(), one.offset.unwrap())).collect()
}

#[test]
fn a_cell_that_is_no_row_is_lost_alone() {
    let row: &[u8] = &[3, 1, 2, 15, b'a'];
    let odd: &[u8] = &[3, 2, 2, 15, 0xff];
    let long: &[u8] = &[0x8f, 0xff, 0xff, 0xff, 0x7f, 3, 0, 0];
    let page =
        leaf(&[(400, row), (2, &[]), (420, odd), (510, &[0x81, 0x81]), (430, long), (440, row)], 6);
    let mut database = open(&with_pages(&[page]), None).unwrap();
    let rows = all(&mut database, "v");
    assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), [1, 1]);
    let expected = [
        ("page 2: a cell does not lie within its page", 522.0),
        ("page 2: row 2 of \"v\" is lost: a text is not valid", 932.0),
        ("page 2: a cell does not end within its page", 1022.0),
        ("page 2: a record states a length of 4294967295 bytes", 942.0),
    ];
    let expected = expected.map(|(message, offset)| (message.to_owned(), offset));
    assert_eq!(problems(&database), expected);
    // Once more: nothing new is said.
    assert_eq!(all(&mut database, "v").len(), 2);
    assert_eq!(problems(&database), expected);
}

#[test]
fn cells_in_each_other_and_loops_end() {
    // One cell, named as often as the page has room for.
    let mut cell = vec![0x83, 0x20, 1, 3, 0x86, 0x4c];
    cell.resize(300, 7);
    let pointers: Vec<(u16, &[u8])> = (0..84).map(|_| (200, &*cell)).collect();
    let mut database = open(&with_pages(&[leaf(&pointers, u16::MAX)]), None).unwrap();
    assert!(all(&mut database, "v").len() <= 3);
    let said = problems(&database);
    assert_eq!(said[0].0, "page 2: it has no room for the 65535 cells that it states");
    assert_eq!(said.len(), 2 + usize::from(said.len() > 2));
    // An inner page that is its own child.
    let mut page = leaf(&[(400, &[0, 0, 0, 2, 5])], 1);
    page[0] = 5;
    page[8..14].copy_from_slice(&[0, 0, 9, 9, 1, 144]);
    let mut database = open(&with_pages(&[page]), None).unwrap();
    assert!(all(&mut database, "v").is_empty());
    assert_eq!(
        problems(&database),
        [
            ("page 2: page 2 is lost: it was met before".to_owned(), 912.0),
            ("page 2: page 2313 is lost: it is not a page of the database".to_owned(), 520.0),
        ]
    );
}

#[test]
fn trees_are_not_deeper_than_64_levels() {
    let inner = |child: u32| {
        let mut page = leaf(&[], 0);
        page[0] = 5;
        page[8..12].copy_from_slice(&child.to_be_bytes());
        page
    };
    for (levels, count) in [(62, 1), (63, 1), (64, 0)] {
        let mut pages: Vec<Vec<u8>> = (0..levels).map(|level| inner(level + 3)).collect();
        pages.push(leaf(&[(400, &[3, 1, 2, 15, b'a'])], 1));
        let mut database = open(&with_pages(&pages), None).unwrap();
        assert_eq!(all(&mut database, "v").len(), count, "{levels}");
        assert_eq!(database.problems().len(), 1 - count);
    }
}

#[test]
fn bytes_that_are_flipped_do_no_harm() {
    for name in ["values", "schema", "logged"] {
        let (bytes, log) = files(name);
        for at in 0..bytes.len() {
            // Of large pages not all: the same code reads them.
            if at > 2_048 && at % 7 != 0 {
                continue;
            }
            for mask in [0xff, 1, 0x80] {
                let mut bytes = bytes.clone();
                bytes[at] ^= mask;
                if let Ok(mut database) = open(&bytes, log.as_deref()) {
                    read_all(&mut database);
                }
            }
        }
    }
}

#[test]
fn cuts_at_every_length_do_no_harm() {
    for name in NAMES {
        let (bytes, log) = files(name);
        let mut before = 0;
        for end in (0..bytes.len()).filter(|end| *end < 1_100 || end % 97 == 0) {
            if let Ok(mut database) = open(&bytes[..end], log.as_deref()) {
                let count = read_all(&mut database);
                assert!(
                    name != "values" || count >= before,
                    "{count} rows of {end} bytes, {before} of less"
                );
                before = count;
            }
        }
        for end in 0..log.as_ref().map_or(0, Vec::len) {
            let log = log.as_ref().map(|log| &log[..end]);
            read_all(&mut open(&bytes, log).unwrap());
        }
    }
}

proptest! {
    #[test]
    fn random_pages_do_no_harm(
        pages in prop::collection::vec(prop::collection::vec(any::<u8>(), 512), 1..6),
        kinds in prop::collection::vec((prop::sample::select(vec![2_u8, 5, 10, 13]), 0_u16..90), 6),
    ) {
        let mut pages = pages;
        for (page, (kind, cells)) in pages.iter_mut().zip(kinds) {
            page[0] = kind;
            page[3..5].copy_from_slice(&cells.to_be_bytes());
            // Pointers that lie in the page, and children that are pages.
            for at in (8..192).step_by(2) {
                page[at] &= 1;
            }
            for at in (200..500).step_by(4) {
                page[at..at + 3].fill(0);
                page[at + 3] &= 7;
            }
        }
        read_all(&mut open(&with_pages(&pages), None).unwrap());
        let mut indexed = fixture("indexed.db");
        let from = (root("message_session") - 1) * 512;
        indexed[from..from + 512].copy_from_slice(&pages[0]);
        read_all(&mut open(&indexed, None).unwrap());
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let header = &fixture("values.db")[..100];
        if let Ok(mut database) = open(&[header, &bytes].concat(), Some(&bytes)) {
            read_all(&mut database);
        }
    }
}
