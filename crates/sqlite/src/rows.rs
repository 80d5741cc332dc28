//! [`SqliteRows`]: rows of a table, in the order of their numbers.

use crate::damage::PageDamage;
use crate::pages::{MetPages, Pages};
use crate::record::{SqliteValue, values};
use crate::table::SqliteTable;
use crate::tree::{DEEPEST, TreeCell, TreeKind, TreePage};
use apex_parts_model::problem_list::ProblemList;
use std::rc::Rc;

/// A row: its number, and a value for each column of its table.
#[derive(Clone, Debug, PartialEq)]
pub struct SqliteRow {
    /// Its number.
    pub number: i64,
    /// Its values, in the order of the columns.
    pub values: Vec<SqliteValue>,
}

/// A page that is being walked.
struct OpenPage {
    page: TreePage,
    next: usize,
    /// How many bytes its cells have had: more than there are, if they lie in each other.
    spent: usize,
}

/// Which rows are wanted: those with a text in a column.
pub(crate) struct WantedText {
    pub(crate) column: usize,
    pub(crate) text: String,
}

/// The numbers of the rows that an index names, in their order, and the name of the index.
pub(crate) struct Indexed {
    pub(crate) numbers: std::vec::IntoIter<i64>,
    pub(crate) index: String,
}

/// Where a walk through rows of a table is.
pub struct SqliteRows {
    table: Rc<SqliteTable>,
    open: Vec<OpenPage>,
    met: MetPages,
    is_begun: bool,
    wanted: Option<WantedText>,
    indexed: Option<Indexed>,
    /// The last row that the index gave.
    last: Option<i64>,
}

impl SqliteRows {
    /// All rows.
    pub(crate) fn of(table: Rc<SqliteTable>) -> SqliteRows {
        SqliteRows {
            table,
            open: Vec::new(),
            met: MetPages::default(),
            is_begun: false,
            wanted: None,
            indexed: None,
            last: None,
        }
    }

    /// Rows with a text in a column, by an index or without.
    pub(crate) fn with(
        table: Rc<SqliteTable>,
        wanted: WantedText,
        indexed: Option<Indexed>,
    ) -> SqliteRows {
        SqliteRows { wanted: Some(wanted), indexed, ..SqliteRows::of(table) }
    }

    /// Are rows found by an index, and not by reading the whole table?
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.indexed.is_some()
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &SqliteTable {
        &self.table
    }

    /// The next row. What is damaged is left out, with a problem.
    pub(crate) fn next(
        &mut self,
        pages: &mut Pages,
        problems: &mut ProblemList,
    ) -> Option<SqliteRow> {
        while let Some(indexed) = &mut self.indexed {
            let number = indexed.numbers.next()?;
            let row = row_numbered(&self.table, number, pages);
            if let Some(row) = row.filter(|row| self.is_wanted(row)) {
                self.last = Some(number);
                return Some(row);
            }
            if pages.failure.is_some() {
                return None;
            }
            if let Some(Indexed { index, .. }) = self.indexed.take() {
                unusable(&index, "what it says is not in the table", &self.table, problems);
            }
        }
        loop {
            let row = self.walk(pages, problems)?;
            if self.last.is_none_or(|last| row.number > last) && self.is_wanted(&row) {
                return Some(row);
            }
        }
    }

