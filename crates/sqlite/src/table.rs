//! [`SqliteTable`]: a table, from the text that created it.

use crate::literal::{Affinity, default_of};
use crate::record::SqliteValue;
use crate::sql_tokens::{SqlToken, definitions, sql_tokens};

/// The most columns that SQLite allows by default.
const MOST_COLUMNS: usize = 2_000;
/// The longest text of `CREATE TABLE` and `CREATE INDEX` that is read.
pub(crate) const LONGEST_TEXT: usize = 1_000_000;

/// A table.
#[derive(Clone, Debug)]
pub struct SqliteTable {
    /// Its name.
    pub name: String,
    /// The names of its columns, without those that are computed when they are read.
    pub columns: Vec<String>,
    /// The value of each column in a row that was written before the column was added.
    pub(crate) defaults: Vec<SqliteValue>,
    /// Is it a column of numbers with a fraction, of which whole ones are kept as integers?
    pub(crate) are_real: Vec<bool>,
    /// The order of texts of each column, where it is stated.
    collations: Vec<Option<String>>,
    /// The column that is the number of a row.
    pub(crate) row_number: Option<usize>,
    /// The columns of each index that SQLite makes by itself, in its order.
    pub(crate) keys: Vec<Vec<KeyColumn>>,
    /// The page at which its rows begin.
    pub(crate) root: u32,
    unread: Option<&'static str>,
}

/// A column of an index or of a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyColumn {
    /// Its name; `None` for an expression.
    name: Option<String>,
    /// The order of texts, where it is stated.
    collation: Option<String>,
    pub(crate) is_descending: bool,
}

impl KeyColumn {
    fn of(name: &str) -> KeyColumn {
        KeyColumn { name: Some(name.to_owned()), collation: None, is_descending: false }
    }

    /// Reads `NAME`, `NAME COLLATE ORDER DESC`.
    fn read(tokens: &[SqlToken<'_>]) -> KeyColumn {
        let opened = tokens.iter().take_while(|token| **token == SqlToken::Mark('(')).count();
        let (first, rest) = match tokens.get(opened..).unwrap_or_default() {
            [first, rest @ ..] => (first.name(), rest),
            [] => (None, &[] as &[_]),
        };
        let closed = rest.iter().take_while(|token| **token == SqlToken::Mark(')')).count();
        let rest = rest.get(closed..).unwrap_or_default();
        let (collation, rest) = match rest {
            [word, order, rest @ ..] if word.is("COLLATE") => (order.name(), rest),
            rest => (None, rest),
        };
        let is_name = match rest {
            [] => true,
            [word, ..] => word.is_any(&["ASC", "DESC", "AUTOINCREMENT"]),
        };
        let is_descending = rest.iter().any(|word| word.is("DESC"));
        KeyColumn { name: first.filter(|_| is_name), collation, is_descending }
    }

    /// Do both make the same index?
    fn is_like(&self, other: &KeyColumn) -> bool {
        let same = |a: &Option<String>, b: &Option<String>| match (a, b) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (None, None) => true,
            _ => false,
        };
        same(&self.name, &other.name) && same(&self.collation, &other.collation)
    }
}

