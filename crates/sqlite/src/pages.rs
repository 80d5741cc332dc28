//! [`Pages`]: the pages of a database, from its file or from its write-ahead log.

use crate::header::DatabaseHeader;
use crate::source::SqliteSource;
use crate::wal::WriteAheadLog;
use std::rc::Rc;

/// How many pages are kept: those that a search in a tree visits again and again.
const KEPT: usize = 16;

/// The pages of a database.
pub(crate) struct Pages {
    source: Box<dyn SqliteSource>,
    log: Option<WriteAheadLog>,
    pub(crate) header: DatabaseHeader,
    /// How many pages the database has. A file that is cut off has fewer.
    pub(crate) count: u32,
    /// How many pages the file has, of which the last may be cut off.
    in_file: u32,
    /// The pages that were read last, with their numbers.
    kept: Vec<(u32, Rc<[u8]>)>,
    /// Why the host could not read what was asked for: then what is missing is no damage.
    pub(crate) failure: Option<String>,
}

impl Pages {
    /// The pages of a file and of its log, which counts only if it is a log of such pages.
    pub(crate) fn open(
        mut source: Box<dyn SqliteSource>,
        log: Option<Box<dyn SqliteSource>>,
    ) -> Result<Pages, String> {
        let first = source.read(0, 100)?;
        let mut of_file = DatabaseHeader::read(&first);
        let log = log.map(WriteAheadLog::read).transpose()?.flatten();
        let mut log = log.filter(|log| match &of_file {
            Ok(header) => header.page_size == log.page_size,
            // What was never written back into the file is in the log alone.
            Err(_) => first.is_empty(),
        });
        let in_log = log.as_mut().and_then(|log| Some(log.page(log.place(1)?)));
        match (in_log.transpose()?.map(|page| DatabaseHeader::read(&page)), &log) {
            (Some(Ok(header)), Some(log)) if header.page_size == log.page_size => {
                of_file = Ok(header)
            }
            (Some(_), _) => log = None,
            (None, _) => {}
        }
        let header = of_file?;
        let in_file = source.size().div_ceil(header.page_size as u64);
        let in_file = u32::try_from(in_file).unwrap_or(u32::MAX);
        let count = match &log {
            Some(log) => log.pages,
            None => header.pages.unwrap_or_default().max(in_file),
        };
        Ok(Pages { source, log, header, count, in_file, kept: Vec::new(), failure: None })
    }

    /// Where a page begins in the file.
    pub(crate) fn offset(&self, page: u32) -> u64 {
        u64::from(page.saturating_sub(1)) * self.header.page_size as u64
    }

    /// A page, of which the last of a file may be cut off; the error says why it cannot be read.
    pub(crate) fn read(&mut self, page: u32) -> Result<Rc<[u8]>, &'static str> {
        if page == 0 || page > self.count {
            return Err("it is not a page of the database");
        }
        if let Some(at) = self.kept.iter().position(|(number, _)| *number == page) {
            let found = self.kept.remove(at);
            let bytes = Rc::clone(&found.1);
            self.kept.push(found);
            return Ok(bytes);
        }
        let size = self.header.page_size;
        let in_log = self.log.as_mut().and_then(|log| Some((log.place(page)?, log)));
        let read = match in_log {
            Some((place, log)) => log.page(place),
            None => self.source.read(self.offset(page), size),
        };
        let mut bytes = read.map_err(|why| {
            self.failure = Some(why);
            "it cannot be read"
        })?;
        bytes.truncate(size);
        if bytes.is_empty() {
            return Err("the file ends before it");
        }
        let bytes: Rc<[u8]> = bytes.into();
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push((page, Rc::clone(&bytes)));
        Ok(bytes)
    }

    /// A number for a page that was read: below the number of pages that there are, whatever the database says.
    fn place(&self, page: u32) -> usize {
        let in_log = || self.log.as_ref().and_then(|log| log.place(page));
        let in_file = self.in_file as usize;
        if page <= self.in_file {
            page as usize
        } else {
            in_file + 1 + in_log().unwrap_or_default()
        }
    }
}

/// The pages that a walk met.
#[derive(Default)]
pub(crate) struct MetPages {
    bits: Vec<u64>,
}

impl MetPages {
    /// Notes that a page was read; false if it was before.
    pub(crate) fn meet(&mut self, page: u32, pages: &Pages) -> bool {
        let place = pages.place(page);
        let (word, bit) = (place / 64, 1_u64 << (place % 64));
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let Some(word) = self.bits.get_mut(word) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
