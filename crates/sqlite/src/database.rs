//! [`SqliteDatabase`]: a database that is read and never written.

use crate::pages::Pages;
use crate::record::SqliteValue;
use crate::rows::{SqliteRow, SqliteRows};
use crate::source::SqliteSource;
use crate::table::SqliteTable;
use apex_parts_model::problem_list::ProblemList;

/// A database, with its write-ahead log.
pub struct SqliteDatabase {
    pages: Pages,
    tables: Vec<SqliteTable>,
    problems: ProblemList,
}

/// The table of all tables.
const SCHEMA: &str =
    "CREATE TABLE sqlite_schema (type text, name text, tbl_name text, rootpage integer, sql text)";

impl SqliteDatabase {
    /// Opens a database; `log` are the bytes of the file `NAME-wal` beside it.
    ///
    /// # Errors
    /// A sentence, if it is not a database that can be read.
    pub fn open(
        source: Box<dyn SqliteSource>,
        log: Option<Vec<u8>>,
    ) -> Result<SqliteDatabase, String> {
        let mut pages = Pages::open(source, log)?;
        let mut problems = ProblemList::default();
        let schema = SqliteTable::read("sqlite_schema".to_owned(), SCHEMA, 1);
        let mut rows = SqliteRows::of(&schema);
        let mut tables = vec![schema];
        if pages.count > 0 {
            while let Some(SqliteRow { values, .. }) = rows.next(&mut pages, &mut problems) {
                let [kind, name, _, root, sql] = values.as_slice() else { continue };
                let (Some("table"), Some(name)) = (kind.text(), name.text()) else { continue };
                let root = root.integer().and_then(|root| u32::try_from(root).ok());
                let sql = sql.text().unwrap_or_default();
                tables.push(SqliteTable::read(name.to_owned(), sql, root.unwrap_or_default()));
            }
        }
        Ok(SqliteDatabase { pages, tables, problems })
    }

    /// Its tables, the schema included, in the order of the schema.
    #[must_use]
    pub fn tables(&self) -> &[SqliteTable] {
        &self.tables
    }

    /// The table with this name, in any case.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&SqliteTable> {
        self.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))
    }

    /// A walk through the rows of a table: give it to [`SqliteDatabase::next`].
    #[must_use]
    pub fn rows(&self, name: &str) -> Option<SqliteRows> {
        self.table(name).map(SqliteRows::of)
    }

    /// The next row of a walk.
    pub fn next(&mut self, rows: &mut SqliteRows) -> Option<SqliteRow> {
        rows.next(&mut self.pages, &mut self.problems)
    }

    /// What was damaged in what has been read so far.
    #[must_use]
    pub fn problems(&self) -> &ProblemList {
        &self.problems
    }
}

impl SqliteTable {
    /// The value of a column in a row; null if there is none with this name.
    #[must_use]
    pub fn value<'r>(&self, row: &'r SqliteRow, column: &str) -> &'r SqliteValue {
        let place = self.columns.iter().position(|name| name.eq_ignore_ascii_case(column));
        place.and_then(|place| row.values.get(place)).unwrap_or(&SqliteValue::Null)
    }
}
