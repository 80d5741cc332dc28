//! [`Pages`]: the pages of a database, from its file or from its write-ahead log.

use crate::header::DatabaseHeader;
use crate::source::SqliteSource;
use crate::wal::WriteAheadLog;
use std::rc::Rc;

/// The pages of a database.
pub(crate) struct Pages {
    source: Box<dyn SqliteSource>,
    /// The bytes of the log, and what counts of it.
    log: Option<(Vec<u8>, WriteAheadLog)>,
    pub(crate) header: DatabaseHeader,
    /// How many pages there are. A file that is cut off has fewer.
    pub(crate) count: u32,
}

impl Pages {
    /// The pages of a file and of its log, which counts only if it is a log of such pages.
    pub(crate) fn open(
        mut source: Box<dyn SqliteSource>,
        log: Option<Vec<u8>>,
    ) -> Result<Pages, String> {
        let log = log.and_then(|bytes| {
            let read = WriteAheadLog::read(&bytes)?;
            Some((bytes, read))
        });
        let first = source.read(0, 100);
        // What was never written back into the file is in the log alone.
        let in_log = |(bytes, log): &(Vec<u8>, WriteAheadLog)| {
            bytes.get(log.place(1)?..).map(|page| DatabaseHeader::read(page))
        };
        let of_file = DatabaseHeader::read(&first);
        let log = log.filter(|(_, log)| match &of_file {
            Ok(header) => header.page_size == log.page_size,
            Err(_) => first.is_empty(),
        });
        let header = match log.as_ref().and_then(in_log) {
            Some(header) => header?,
            None => of_file?,
        };
        let of_size = source.size().div_ceil(header.page_size as u64);
        let of_size = u32::try_from(of_size).unwrap_or(u32::MAX);
        let count = match &log {
            Some((_, log)) => log.pages,
            None => header.pages.unwrap_or(of_size),
        };
        Ok(Pages { source, log, header, count })
    }

    /// Where a page begins in the file.
    pub(crate) fn offset(&self, page: u32) -> u64 {
        u64::from(page.saturating_sub(1)) * self.header.page_size as u64
    }

    /// A page; the error says why it cannot be read.
    pub(crate) fn read(&mut self, page: u32) -> Result<Rc<[u8]>, &'static str> {
        if page == 0 || page > self.count {
            return Err("it is not a page of the database");
        }
        let size = self.header.page_size;
        if let Some((bytes, log)) = &self.log
            && let Some(at) = log.place(page)
        {
            return bytes.get(at..at + size).map(Rc::from).ok_or("the log is too short for it");
        }
        let bytes = self.source.read(self.offset(page), size);
        if bytes.len() < size { Err("the file ends before it") } else { Ok(bytes.into()) }
    }
}
