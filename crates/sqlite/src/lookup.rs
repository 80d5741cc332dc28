//! The numbers of rows whose column has a text, from an index.

use crate::pages::{MetPages, Pages};
use crate::record::{RawValue, RecordValues, SqliteValue, encoded};
use crate::rows::row_numbered;
use crate::table::{KeyColumn, SqliteTable, index_columns};
use crate::tree::{DEEPEST, TreeKind, TreePage};
use apex_parts_model::order;
use std::cmp::Ordering;

/// An index, as the schema has it.
pub(crate) struct SqliteIndex {
    pub(crate) name: String,
    pub(crate) table: String,
    pub(crate) root: u32,
    /// The text that created it; `None` if SQLite made it for a key.
    pub(crate) sql: Option<String>,
}

impl SqliteIndex {
    /// How many columns it has, and whether it is in falling order, if it finds texts of this column in all rows.
    pub(crate) fn shape(&self, table: &SqliteTable, column: usize) -> Option<(usize, bool)> {
        let columns: Vec<KeyColumn> = match &self.sql {
            Some(sql) => index_columns(sql)?,
            None => {
                let number: usize = self.name.rsplit('_').next()?.parse().ok()?;
                table.keys.get(number.checked_sub(1)?)?.clone()
            }
        };
        let first = columns.first()?;
        table.is_bytewise(column, first).then_some((columns.len(), first.is_descending))
    }

    /// The numbers of the rows whose column has the text, in their order; the error says what is damaged.
    pub(crate) fn find(
        &self,
        table: &SqliteTable,
        column: usize,
        (columns, is_descending): (usize, bool),
        text: &str,
        pages: &mut Pages,
    ) -> Result<Vec<i64>, String> {
        let wanted = encoded(text, pages.header.encoding);
        let mut search = IndexSearch {
            wanted: &wanted,
            values: columns + 1,
            is_descending,
            met: MetPages::default(),
            first: None,
            found: Vec::new(),
        };
        search.page(self.root, 0, pages)?;
        let IndexSearch { first, mut found, .. } = search;
        // What is found is compared with its rows. If nothing is, the index is looked at by its first key.
        if found.is_empty() {
            let (key, number) = first.ok_or("it is empty")?;
            let row = row_numbered(table, number, pages);
            let own = row.as_ref().and_then(|row| row.values.get(column));
            if !own.is_some_and(|own| is_alike(own, &key)) {
                return Err("what it says is not in the table".to_owned());
            }
        }
        order::sort_by(&mut found, Ord::cmp);
        found.dedup();
        Ok(found)
    }
}

/// Is it the same value? Whole numbers may be integers in one place, and not in the other.
fn is_alike(a: &SqliteValue, b: &SqliteValue) -> bool {
    let is_number =
        |value: &SqliteValue| matches!(value, SqliteValue::Integer(_) | SqliteValue::Real(_));
    a == b || is_number(a) && is_number(b)
}

/// A search for a key in an index.
struct IndexSearch<'a> {
    wanted: &'a [u8],
    /// How many values each record has: the columns, and the number of the row.
    values: usize,
    is_descending: bool,
    met: MetPages,
    /// The first key that was met, and the number of its row.
    first: Option<(SqliteValue, i64)>,
    found: Vec<i64>,
}

impl IndexSearch<'_> {
    /// Goes through a page; false if all that follows is behind the key.
    fn page(&mut self, number: u32, depth: usize, pages: &mut Pages) -> Result<bool, String> {
        if depth >= DEEPEST {
            return Err(format!("page {number}: it is nested more than 64 deep"));
        }
        let page = TreePage::read(number, TreeKind::Index, pages);
        let page = page.map_err(|what| format!("page {number}: {what}"))?;
        if !self.met.meet(number, pages) {
            return Err(format!("page {number}: it was met before"));
        }
        if page.stated.is_some() {
            return Err(format!("page {number}: it has no room for its cells"));
        }
        let mut spent = 0;
        for index in 0..page.cells {
            let cell = page.cell(index, pages).map_err(|damage| damage.sentence())?;
            spent += cell.local;
            if spent > 2 * pages.header.page_size {
                return Err(format!("page {number}: its cells lie in each other"));
            }
            let record =
                page.record(&cell, &mut self.met, pages).map_err(|damage| damage.sentence())?;
            let (compared, row) =
                self.key(&record, pages).map_err(|what| format!("page {number}: {what}"))?;
            if compared != Ordering::Less && !page.is_leaf {
                let (child, _) = page.child(index, pages).map_err(|damage| damage.sentence())?;
                if !self.page(child, depth + 1, pages)? {
                    return Ok(false);
                }
            }
            match compared {
                Ordering::Less => {}
                Ordering::Equal => self.found.push(row),
                Ordering::Greater => return Ok(false),
            }
        }
        if page.is_leaf {
            return Ok(true);
        }
        let (child, _) = page.child(page.cells, pages).map_err(|damage| damage.sentence())?;
        self.page(child, depth + 1, pages)
    }

    /// How a record stands to the key, and the number of its row.
    fn key(&mut self, record: &[u8], pages: &Pages) -> Result<(Ordering, i64), &'static str> {
        const OTHER: &str = "a record is not one of this index";
        let mut reader = RecordValues::new(record)?;
        let first = reader.next()?.ok_or(OTHER)?;
        let mut last: Option<RawValue<'_>> = None;
        for _ in 1..self.values {
            last = Some(reader.next()?.ok_or(OTHER)?);
        }
        let encoding = pages.header.encoding;
        let row = last.ok_or(OTHER)?.value(encoding)?.integer().ok_or(OTHER)?;
        if reader.next()?.is_some() {
            return Err(OTHER);
        }
        if self.first.is_none() {
            self.first = Some((first.value(encoding)?, row));
        }
        let compared = first.text_or().map_or_else(|order| order, |text| text.cmp(self.wanted));
        Ok((if self.is_descending { compared.reverse() } else { compared }, row))
    }
}
