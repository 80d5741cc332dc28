//! [`SqliteTable`]: a table, from the text that created it.

use crate::record::SqliteValue;
use crate::sql_tokens::{SqlToken, sql_tokens};

/// A table.
#[derive(Clone, Debug)]
pub struct SqliteTable {
    /// Its name.
    pub name: String,
    /// The names of its columns, without those that are computed when they are read.
    pub columns: Vec<String>,
    /// The value of each column in a row that was written before the column was added.
    pub(crate) defaults: Vec<SqliteValue>,
    /// The column that is the number of a row.
    pub(crate) row_number: Option<usize>,
    /// The page at which its rows begin.
    pub(crate) root: u32,
    /// Why its rows cannot be read.
    pub(crate) unread: Option<&'static str>,
}

/// What a column's type makes of a value.
#[derive(Clone, Copy, PartialEq)]
enum Affinity {
    Integer,
    Text,
    Blob,
    Real,
    Numeric,
}

fn affinity(stated: &str) -> Affinity {
    let stated = stated.to_ascii_uppercase();
    let has = |part: &str| stated.contains(part);
    if has("INT") {
        Affinity::Integer
    } else if has("CHAR") || has("CLOB") || has("TEXT") {
        Affinity::Text
    } else if stated.is_empty() || has("BLOB") {
        Affinity::Blob
    } else if has("REAL") || has("FLOA") || has("DOUB") {
        Affinity::Real
    } else {
        Affinity::Numeric
    }
}

/// The number that a text is.
fn number_of(text: &str) -> Option<SqliteValue> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(SqliteValue::Integer(number));
    }
    let digits = text.trim_start_matches(['+', '-']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        #[allow(clippy::cast_possible_wrap)] // as SQLite reads it
        let number = u64::from_str_radix(hex, 16).ok()? as i64;
        let is_negative = text.starts_with('-');
        return Some(SqliteValue::Integer(if is_negative { -number } else { number }));
    }
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let number = is_number.then(|| text.parse::<f64>().ok()).flatten();
    number.filter(|number| number.is_finite()).map(SqliteValue::Real)
}

impl Affinity {
    fn of(self, value: SqliteValue) -> SqliteValue {
        match (self, value) {
            (Affinity::Text, SqliteValue::Integer(number)) => SqliteValue::Text(number.to_string()),
            (Affinity::Integer | Affinity::Numeric | Affinity::Real, SqliteValue::Text(text)) => {
                match number_of(&text) {
                    Some(number) => self.of(number),
                    None => SqliteValue::Text(text),
                }
            }
            (Affinity::Integer | Affinity::Numeric, SqliteValue::Real(number)) => {
                #[allow(clippy::cast_possible_truncation)] // compared
                let whole = number as i64;
                #[allow(clippy::cast_precision_loss)] // compared
                let is_whole = whole as f64 == number && whole.unsigned_abs() < 1 << 53;
                if is_whole { SqliteValue::Integer(whole) } else { SqliteValue::Real(number) }
            }
            #[allow(clippy::cast_precision_loss)] // as SQLite keeps it
            (Affinity::Real, SqliteValue::Integer(number)) => SqliteValue::Real(number as f64),
            (_, value) => value,
        }
    }
}

/// The bytes that hexadecimal digits are.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

/// The literal that follows `DEFAULT`; null for what must be computed.
fn literal(tokens: &[SqlToken<'_>]) -> SqliteValue {
    let read = match tokens {
        [SqlToken::Mark('('), rest @ ..] => {
            let end = rest.iter().position(|token| *token == SqlToken::Mark(')'));
            return literal(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default());
        }
        [SqlToken::Mark('-'), SqlToken::Word(word), ..] => number_of(&format!("-{word}")),
        [SqlToken::Mark('+'), SqlToken::Word(word), ..] => number_of(word),
        [SqlToken::Word(x), SqlToken::Text(digits), ..] if x.eq_ignore_ascii_case("x") => {
            bytes_of(digits).map(SqliteValue::Blob)
        }
        [SqlToken::Word(word), ..] if word.eq_ignore_ascii_case("true") => {
            Some(SqliteValue::Integer(1))
        }
        [SqlToken::Word(word), ..] if word.eq_ignore_ascii_case("false") => {
            Some(SqliteValue::Integer(0))
        }
        [SqlToken::Word(word), ..] => number_of(word),
        [text @ (SqlToken::Text(_) | SqlToken::Name(_)), ..] => text.name().map(SqliteValue::Text),
        _ => None,
    };
    read.unwrap_or(SqliteValue::Null)
}

/// The definitions between the parentheses, and what follows them.
fn definitions<'t, 'a>(
    tokens: &'t [SqlToken<'a>],
) -> (Vec<&'t [SqlToken<'a>]>, &'t [SqlToken<'a>]) {
    let (mut depth, mut from) = (0_u32, 0);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            SqlToken::Mark('(') => {
                depth += 1;
                if depth == 1 {
                    from = at + 1;
                }
            }
            SqlToken::Mark(end @ (')' | ',')) if depth == 1 => {
                found.push(tokens.get(from..at).unwrap_or_default());
                from = at + 1;
                if *end == ')' {
                    return (found, tokens.get(from..).unwrap_or_default());
                }
            }
            SqlToken::Mark(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found.push(tokens.get(from..).unwrap_or_default());
    (found, &[])
}

/// Words that end the type of a column.
const AFTER_TYPE: [&str; 11] = [
    "CONSTRAINT",
    "PRIMARY",
    "NOT",
    "NULL",
    "UNIQUE",
    "CHECK",
    "DEFAULT",
    "COLLATE",
    "REFERENCES",
    "GENERATED",
    "AS",
];
/// Words that begin a definition that is no column.
const CONSTRAINTS: [&str; 5] = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];

