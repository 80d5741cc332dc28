//! [`WriteAheadLog`]: pages that are newer than those of the database's file.

use crate::header::page_size;
use crate::numbers::u32_at;
use crate::source::SqliteSource;
use apex_parts_model::order;

const HEADER: usize = 32;
const FRAME: usize = 24;
const VERSION: u32 = 3_007_000;
/// How many bytes are read at once.
const AT_ONCE: usize = 1 << 20;

/// The pages of a log up to its last commit.
pub(crate) struct WriteAheadLog {
    source: Box<dyn SqliteSource>,
    pub(crate) page_size: usize,
    /// The number of pages that the database has after the last commit.
    pub(crate) pages: u32,
    /// Each page, once, and where its last frame has it; in the order of pages.
    places: Vec<(u32, u64)>,
}

/// The checksum of words, continued.
fn checksum(bytes: &[u8], is_big: bool, sum: (u32, u32)) -> (u32, u32) {
    let word = |four: &[u8; 4]| {
        if is_big { u32::from_be_bytes(*four) } else { u32::from_le_bytes(*four) }
    };
    let (pairs, _) = bytes.as_chunks::<8>();
    pairs.iter().fold(sum, |(a, b), pair| {
        let ([first, second], _) = pair.as_chunks::<4>() else { return (a, b) };
        let a = a.wrapping_add(word(first)).wrapping_add(b);
        let b = b.wrapping_add(word(second)).wrapping_add(a);
        (a, b)
    })
}

impl WriteAheadLog {
    /// Reads a log: its frames count while their salts are those of the header and the running checksum holds. `None` if
    /// nothing of it counts.
    pub(crate) fn read(source: Box<dyn SqliteSource>) -> Result<Option<WriteAheadLog>, String> {
        let mut failure = None;
        let log = WriteAheadLog::read_by(source, &mut failure);
        failure.map_or(Ok(log), Err)
    }

    fn read_by(
        mut source: Box<dyn SqliteSource>,
        failure: &mut Option<String>,
    ) -> Option<WriteAheadLog> {
        let mut bytes = |source: &mut dyn SqliteSource, at, length| {
            source.read(at, length).map_err(|why| *failure = Some(why)).ok()
        };
        let header = bytes(&mut *source, 0, HEADER)?;
        let header = header.first_chunk::<HEADER>()?;
        let is_big = match u32_at(header, 0)? {
            0x377f_0682 => false,
            0x377f_0683 => true,
            _ => return None,
        };
        let page_size = page_size(u32_at(header, 8)?)?;
        let salts = header.get(16..24)?;
        let mut sum = checksum(header.get(..24)?, is_big, (0, 0));
        let stated = |bytes: &[u8], at: usize| Some((u32_at(bytes, at)?, u32_at(bytes, at + 4)?));
        if u32_at(header, 4)? != VERSION || stated(header, 24)? != sum {
            return None;
        }
        let length = FRAME + page_size;
        let mut frames: Vec<(u32, u64)> = Vec::new();
        let (mut committed, mut pages) = (0, 0);
        let mut at = HEADER as u64;
        'all: loop {
            let mut read = bytes(&mut *source, at, (AT_ONCE / length).max(1) * length)?;
            read.truncate((AT_ONCE / length).max(1) * length);
            let whole = read.chunks_exact(length);
            if whole.len() == 0 {
                break;
            }
            for frame in whole {
                let (head, page) = frame.split_at_checked(FRAME)?;
                sum = checksum(head.get(..8)?, is_big, sum);
                sum = checksum(page, is_big, sum);
                let (number, size) = (u32_at(head, 0)?, u32_at(head, 4)?);
                if head.get(8..16)? != salts || stated(head, 16)? != sum || number == 0 {
                    break 'all;
                }
                frames.push((number, at + FRAME as u64));
                if size > 0 {
                    (committed, pages) = (frames.len(), size);
                }
                at += length as u64;
            }
        }
        frames.truncate(committed);
        if frames.is_empty() {
            return None;
        }
        // Those of one page stay in the order of the log: the last one counts.
        order::sort_by(&mut frames, |a, b| a.0.cmp(&b.0));
        let mut places: Vec<(u32, u64)> = Vec::with_capacity(frames.len());
        for frame in frames {
            match places.last_mut() {
                Some(last) if last.0 == frame.0 => *last = frame,
                _ => places.push(frame),
            }
        }
        Some(WriteAheadLog { source, page_size, pages, places })
    }

    /// Which of the pages in the log a page is.
    pub(crate) fn place(&self, page: u32) -> Option<usize> {
        self.places.binary_search_by_key(&page, |(number, _)| *number).ok()
    }

    /// The page that is in the log at this place.
    pub(crate) fn page(&mut self, place: usize) -> Result<Vec<u8>, String> {
        let at = self.places.get(place).map_or(u64::MAX, |(_, at)| *at);
        self.source.read(at, self.page_size)
    }
}

#[cfg(test)]
mod tests;