    fn is_wanted(&self, row: &SqliteRow) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| {
            row.values.get(wanted.column).and_then(SqliteValue::text) == Some(&*wanted.text)
        })
    }

    /// The next row of the tree.
    fn walk(&mut self, pages: &mut Pages, problems: &mut ProblemList) -> Option<SqliteRow> {
        if !std::mem::replace(&mut self.is_begun, true) {
            if let Some(why) = self.table.unread() {
                let message = format!("the table {:?} is not read: {why}", self.table.name);
                if !problems.iter().any(|problem| problem.message == message) {
                    problems.error("db-table", message, 0);
                }
                return None;
            }
            if let Err(what) = self.enter(self.table.root, pages, problems) {
                let page = PageDamage::new(what, self.table.root.min(pages.count), 0);
                page.report(pages, problems);
            }
        }
        loop {
            let place = self.open.last_mut()?;
            let index = place.next;
            place.next += 1;
            if index >= place.page.cells + usize::from(!place.page.is_leaf) {
                self.open.pop();
                continue;
            }
            let found = if place.page.is_leaf {
                match place.page.cell(index, pages) {
                    Ok(cell) => {
                        place.spent += cell.local;
                        if place.spent > 2 * pages.header.page_size {
                            place.next = usize::MAX - 1;
                            Err(place.page.damage("its cells lie in each other", 0))
                        } else {
                            row(&self.table, &place.page, &cell, &mut self.met, pages).map(Some)
                        }
                    }
                    Err(damage) => Err(damage),
                }
            } else {
                let page = place.page.clone();
                page.child(index, pages).and_then(|(child, at)| {
                    let entered = self.enter(child, pages, problems);
                    entered
                        .map_err(|what| page.damage(format!("page {child} is lost: {what}"), at))?;
                    Ok(None)
                })
            };
            match found {
                Ok(Some(row)) => return Some(row),
                Ok(None) => {}
                Err(_) if pages.failure.is_some() => return None,
                Err(damage) => damage.report(pages, problems),
            }
        }
    }

    /// Opens a page of the tree.
    fn enter(
        &mut self,
        number: u32,
        pages: &mut Pages,
        problems: &mut ProblemList,
    ) -> Result<(), &'static str> {
        if self.open.len() >= DEEPEST {
            return Err("the pages of a table are nested more than 64 deep");
        }
        let page = TreePage::read(number, TreeKind::Table, pages)?;
        if !self.met.meet(number, pages) {
            return Err("it was met before");
        }
        if let Some(stated) = page.stated {
            page.damage(format!("it has no room for the {stated} cells that it states"), 0)
                .report(pages, problems);
        }
        self.open.push(OpenPage { page, next: 0, spent: 0 });
        Ok(())
    }
}

/// Says that an index was not used.
pub(crate) fn unusable(index: &str, why: &str, table: &SqliteTable, problems: &mut ProblemList) {
    let message = format!(
        "the index {index:?} is damaged, so all of the table {:?} is read: {why}",
        table.name
    );
    if !problems.iter().any(|problem| problem.message == message) {
        problems.warning("db-index", message, 0);
    }
}

/// The row of a cell.
fn row(
    table: &SqliteTable,
    page: &TreePage,
    cell: &TreeCell,
    met: &mut MetPages,
    pages: &mut Pages,
) -> Result<SqliteRow, PageDamage> {
    let number = cell.number;
    let lost = |what: &str| format!("row {number} of {:?} is lost: {what}", table.name);
    let most = table.columns.len();
    let read = match page.record(cell, met, pages) {
        Ok(record) => values(&record, most, pages.header.encoding),
        Err(PageDamage { what, page, at }) => return Err(PageDamage::new(lost(&what), page, at)),
    };
    let mut values = read.map_err(|what| page.damaged_cell(lost(what), cell))?;
    for (value, is_real) in values.iter_mut().zip(&table.are_real) {
        #[allow(clippy::cast_precision_loss)] // SQLite keeps only those that it does not change
        if let (SqliteValue::Integer(number), true) = (&*value, is_real) {
            *value = SqliteValue::Real(*number as f64);
        }
    }
    values.extend(table.defaults.iter().skip(values.len()).cloned());
    if let Some(own) = table.row_number.and_then(|at| values.get_mut(at)) {
        *own = SqliteValue::Integer(number);
    }
    Ok(SqliteRow { number, values })
}

/// The row of a number, by a search in the tree; `None` if it is not found, or something on the way is damaged.
pub(crate) fn row_numbered(
    table: &SqliteTable,
    number: i64,
    pages: &mut Pages,
) -> Option<SqliteRow> {
    let mut page_number = table.root;
    for _ in 0..DEEPEST {
        let page = TreePage::read(page_number, TreeKind::Table, pages).ok()?;
        let key = |index| match page.is_leaf {
            true => page.cell(index, pages).map(|cell| cell.number),
            false => page.key(index, pages),
        };
        // The first cell whose number is not below this one.
        let (mut from, mut to) = (0, page.cells);
        while from < to {
            let middle = usize::midpoint(from, to);
            if key(middle).ok()? < number { from = middle + 1 } else { to = middle }
        }
        if page.is_leaf {
            let cell = page
                .cell(from, pages)
                .ok()
                .filter(|cell| cell.number == number && from < page.cells)?;
            return row(table, &page, &cell, &mut MetPages::default(), pages).ok();
        }
        (page_number, _) = page.child(from, pages).ok()?;
    }
    None
}