fn is_any(token: SqlToken<'_>, words: &[&str]) -> bool {
    words.iter().any(|word| token.is(word))
}

impl SqliteTable {
    /// The table of a row of the schema.
    pub(crate) fn read(name: String, sql: &str, root: u32) -> SqliteTable {
        let mut table = SqliteTable {
            name,
            columns: Vec::new(),
            defaults: Vec::new(),
            row_number: None,
            root,
            unread: None,
        };
        let tokens = sql_tokens(sql);
        if tokens.iter().take(3).any(|token| token.is("VIRTUAL")) {
            table.unread = Some("it is a virtual table");
            return table;
        }
        let (definitions, options) = definitions(&tokens);
        let mut options = options.iter();
        if options.any(|token| token.is("WITHOUT")) && options.next().is_some_and(|t| t.is("ROWID"))
        {
            table.unread = Some("it is a table WITHOUT ROWID");
        }
        // The columns whose type is INTEGER, which may be the number of the row.
        let mut integers = Vec::new();
        for definition in definitions {
            match definition {
                [first, ..] if is_any(*first, &CONSTRAINTS) => {
                    table.constraint(definition, &integers);
                }
                [first, rest @ ..] => {
                    if let Some(name) = first.name() {
                        table.column(name, rest, &mut integers);
                    }
                }
                [] => {}
            }
        }
        table
    }

    fn column(&mut self, name: String, rest: &[SqlToken<'_>], integers: &mut Vec<usize>) {
        let end = rest.iter().position(|token| is_any(*token, &AFTER_TYPE));
        let (stated, rules) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or_default();
        let stated: Vec<String> = stated.iter().filter_map(|token| token.name()).collect();
        let stated = stated.join(" ");
        let (mut depth, mut default) = (0_u32, SqliteValue::Null);
        let (mut is_computed, mut is_stored, mut is_key) = (false, false, false);
        for (at, token) in rules.iter().enumerate() {
            let after = rules.get(at + 1..).unwrap_or_default();
            match token {
                SqlToken::Mark('(') => depth += 1,
                SqlToken::Mark(')') => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                token if token.is("AS") => is_computed = true,
                token if token.is("STORED") => is_stored = true,
                token if token.is("DEFAULT") => default = literal(after),
                token if token.is("PRIMARY") => {
                    let is_falling = after.get(1).is_some_and(|token| token.is("DESC"));
                    is_key = after.first().is_some_and(|token| token.is("KEY")) && !is_falling;
                }
                _ => {}
            }
        }
        if is_computed && !is_stored {
            return;
        }
        let place = self.columns.len();
        if stated.eq_ignore_ascii_case("INTEGER") {
            integers.push(place);
            if is_key {
                self.row_number = Some(place);
            }
        }
        self.columns.push(name);
        self.defaults.push(affinity(&stated).of(default));
    }

    /// `PRIMARY KEY (column)` names the number of the row, too.
    fn constraint(&mut self, definition: &[SqlToken<'_>], integers: &[usize]) {
        let Some(key) = definition.iter().position(|token| token.is("PRIMARY")) else { return };
        let Some([SqlToken::Mark('('), name, after, ..]) = definition.get(key + 2..) else {
            return;
        };
        let is_single = *after != SqlToken::Mark(',')
            && !definition.get(key + 2..).unwrap_or_default().contains(&SqlToken::Mark(','));
        let Some(name) = name.name().filter(|_| is_single) else { return };
        let place = self.columns.iter().position(|column| column.eq_ignore_ascii_case(&name));
        self.row_number = place.filter(|place| integers.contains(place)).or(self.row_number);
    }
}
