//! [`DatabaseHeader`]: the first hundred bytes of a database.

use crate::numbers::{u8_at, u16_at, u32_at};

/// What every database begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Do these bytes begin as a database does?
#[must_use]
pub fn is_sqlite(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// How texts are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseEncoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

/// What the first page says of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DatabaseHeader {
    pub(crate) page_size: usize,
    /// How many bytes at the end of each page are not used.
    pub(crate) reserved: usize,
    /// The number of pages, where it can be relied on.
    pub(crate) pages: Option<u32>,
    pub(crate) encoding: DatabaseEncoding,
}

/// A page size as a file states it.
pub(crate) fn page_size(stated: u32) -> Option<usize> {
    let size = if stated == 1 { 65_536 } else { stated };
    let is_valid = size.is_power_of_two() && (512..=65_536).contains(&size);
    is_valid.then(|| usize::try_from(size).ok()).flatten()
}

impl DatabaseHeader {
    /// Reads it; the error says why this is no database that can be read.
    pub(crate) fn read(bytes: &[u8]) -> Result<DatabaseHeader, String> {
        if !is_sqlite(bytes) {
            return Err("this is no SQLite database, or it is encrypted".to_owned());
        }
        let short = || "the database ends within its header".to_owned();
        let stated = u16_at(bytes, 16).ok_or_else(short)?;
        let Some(page_size) = page_size(stated.into()) else {
            return Err(format!("the header of the database states a page size of {stated} bytes"));
        };
        let reserved = usize::from(u8_at(bytes, 20).ok_or_else(short)?);
        if page_size - reserved < 480 {
            return Err(format!("the header of the database reserves {reserved} bytes of a page"));
        }
        let encoding = match u32_at(bytes, 56).ok_or_else(short)? {
            0 | 1 => DatabaseEncoding::Utf8,
            2 => DatabaseEncoding::Utf16Le,
            3 => DatabaseEncoding::Utf16Be,
            other => return Err(format!("the database has texts in encoding {other}")),
        };
        // Old versions did not write the number: then the counter of changes is not the one it was written at.
        let is_current = u32_at(bytes, 24) == u32_at(bytes, 92);
        let pages = u32_at(bytes, 28).filter(|pages| is_current && *pages > 0);
        Ok(DatabaseHeader { page_size, reserved, pages, encoding })
    }

    /// How many bytes of a page are used.
    pub(crate) fn usable(&self) -> usize {
        self.page_size - self.reserved
    }
}
