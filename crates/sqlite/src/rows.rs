//! [`SqliteRows`]: the rows of a table, in the order of their numbers.

use crate::numbers::{u8_at, u16_at, u32_at, varint};
use crate::pages::Pages;
use crate::record::{SqliteValue, values};
use crate::table::SqliteTable;
use apex_parts_model::problem_list::ProblemList;
use std::rc::Rc;

/// The most levels of a tree: no database that can be has as many.
const DEEPEST: usize = 64;
/// The longest record that is read.
const LONGEST: u64 = 512 << 20;
/// The rule of what is damaged.
pub(crate) const PAGE: &str = "db-page";

const INTERIOR: u8 = 5;
const LEAF: u8 = 13;

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
    number: u32,
    bytes: Rc<[u8]>,
    is_leaf: bool,
    /// Where its header begins.
    header: usize,
    cells: usize,
    next: usize,
}

/// Where a walk through the rows of a table is.
pub struct SqliteRows {
    table: SqliteTable,
    open: Vec<OpenPage>,
    /// A bit for each page that was met.
    met: Vec<u64>,
    is_begun: bool,
}

/// A problem of a page.
type Wrong = (String, u32);

impl SqliteRows {
    pub(crate) fn of(table: &SqliteTable) -> SqliteRows {
        SqliteRows { table: table.clone(), open: Vec::new(), met: Vec::new(), is_begun: false }
    }

    /// The next row. What is damaged is left out, with a problem.
    pub(crate) fn next(
        &mut self,
        pages: &mut Pages,
        problems: &mut ProblemList,
    ) -> Option<SqliteRow> {
        if !std::mem::replace(&mut self.is_begun, true) {
            if self.table.unread.is_some() {
                return None;
            }
            self.enter(self.table.root, pages, problems);
        }
        loop {
            let page = self.open.last_mut()?;
            let at = page.next;
            page.next += 1;
            let is_right = at == page.cells && !page.is_leaf;
            if at > page.cells || (at == page.cells && !is_right) {
                self.open.pop();
                continue;
            }
            let (number, bytes, is_leaf) = (page.number, Rc::clone(&page.bytes), page.is_leaf);
            let pointers = page.header + if is_leaf { 8 } else { 12 };
            let cell = match is_right {
                true => Some(page.header + 8),
                false => u16_at(&bytes, pointers + 2 * at).map(usize::from),
            };
            // A cell within the header or beyond the page is none.
            let first = if is_right { 0 } else { pointers + 2 * page.cells };
            let usable = pages.header.usable();
            let Some(cell) = cell.filter(|cell| (first..usable).contains(cell)) else {
                let what = "a cell does not lie within its page".to_owned();
                wrong((what, number), pages, problems);
                continue;
            };
            if !is_leaf {
                match u32_at(&bytes, cell) {
                    Some(child) => self.enter(child, pages, problems),
                    None => {
                        wrong(("a page ends within a cell".to_owned(), number), pages, problems)
                    }
                }
                continue;
            }
            match self.row(number, &bytes, cell, pages) {
                Ok(row) => return Some(row),
                Err(found) => wrong(found, pages, problems),
            }
        }
    }

    /// Notes that a page is met; false if it was before.
    fn meet(&mut self, page: u32) -> bool {
        let (word, bit) = (page as usize / 64, 1_u64 << (page % 64));
        if self.met.len() <= word {
            self.met.resize(word + 1, 0);
        }
        let Some(word) = self.met.get_mut(word) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Opens a page of the tree.
    fn enter(&mut self, number: u32, pages: &mut Pages, problems: &mut ProblemList) {
        if let Err(what) = self.opened(number, pages) {
            wrong((what.to_owned(), number), pages, problems);
        }
    }

    fn opened(&mut self, number: u32, pages: &mut Pages) -> Result<(), &'static str> {
        let bytes = pages.read(number)?;
        if self.open.len() >= DEEPEST {
            return Err("the pages of a table are nested more than 64 deep");
        }
        if !self.meet(number) {
            return Err("a page of a table is met twice");
        }
        let header = if number == 1 { 100 } else { 0 };
        let kind = u8_at(&bytes, header).unwrap_or_default();
        if kind != INTERIOR && kind != LEAF {
            return Err("it is not a page of a table");
        }
        let cells = usize::from(u16_at(&bytes, header + 3).unwrap_or_default());
        let is_leaf = kind == LEAF;
        self.open.push(OpenPage { number, bytes, is_leaf, header, cells, next: 0 });
        Ok(())
    }

    /// The row of a cell.
    fn row(
        &mut self,
        page: u32,
        bytes: &[u8],
        cell: usize,
        pages: &mut Pages,
    ) -> Result<SqliteRow, Wrong> {
        let short = || ("a page ends within a cell".to_owned(), page);
        let usable = pages.header.usable();
        let bytes = bytes.get(..usable).ok_or_else(short)?;
        let (length, first) = varint(bytes, cell).ok_or_else(short)?;
        let (number, second) = varint(bytes, cell + first).ok_or_else(short)?;
        #[allow(clippy::cast_possible_wrap)] // the number of a row is signed
        let number = number as i64;
        let start = cell + first + second;
        let most = u64::from(pages.count) * usable as u64;
        if length > LONGEST.min(most) {
            return Err((format!("row {number} states a length of {length} bytes"), page));
        }
        let length = usize::try_from(length).map_err(|_| short())?;
        let local = local_length(length, usable);
        let here = bytes.get(start..start + local).ok_or_else(short)?;
        let whole = if local == length {
            values(here, pages.header.encoding)
        } else {
            let next = u32_at(bytes, start + local).ok_or_else(short)?;
            let mut record = here.to_vec();
            self.overflow(next, length, &mut record, pages)
                .map_err(|(what, at)| (format!("{what}: row {number} is left out"), at))?;
            values(&record, pages.header.encoding)
        };
        let mut values =
            whole.map_err(|what| (format!("{what}: row {number} is left out"), page))?;
        let defaults = self.table.defaults.iter().skip(values.len()).cloned();
        values.extend(defaults);
        values.truncate(self.table.columns.len());
        if let Some(own) = self.table.row_number.and_then(|at| values.get_mut(at)) {
            *own = SqliteValue::Integer(number);
        }
        Ok(SqliteRow { number, values })
    }

    /// Appends what the pages of a chain have of a record.
    fn overflow(
        &mut self,
        first: u32,
        length: usize,
        record: &mut Vec<u8>,
        pages: &mut Pages,
    ) -> Result<(), Wrong> {
        let usable = pages.header.usable();
        let mut next = first;
        while record.len() < length {
            if next == 0 {
                return Err(("a chain of pages ends early".to_owned(), first));
            }
            let bytes = pages.read(next).map_err(|what| (what.to_owned(), next))?;
            if !self.meet(next) {
                return Err(("a page of a table is met twice".to_owned(), next));
            }
            let end = usable.min(4 + length - record.len());
            record.extend_from_slice(bytes.get(4..end).unwrap_or_default());
            next = u32_at(&bytes, 0).unwrap_or_default();
        }
        Ok(())
    }
}

/// How many bytes of a record are in its cell; the others are in a chain of pages.
fn local_length(length: usize, usable: usize) -> usize {
    let most = usable - 35;
    if length <= most {
        return length;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let local = least + (length - least) % (usable - 4);
    if local <= most { local } else { least }
}

fn wrong((what, page): Wrong, pages: &Pages, problems: &mut ProblemList) {
    problems.error(PAGE, format!("page {page}: {what}"), pages.offset(page));
}