/// The columns of `CREATE INDEX`; `None` if it has not all rows, or cannot be read.
pub(crate) fn index_columns(sql: &str) -> Option<Vec<KeyColumn>> {
    if sql.len() > LONGEST_TEXT {
        return None;
    }
    let tokens = sql_tokens(sql);
    let (columns, rest) = definitions(&tokens);
    rest.is_empty().then(|| columns.into_iter().map(KeyColumn::read).collect())
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

impl SqliteTable {
    /// The table of a row of the schema.
    pub(crate) fn read(name: String, sql: &str, root: u32) -> SqliteTable {
        let mut table = SqliteTable {
            name,
            columns: Vec::new(),
            defaults: Vec::new(),
            are_real: Vec::new(),
            collations: Vec::new(),
            row_number: None,
            keys: Vec::new(),
            root,
            unread: None,
        };
        if sql.len() > LONGEST_TEXT {
            table.unread = Some("the text that creates it is too long");
            return table;
        }
        let tokens = sql_tokens(sql);
        if tokens.get(1).is_some_and(|token| token.is("VIRTUAL")) {
            table.unread = Some("it is a virtual table, whose rows only its extension can read");
            return table;
        }
        let (definitions, options) = definitions(&tokens);
        if options.windows(2).any(|two| matches!(two, [a, b] if a.is("WITHOUT") && b.is("ROWID"))) {
            table.unread = Some("it is a table WITHOUT ROWID");
        }
        // The columns whose type is INTEGER, which may be the number of the row.
        let mut integers = Vec::new();
        for definition in definitions {
            match definition {
                [first, ..] if first.is_any(&CONSTRAINTS) => {
                    table.constraints(definition, &integers)
                }
                [first, rest @ ..] => {
                    if let Some(name) = first.name() {
                        table.column(name, rest, &mut integers);
                    }
                }
                [] => {}
            }
            if table.columns.len() > MOST_COLUMNS {
                table.unread = Some("it has more than 2000 columns");
                break;
            }
        }
        if table.columns.is_empty() {
            table.unread = Some("the text that creates it has no columns");
        }
        table
    }

    /// Why its rows cannot be read, if they cannot.
    #[must_use]
    pub fn unread(&self) -> Option<&'static str> {
        self.unread
    }

    /// Which column has this name, in any case.
    #[must_use]
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }

    /// Does an index with this column order texts of this column of the table by their bytes?
    pub(crate) fn is_bytewise(&self, column: usize, key: &KeyColumn) -> bool {
        let own = self.collations.get(column).and_then(Option::as_ref);
        key.name.as_ref().and_then(|name| self.column_index(name)) == Some(column)
            && key
                .collation
                .as_ref()
                .or(own)
                .is_none_or(|order| order.eq_ignore_ascii_case("BINARY"))
    }

    /// A column, and what follows its name.
    fn column(&mut self, name: String, rest: &[SqlToken<'_>], integers: &mut Vec<usize>) {
        let end = rest.iter().position(|token| token.is_any(&AFTER_TYPE)).unwrap_or(rest.len());
        let (stated, rules) = rest.split_at_checked(end).unwrap_or_default();
        let is_integer = matches!(stated, [one] if one.name().is_some_and(|name| name.eq_ignore_ascii_case("INTEGER")));
        let stated: Vec<String> = stated.iter().filter_map(|token| token.name()).collect();
        let affinity = Affinity::of_type(&stated.join(" "));
        let (mut depth, mut default, mut collation) = (0_u32, SqliteValue::Null, None);
        let (mut is_computed, mut is_stored, mut is_number) = (false, false, false);
        for (at, token) in rules.iter().enumerate() {
            let after = rules.get(at + 1..).unwrap_or_default();
            match token {
                SqlToken::Mark('(') => depth += 1,
                SqlToken::Mark(')') => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                token if token.is("AS") => is_computed = true,
                token if token.is("STORED") => is_stored = true,
                token if token.is("DEFAULT") => default = default_of(after, affinity),
                token if token.is("COLLATE") => {
                    collation = after.first().and_then(|token| token.name());
                }
                token if token.is("UNIQUE") => self.key(vec![KeyColumn::of(&name)]),
                token if token.is("PRIMARY") => {
                    let is_descending = after.get(1).is_some_and(|token| token.is("DESC"));
                    is_number = is_integer && !is_descending;
                    if !is_number {
                        self.key(vec![KeyColumn { is_descending, ..KeyColumn::of(&name) }]);
                    }
                }
                _ => {}
            }
        }
        if is_computed && !is_stored {
            return;
        }
        let place = self.columns.len();
        if is_integer {
            integers.push(place);
        }
        if is_number {
            self.row_number = Some(place);
        }
        self.columns.push(name);
        self.defaults.push(default);
        self.are_real.push(affinity == Affinity::Real);
        self.collations.push(collation);
    }

    /// `PRIMARY KEY (…)`, which may name the number of the row, and `UNIQUE (…)`; commas between them may be missing.
    fn constraints(&mut self, definition: &[SqlToken<'_>], integers: &[usize]) {
        let mut depth = 0_u32;
        for (at, token) in definition.iter().enumerate() {
            match token {
                SqlToken::Mark('(') => depth += 1,
                SqlToken::Mark(')') => depth = depth.saturating_sub(1),
                token if depth == 0 && token.is_any(&["PRIMARY", "UNIQUE"]) => {
                    let (columns, _) = definitions(definition.get(at..).unwrap_or_default());
                    let columns: Vec<_> = columns.into_iter().map(KeyColumn::read).collect();
                    let number = match columns.as_slice() {
                        [KeyColumn { name: Some(name), .. }] if token.is("PRIMARY") => {
                            self.column_index(name).filter(|place| integers.contains(place))
                        }
                        _ => None,
                    };
                    match number {
                        Some(_) => self.row_number = number,
                        None => self.key(columns),
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a key for which SQLite makes an index, unless it has one.
    fn key(&mut self, columns: Vec<KeyColumn>) {
        let is_like = |own: &Vec<KeyColumn>| {
            own.len() == columns.len() && own.iter().zip(&columns).all(|(a, b)| a.is_like(b))
        };
        if self.keys.len() <= MOST_COLUMNS && !self.keys.iter().any(is_like) {
            self.keys.push(columns);
        }
    }
}

#[cfg(test)]
mod tests;
