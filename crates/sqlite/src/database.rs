//! [`SqliteDatabase`]: a database that is read and never written.

use crate::lookup::SqliteIndex;
use crate::pages::Pages;
use crate::record::SqliteValue;
use crate::rows::{Indexed, SqliteRow, SqliteRows, WantedText, unusable};
use crate::source::SqliteSource;
use crate::table::SqliteTable;
use apex_parts_model::problem_list::ProblemList;
use std::rc::Rc;

/// A database, with its write-ahead log.
///
/// ```
/// use apex_parts_sqlite::SqliteDatabase;
///
/// let error = SqliteDatabase::open(Box::new(b"no database".to_vec()), None).err();
/// assert_eq!(error.as_deref(), Some("this is no SQLite database, or it is encrypted"));
/// ```
pub struct SqliteDatabase {
    pages: Pages,
    tables: Vec<Rc<SqliteTable>>,
    indexes: Vec<SqliteIndex>,
    problems: ProblemList,
}

/// The table of all tables.
const SCHEMA: &str =
    "CREATE TABLE sqlite_schema (type text, name text, tbl_name text, rootpage integer, sql text)";

impl SqliteDatabase {
    /// Opens a database; `log` is the file `NAME-wal` beside it. A log that does not belong to it is ignored.
    ///
    /// # Errors
    /// A sentence, if it is not a database that can be read.
    pub fn open(
        source: Box<dyn SqliteSource>,
        log: Option<Box<dyn SqliteSource>>,
    ) -> Result<SqliteDatabase, String> {
        let mut pages = Pages::open(source, log)?;
        let mut problems = ProblemList::default();
        let schema = Rc::new(SqliteTable::read("sqlite_schema".to_owned(), SCHEMA, 1));
        let mut rows = SqliteRows::of(Rc::clone(&schema));
        let (mut tables, mut indexes) = (vec![schema], Vec::new());
        while let Some(SqliteRow { values, .. }) = rows.next(&mut pages, &mut problems) {
            let [kind, name, table, root, sql] = values.as_slice() else { continue };
            let Some(name) = name.text().map(str::to_owned) else { continue };
            let root = root.integer().and_then(|root| u32::try_from(root).ok()).unwrap_or_default();
            match kind.text() {
                Some("table") => {
                    let sql = sql.text().unwrap_or_default();
                    tables.push(Rc::new(SqliteTable::read(name, sql, root)));
                }
                Some("index") => {
                    let table = table.text().unwrap_or_default().to_owned();
                    indexes.push(SqliteIndex {
                        name,
                        table,
                        root,
                        sql: sql.text().map(str::to_owned),
                    });
                }
                _ => {}
            }
        }
        if let Some(why) = pages.failure {
            return Err(why);
        }
        Ok(SqliteDatabase { pages, tables, indexes, problems })
    }

    /// Its tables in the order of the schema, which is itself one, `sqlite_schema`, that is not among them.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = &SqliteTable> {
        self.tables.iter().skip(1).map(|table| &**table)
    }

    fn shared(&self, name: &str) -> Option<&Rc<SqliteTable>> {
        let name = if name.eq_ignore_ascii_case("sqlite_master") { "sqlite_schema" } else { name };
        self.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))
    }

    /// The table with this name, in any case.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&SqliteTable> {
        self.shared(name).map(|table| &**table)
    }

    /// A walk through the rows of a table: give it to [`SqliteDatabase::next`].
    #[must_use]
    pub fn rows(&self, name: &str) -> Option<SqliteRows> {
        self.shared(name).cloned().map(SqliteRows::of)
    }

    /// A walk through the rows that have a text in a column, by an index where there is one for all rows that compares
    /// bytes; else, or if it turns out to be damaged, the whole table is read. `None` if there is no such column.
    ///
    /// # Errors
    /// Why the host could not read what was needed.
    pub fn rows_where(
        &mut self,
        table: &str,
        column: &str,
        text: &str,
    ) -> Result<Option<SqliteRows>, String> {
        let rows = self.found(table, column, text);
        self.pages.failure.take().map_or(Ok(rows), Err)
    }

    fn found(&mut self, table: &str, column: &str, text: &str) -> Option<SqliteRows> {
        let table = Rc::clone(self.shared(table)?);
        let column = table.column_index(column)?;
        let shaped =
            self.indexes.iter().filter(|index| index.table.eq_ignore_ascii_case(&table.name));
        let shaped = shaped.filter(|_| table.unread().is_none());
        let mut shaped = shaped.filter_map(|index| Some((index, index.shape(&table, column)?)));
        let indexed = shaped.next().and_then(|(index, shape)| {
            match index.find(&table, column, shape, text, &mut self.pages) {
                Ok(numbers) => {
                    let numbers = numbers.into_iter();
                    Some(Indexed { numbers, index: index.name.clone() })
                }
                // An empty table has an empty index.
                Err(what) if what == "it is empty" => None,
                Err(_) if self.pages.failure.is_some() => None,
                Err(what) => {
                    unusable(&index.name, &what, &table, &mut self.problems);
                    None
                }
            }
        });
        Some(SqliteRows::with(table, WantedText { column, text: text.to_owned() }, indexed))
    }

    /// The next row of a walk.
    ///
    /// # Errors
    /// Why the host could not read what was needed. Then the walk goes on behind it.
    pub fn next(&mut self, rows: &mut SqliteRows) -> Result<Option<SqliteRow>, String> {
        let row = rows.next(&mut self.pages, &mut self.problems);
        self.pages.failure.take().map_or(Ok(row), Err)
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
        let value = self.column_index(column).and_then(|place| row.values.get(place));
        value.unwrap_or(&SqliteValue::Null)
    }
}
