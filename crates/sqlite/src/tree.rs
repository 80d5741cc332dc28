//! [`TreePage`]: a page of the tree of a table or of an index, and its cells.

use crate::damage::PageDamage;
use crate::numbers::{u8_at, u16_at, u32_at, varint};
use crate::pages::{MetPages, Pages};
use std::borrow::Cow;
use std::rc::Rc;

/// The most levels of a tree: no database that can be has as many.
pub(crate) const DEEPEST: usize = 64;
/// The longest record that is read.
const LONGEST: u64 = 512 << 20;

const SHORT: &str = "a cell does not end within its page";

/// What a tree holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeKind {
    Table,
    Index,
}

/// A page of a tree.
#[derive(Clone)]
pub(crate) struct TreePage {
    pub(crate) number: u32,
    bytes: Rc<[u8]>,
    kind: TreeKind,
    pub(crate) is_leaf: bool,
    /// Where its header begins.
    header: usize,
    /// How many cells it has.
    pub(crate) cells: usize,
    /// How many it says it has, if there is no room for so many.
    pub(crate) stated: Option<usize>,
}

/// A cell of a leaf, or of an index: where its record is.
pub(crate) struct TreeCell {
    /// The number of its row, in a table.
    pub(crate) number: i64,
    at: usize,
    start: usize,
    length: usize,
    /// How many bytes of the record are in the cell; the others are in a chain of pages.
    pub(crate) local: usize,
}

