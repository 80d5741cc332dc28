use super::*;
use crate::sql_tokens::sql_tokens;

fn default(stated: &str, sql: &str) -> SqliteValue {
    default_of(&sql_tokens(sql), Affinity::of_type(stated))
}

fn text(text: &str) -> SqliteValue {
    SqliteValue::Text(text.to_owned())
}

/// What SQLite 3.40.1 gives for a column that `ALTER TABLE` adds.
#[test]
fn literals_are_what_sqlite_makes_of_them() {
    use SqliteValue::{Blob, Integer, Null, Real};
    let cases = [
        ("", "1.0", Integer(1)),
        ("INTEGER", "1.0", Integer(1)),
        ("TEXT", "1.50", text("1.50")),
        ("TEXT", "- 1.50", text("-1.50")),
        ("TEXT", "007", text("7")),
        ("", "0x10", Integer(16)),
        ("TEXT", "0x10", text("16")),
        ("", "-0x10", Integer(-16)),
        ("", "0xffffffffffffffff", Integer(-1)),
        ("", "0x10000000000000000", Null),
        ("", "TRUE", Integer(1)),
        ("TEXT", "true", Integer(1)),
        ("REAL", "TRUE", Real(1.0)),
        ("", "false", Integer(0)),
        ("", "(5)", Integer(5)),
        ("", "(-(5))", Integer(-5)),
        ("", "(- -5)", Integer(5)),
        ("", "(-'5')", Integer(-5)),
        ("TEXT", "(-'5')", text("-5")),
        ("", "'5'", text("5")),
        ("INT", "' 5 '", Integer(5)),
        ("INT", "'5x'", text("5x")),
        ("INT", "'inf'", text("inf")),
        ("INT", "'0x10'", text("0x10")),
        ("REAL", "'5'", Real(5.0)),
        ("", "9223372036854775808", Real(9_223_372_036_854_775_808.0)),
        ("", "-9223372036854775808", Integer(i64::MIN)),
        ("TEXT", "12345678901", text("12345678901")),
        ("INT", "1e3", Integer(1000)),
        ("TEXT", "1e3", text("1e3")),
        ("", "1e400", Real(f64::INFINITY)),
        ("", "1e-3", Real(0.001)),
        ("INT", "x'31'", Blob(vec![0x31])),
        ("TEXT", "X''", Blob(vec![])),
        ("", "x'3'", Null),
        ("", "x'+3'", Null),
        ("", "abc", text("abc")),
        ("", "\"a \"\" b\"", text("a \" b")),
        ("", "'it''s' NOT NULL", text("it's")),
        ("INT", "\"5\"", Integer(5)),
        ("", "NULL", Null),
        ("", "(NULL)", Null),
        ("", "CURRENT_TIME", Null),
        ("", "(1+1)", Null),
        ("", "(abc)", Null),
        ("", "('a' || 'b')", Null),
        ("TEXT", "+1.5", text("1.5")),
        ("", "+'a'", text("a")),
        ("", "-0.0", Integer(0)),
        ("", "(((((7)))))", Integer(7)),
        ("", "1_000", Integer(1000)),
        ("", "", Null),
        ("", "(", Null),
        ("", "1a", Null),
    ];
    for (stated, sql, expected) in cases {
        assert_eq!(default(stated, sql), expected, "{stated} DEFAULT {sql}");
    }
}

#[test]
fn parentheses_are_limited() {
    let deep = |n: usize| format!("{}7{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(default("", &deep(30)), SqliteValue::Integer(7));
    assert_eq!(default("", &deep(100_000)), SqliteValue::Null);
    assert_eq!(default("", &"- ".repeat(100_000)), SqliteValue::Null);
}
