use super::*;

fn read(definitions: &str) -> SqliteTable {
    SqliteTable::read("t".to_owned(), &format!("CREATE TABLE t({definitions})"), 2)
}

/// What SQLite 3.40.1 does.
#[test]
fn the_number_of_a_row_has_many_spellings() {
    let cases = [
        ("a \"INTEGER\" PRIMARY KEY", true),
        ("a [integer] primary key", true),
        ("a 'INTEGER' PRIMARY KEY", true),
        ("a INTEGER PRIMARY KEY DESC", false),
        ("a INTEGER PRIMARY KEY ASC", true),
        ("a INTEGER, PRIMARY KEY(a DESC)", true),
        ("a INTEGER, PRIMARY KEY((a))", true),
        ("a INTEGER, PRIMARY KEY('a')", true),
        ("a INTEGER, PRIMARY KEY(a COLLATE NOCASE)", true),
        ("a INTEGER, PRIMARY KEY(\"A\")", true),
        ("a INT PRIMARY KEY", false),
        ("a INTEGER(10) PRIMARY KEY", false),
        ("a INTEGER UNIQUE PRIMARY KEY", true),
        ("a INTEGER, b, UNIQUE(b) PRIMARY KEY(a)", true),
        ("a INTEGER, b, PRIMARY KEY(a,b)", false),
        ("a INTEGER CONSTRAINT x PRIMARY KEY AUTOINCREMENT", true),
        ("a INTEGER, PRIMARY KEY(a AUTOINCREMENT)", true),
        ("a UNSIGNED INTEGER PRIMARY KEY", false),
        ("a INTEGER /* x */ PRIMARY KEY", true),
        ("a INTEGER DEFAULT (5) PRIMARY KEY ON CONFLICT REPLACE", true),
        ("a INTEGER, CONSTRAINT c PRIMARY KEY(a) ON CONFLICT ABORT", true),
        ("a INTEGER CHECK(a>0) PRIMARY KEY", true),
        ("a INTEGER CHECK(a = PRIMARY)", false),
    ];
    for (definitions, is_number) in cases {
        let table = read(definitions);
        assert_eq!(table.row_number, is_number.then_some(0), "{definitions}");
        assert_eq!(table.unread(), None);
    }
}

#[test]
fn constraints_and_virtual_columns_are_no_columns() {
    let table = read(
        "\"a,b\" VARCHAR(10, 2) DEFAULT 'x,)', -- a comment,\n n CHECK (n > (1) AND n < 9), \
         v AS (n * 2), w INT GENERATED ALWAYS AS (n) STORED, u GENERATED ALWAYS AS (1) VIRTUAL, [c d] , `e``f`, 'g', \
         CONSTRAINT k UNIQUE (n), CHECK (n), FOREIGN KEY (n) REFERENCES t(n), UNIQUE(w)",
    );
    assert_eq!(table.columns, ["a,b", "n", "w", "c d", "e`f", "g"]);
    assert_eq!(table.defaults[0], SqliteValue::Text("x,)".to_owned()));
    assert_eq!(table.column_index("C D"), Some(3));
}

#[test]
fn tables_that_cannot_be_read_say_why() {
    let read = |sql: &str| SqliteTable::read("t".to_owned(), sql, 2).unread().unwrap_or_default();
    assert_eq!(
        read("CREATE VIRTUAL TABLE t USING fts5(a)"),
        "it is a virtual table, whose rows only its extension can read"
    );
    assert_eq!(read("CREATE TABLE virtual (a)"), "");
    assert_eq!(
        read("CREATE TABLE t (a primary key) strict, without rowid"),
        "it is a table WITHOUT ROWID"
    );
    assert_eq!(read("CREATE TABLE t (a, rowid) STRICT"), "");
    assert_eq!(read(""), "the text that creates it has no columns");
    assert_eq!(read(&format!("CREATE TABLE t (a{})", ", a".repeat(1_999))), "");
    assert_eq!(
        read(&format!("CREATE TABLE t (a{})", ", a".repeat(400_000))),
        "the text that creates it is too long"
    );
    assert_eq!(
        read(&format!("CREATE TABLE t (a{})", ",a".repeat(2_000))),
        "it has more than 2000 columns"
    );
}

#[test]
fn keys_are_in_the_order_of_their_indexes() {
    let table = read(
        "a UNIQUE, b TEXT COLLATE NOCASE PRIMARY KEY, c, UNIQUE(a), UNIQUE(c DESC, b), UNIQUE(c COLLATE NOCASE)",
    );
    let firsts: Vec<_> = table.keys.iter().map(|key| key[0].name.clone().unwrap()).collect();
    assert_eq!(firsts, ["a", "b", "c", "c"]);
    let bytewise = |key: usize, column: usize| table.is_bytewise(column, &table.keys[key][0]);
    assert!(
        bytewise(0, 0) && !bytewise(1, 1) && bytewise(2, 2) && !bytewise(3, 2) && !bytewise(0, 1)
    );
    assert!(table.keys[2][0].is_descending);
    assert!(read("a INTEGER PRIMARY KEY, b").keys.is_empty());
}

#[test]
fn indexes_that_have_not_all_rows_are_not_used() {
    let names = |sql: &str| -> Option<Vec<_>> {
        Some(
            index_columns(sql)?.into_iter().map(|column| column.name.unwrap_or_default()).collect(),
        )
    };
    assert_eq!(
        names("CREATE INDEX i ON t(a, \"b\" DESC, lower(c), d + 1)").unwrap(),
        ["a", "b", "", ""]
    );
    assert_eq!(names("CREATE UNIQUE INDEX i ON t(a) WHERE a > 1"), None);
}