impl TreePage {
    /// Reads a page of a tree; the error says why there is none.
    pub(crate) fn read(
        number: u32,
        kind: TreeKind,
        pages: &mut Pages,
    ) -> Result<TreePage, &'static str> {
        let bytes = pages.read(number)?;
        let header = if number == 1 { 100 } else { 0 };
        let is_leaf = match (kind, u8_at(&bytes, header).ok_or("the file ends within it")?) {
            (TreeKind::Table, 5) | (TreeKind::Index, 2) => false,
            (TreeKind::Table, 13) | (TreeKind::Index, 10) => true,
            (TreeKind::Table, _) => return Err("it is not a page of a table"),
            (TreeKind::Index, _) => return Err("it is not a page of an index"),
        };
        let stated = usize::from(u16_at(&bytes, header + 3).ok_or("the file ends within it")?);
        // A cell has at least four bytes, and two for where it is.
        let cells = stated.min((pages.header.usable() - 8 - header) / 6);
        let stated = (cells < stated).then_some(stated);
        Ok(TreePage { number, bytes, kind, is_leaf, header, cells, stated })
    }

    /// Something that is wrong with it.
    pub(crate) fn damage(&self, what: impl Into<String>, at: usize) -> PageDamage {
        PageDamage::new(what, self.number, at)
    }

    /// Where the pointer to a cell is.
    pub(crate) fn pointer(&self, index: usize) -> usize {
        self.header + if self.is_leaf { 8 } else { 12 } + 2 * index
    }

    /// Where a cell is. One within the header or beyond the page is none.
    fn place(&self, index: usize, pages: &Pages) -> Result<usize, PageDamage> {
        let cells = self.pointer(self.cells)..pages.header.usable();
        let pointer = self.pointer(index);
        let place = u16_at(&self.bytes, pointer).map(usize::from).filter(|at| cells.contains(at));
        place.ok_or_else(|| self.damage("a cell does not lie within its page", pointer))
    }

    /// The page below an inner page before a cell; behind the last cell it is that on the right. And where it is stated.
    pub(crate) fn child(&self, index: usize, pages: &Pages) -> Result<(u32, usize), PageDamage> {
        let at = if index < self.cells { self.place(index, pages)? } else { self.header + 8 };
        let child = u32_at(&self.bytes, at).ok_or_else(|| self.damage(SHORT, at))?;
        Ok((child, at))
    }

    /// The largest number of a row below a cell of an inner page of a table.
    pub(crate) fn key(&self, index: usize, pages: &Pages) -> Result<i64, PageDamage> {
        let at = self.place(index, pages)?;
        let (key, _) = varint(&self.bytes, at + 4).ok_or_else(|| self.damage(SHORT, at))?;
        #[allow(clippy::cast_possible_wrap)] // the number of a row is signed
        Ok(key as i64)
    }

    /// A cell with a record.
    pub(crate) fn cell(&self, index: usize, pages: &Pages) -> Result<TreeCell, PageDamage> {
        let at = self.place(index, pages)?;
        let short = || self.damage(SHORT, at);
        let mut start = at + if self.is_leaf { 0 } else { 4 };
        let (length, read) = varint(&self.bytes, start).ok_or_else(short)?;
        start += read;
        let mut number = 0;
        if self.kind == TreeKind::Table {
            let (read, length) = varint(&self.bytes, start).ok_or_else(short)?;
            #[allow(clippy::cast_possible_wrap)] // the number of a row is signed
            let signed = read as i64;
            number = signed;
            start += length;
        }
        let usable = pages.header.usable();
        let most = LONGEST.min(u64::from(pages.count) * usable as u64);
        let fitting = usize::try_from(length).ok().filter(|_| length <= most);
        let Some(length) = fitting else {
            return Err(self.damage(format!("a record states a length of {length} bytes"), at));
        };
        let local = local_length(length, usable, self.kind);
        if start + local > usable.min(self.bytes.len()) {
            return Err(short());
        }
        Ok(TreeCell { number, at, start, length, local })
    }

    /// Something that is wrong with a cell.
    pub(crate) fn damaged_cell(&self, what: impl Into<String>, cell: &TreeCell) -> PageDamage {
        self.damage(what, cell.at)
    }

    /// The record of a cell.
    pub(crate) fn record(
        &self,
        cell: &TreeCell,
        met: &mut MetPages,
        pages: &mut Pages,
    ) -> Result<Cow<'_, [u8]>, PageDamage> {
        let end = cell.start + cell.local;
        let short = || self.damage(SHORT, cell.at);
        let local = self.bytes.get(cell.start..end).ok_or_else(short)?;
        if cell.local == cell.length {
            return Ok(Cow::Borrowed(local));
        }
        let usable = pages.header.usable();
        let next_at =
            self.bytes.get(..usable.min(self.bytes.len())).and_then(|used| u32_at(used, end));
        let mut next = next_at.ok_or_else(short)?;
        // It grows by what is there, whatever length is stated.
        let mut record = local.to_vec();
        let (mut from, mut from_at) = (self.number, end);
        while record.len() < cell.length {
            // What is wrong with a page that is none is wrong where it is named.
            let named = |what: &str| {
                PageDamage::new(
                    format!("{what}, a chain of pages goes on at page {next}"),
                    from,
                    from_at,
                )
            };
            if next == 0 {
                return Err(PageDamage::new("a chain of pages ends early", from, from_at));
            }
            let bytes = pages.read(next).map_err(named)?;
            if !met.meet(next, pages) {
                return Err(named("it was met before"));
            }
            let end = usable.min(4 + cell.length - record.len());
            let Some(piece) = bytes.get(4..end) else {
                return Err(PageDamage::new("the file ends within a chain of pages", next, 0));
            };
            record.extend_from_slice(piece);
            (from, from_at) = (next, 0);
            next = u32_at(&bytes, 0).unwrap_or_default();
        }
        Ok(Cow::Owned(record))
    }
}

/// How many bytes of a record are in its cell.
fn local_length(length: usize, usable: usize, kind: TreeKind) -> usize {
    let most = match kind {
        TreeKind::Table => usable - 35,
        TreeKind::Index => (usable - 12) * 64 / 255 - 23,
    };
    if length <= most {
        return length;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let local = least + (length - least) % (usable - 4);
    if local <= most { local } else { least }
}
