//! chanting: streamed text that repeats one unit.
//!
//! One pass over the bytes. While a period is known, each byte is compared with the byte one period before
//! it. Otherwise a table of where each sequence of eight bytes (a gram) ended last is consulted: the
//! distance to an earlier occurrence is a candidate for the period.

use crate::kinds::line_filter::LineFilter;
use apex_parts_json::saved;
use apex_parts_json::saved::Saved;
use serde_json::{Map, Value};
use std::ops::Range;

/// How many of the last bytes are kept; no unit is longer.
const WINDOW: usize = 1 << 13;
/// The bytes of a gram.
const GRAM: u64 = 8;
const TABLE_SIZE: usize = 1 << 10;

/// The repeats that make a chant, and those if the unit is long.
const REPEATS: u64 = 10;
const REPEATS_OF_LONG: u64 = 6;
/// A unit of more characters than this is long.
const LONG_UNIT: usize = 64;
/// The fewest characters of all repeats together. Text without white space that is all ASCII needs more:
/// masks, payloads, hidden passwords and drawn-out words repeat a character by design.
const STRETCH: u64 = 48;
const STRETCH_OF_UNBROKEN_ASCII: u64 = 256;

impl Saved for Chanting {
    fn save(&self) -> Value {
        let Chanting {
            // The text has its bytes; reading it again fills the other two.
            window: _,
            gram: _,
            table: _,
            count,
            boundary,
            period,
            matched,
            lines,
            // `take` returns it.
            finding: _,
        } = self;
        let from = (*boundary).max(count.saturating_sub(WINDOW as u64));
        let text: String = (from..*count).map(|n| char::from(self.at(n))).collect();
        if (*count, *lines) == (0, LineFilter::default()) {
            return Value::Null;
        }
        let mut map = Map::new();
        saved::put(&mut map, "text", text.save());
        let numbers = [*count, *boundary, *period, *matched];
        saved::put(&mut map, "numbers", numbers.save());
        saved::put(&mut map, "lines", lines.numbers().save());
        Value::Object(map)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        saved::replace(self, Chanting::loaded(saved))
    }
}

/// The text that repeats, and how often.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChantFinding {
    pub(crate) unit: String,
    pub(crate) repeats: u64,
}

/// The state of the detection in one channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chanting {
    /// A ring buffer of the last bytes.
    window: Option<Box<[u8; WINDOW]>>,
    /// How many bytes counted so far.
    count: u64,
    /// The byte at which the current run of text begins: no chant extends across it.
    boundary: u64,
    /// The current period (0 if none is known), and how many bytes equalled the byte one period before.
    period: u64,
    matched: u64,
    /// The last eight bytes, as a number.
    gram: u64,
    /// A hash table of [`table_entry`]s: where each gram ended last.
    table: Option<Box<[u64; TABLE_SIZE]>>,
    lines: LineFilter,
    /// The last chant in the text that is being taken.
    finding: Option<ChantFinding>,
}

/// Is this a continuation byte of UTF-8?
const fn is_inside(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// The index in the ring buffer of the byte with this number.
#[allow(clippy::cast_possible_truncation)] // below 2^13
const fn window_slot(number: u64) -> usize {
    (number & (WINDOW as u64 - 1)) as usize
}

/// The index of this gram in the hash table.
#[allow(clippy::cast_possible_truncation)] // below 2^10
const fn table_slot(gram: u64) -> usize {
    (gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize
}

/// The low bits of a table entry, which hold two bytes of the gram: most collisions differ in them.
const TAG: u64 = 0xffff;

/// The largest byte count that fits into the other bits of a table entry.
const MAX_COUNT: u64 = u64::MAX >> TAG.count_ones();

/// An entry of the hash table: the count of bytes at the end of the gram, and two bytes of the gram.
const fn table_entry(count: u64, gram: u64) -> u64 {
    count << TAG.count_ones() | gram >> 16 & 0xff00 | gram & 0xff
}

/// Copies up to 32 bytes between places of one length: a call that copies memory takes longer. False if they are more.
#[inline(always)]
fn copy_few(to: &mut [u8], from: &[u8]) -> bool {
    // Both ends, which may overlap; the bytes are the same there.
    macro_rules! copy_ends {
        ($length:literal) => {
            if let (Some(first), Some(last)) =
                (from.first_chunk::<$length>(), from.last_chunk::<$length>())
            {
                if let Some(to) = to.first_chunk_mut() {
                    *to = *first;
                }
                if let Some(to) = to.last_chunk_mut() {
                    *to = *last;
                }
                return true;
            }
        };
    }
    if from.len() > 32 {
        return false;
    }
    copy_ends!(16);
    copy_ends!(8);
    copy_ends!(4);
    copy_ends!(2);
    copy_ends!(1);
    true
}

/// Copies a part of `text` into the ring buffer; `count` is the number of the text's first byte.
fn copy_to_window(window: &mut [u8; WINDOW], count: u64, text: &[u8], part: Range<usize>) {
    let mut count = count + part.start as u64;
    let mut rest = text.get(part).unwrap_or_default();
    let from = window_slot(count);
    if let Some(to) = window.get_mut(from..from + rest.len())
        && copy_few(to, rest)
    {
        return;
    }
    while !rest.is_empty() {
        let room = window.get_mut(window_slot(count)..).unwrap_or_default();
        let (now, later) = rest.split_at_checked(room.len()).unwrap_or((rest, &[]));
        if let Some(room) = room.get_mut(..now.len()) {
            room.copy_from_slice(now);
        }
        count += now.len() as u64;
        rest = later;
    }
}

fn at(window: &[u8; WINDOW], number: u64) -> u8 {
    window.get(window_slot(number)).copied().unwrap_or_default()
}

/// How many of the last bytes equal the byte one period before them.
fn matched_backwards(window: &[u8; WINDOW], count: u64, boundary: u64, period: u64) -> u64 {
    let mut held = 0;
    while held + period < (count - boundary).min(WINDOW as u64) {
        let here = count - 1 - held;
        if at(window, here) != at(window, here - period) {
            break;
        }
        held += 1;
    }
    held
}

impl Chanting {
    /// The state that [`Saved::save`] wrote; `None` if the JSON does not fit.
    fn loaded(saved: Value) -> Option<Self> {
        if saved.is_null() {
            return Some(Chanting::default());
        }
        let mut map = saved::fields(saved)?;
        let text = String::load(saved::take(&mut map, "text"))?;
        let [count, boundary, period, held] = Saved::load(saved::take(&mut map, "numbers"))?;
        let bytes: Vec<u8> = text.chars().map(u8::try_from).collect::<Result<_, _>>().ok()?;
        let from = count.checked_sub(bytes.len() as u64).filter(|_| count <= MAX_COUNT)?;
        // Reading the saved text again fills the table.
        let mut chant = Chanting { count: from, boundary: from, ..Chanting::default() };
        chant.allocate();
        chant.count_all(&bytes);
        (chant.boundary, chant.period, chant.matched, chant.finding) =
            (boundary.min(count), period.min(WINDOW as u64), held.min(count), None);
        chant.lines = LineFilter::from_numbers(Saved::load(saved::take(&mut map, "lines"))?)?;
        // No byte before the first may be compared.
        (chant.period + chant.matched <= count).then_some(chant)
    }

    /// Forgets the text so far; the buffers are reused.
    pub(crate) fn clear(&mut self) {
        *self = Chanting {
            window: std::mem::take(&mut self.window),
            table: std::mem::take(&mut self.table),
            ..Chanting::default()
        };
        self.clear_table();
    }

    fn clear_table(&mut self) {
        if let Some(table) = &mut self.table {
            table.fill(0);
        }
    }

    /// Takes the next text. Returns the last chant in it, which may continue or have ended within it; how
    /// the text is cut into pieces makes no difference to the last chant that is returned.
    pub(crate) fn take(&mut self, text: &str) -> Option<ChantFinding> {
        self.allocate();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let piece = self.lines.take(rest);
            let (now, later) = rest.split_at_checked(piece.length).unwrap_or((rest, &[]));
            if piece.counts {
                self.count_all(now);
            }
            if piece.boundary {
                self.set_boundary();
            }
            rest = later;
        }
        self.finding.take()
    }

    fn allocate(&mut self) {
        if self.window.is_none() {
            self.window = Some(Box::new([0; WINDOW]));
            self.table = Some(Box::new([0; TABLE_SIZE]));
        }
    }

    /// The byte with this number, if it is still in the window.
    fn at(&self, number: u64) -> u8 {
        self.window.as_ref().map_or(0, |window| at(window, number))
    }

    /// Skipped content follows: no chant extends across this position.
    fn set_boundary(&mut self) {
        (self.period, self.matched, self.gram, self.boundary) = (0, 0, 0, self.count);
        self.clear_table();
    }

    /// Takes text that counts and ends with a whole character.
    fn count_all(&mut self, text: &[u8]) {
        let mut rest = text;
        // A chant that ended here was returned before.
        let mut before = self.count;
        while !rest.is_empty() {
            if self.period == 0 {
                rest = rest.get(self.find_period(rest)..).unwrap_or_default();
                if self.period > 0 {
                    before = self.count - 1;
                }
                continue;
            }
            let taken = self.follow_period(rest);
            rest = rest.get(taken..).unwrap_or_default();
            let Some(next) = rest.first() else { break };
            // The first bytes of the character that ends the period may have matched: leave them out.
            let held = (1..4).find(|n| !is_inside(self.at(self.count.saturating_sub(*n))));
            let inside = if is_inside(*next) { held.unwrap_or_default() } else { 0 };
            let end = self.count.saturating_sub(inside);
            if end > before {
                self.check_chant(end);
            }
            (self.period, self.matched) = (0, 0);
        }
        if self.period > 0 && self.count > before {
            self.check_chant(self.count);
        }
    }

    /// Sets `finding` if the matching text up to `end` is a chant.
    fn check_chant(&mut self, end: u64) {
        let (held, period) = (self.matched.saturating_sub(self.count - end), self.period);
        let repeats = held / period + 1;
        // The cheap test first, because chants are rare. A unit that is long in characters is also long
        // in bytes.
        let least = if period > LONG_UNIT as u64 { REPEATS_OF_LONG } else { REPEATS };
        if repeats < least || held + period < STRETCH {
            return;
        }
        // The unit as it was when the chant began, wherever the chant ends now.
        let from = end - period;
        let rotated = |n: u64| from + (n + period - held % period) % period;
        let unit: Vec<u8> = (0..period).map(|n| self.at(rotated(n))).collect();
        let characters =
            |bytes: &[u8]| bytes.iter().filter(|byte| !is_inside(**byte)).count() as u64;
        // The last repeat may be incomplete: it begins as the unit does.
        let rest = usize::try_from(held % period).unwrap_or_default();
        let stretch =
            repeats * characters(&unit) + characters(unit.get(..rest).unwrap_or_default());
        // If it begins within a character, those bytes belong to its end.
        let begin = unit.iter().position(|b| !is_inside(*b)).unwrap_or(0);
        let (first, rest) = unit.split_at_checked(begin).unwrap_or((&unit, &[]));
        let unit = String::from_utf8_lossy(&[rest, first].concat()).into_owned();
        let long = unit.chars().count() > LONG_UNIT;
        let is_unbroken = unit.is_ascii() && !unit.contains(char::is_whitespace);
        let enough = repeats >= if long { REPEATS_OF_LONG } else { REPEATS }
            && stretch >= if is_unbroken { STRETCH_OF_UNBROKEN_ASCII } else { STRETCH };
        if enough && unit.chars().any(char::is_alphabetic) {
            self.finding = Some(ChantFinding { unit, repeats });
        }
    }

    /// Takes bytes while they equal those one period before; returns how many.
    fn follow_period(&mut self, text: &[u8]) -> usize {
        let (Some(window), Some(table)) = (&mut self.window, &mut self.table) else {
            return text.len();
        };
        let (mut count, mut gram, period) = (self.count, self.gram, self.period);
        let mut taken = 0;
        for byte in text {
            if at(window, count.wrapping_sub(period)) != *byte {
                break;
            }
            if let Some(to) = window.get_mut(window_slot(count)) {
                *to = *byte;
            }
            taken += 1;
            count += 1;
            gram = gram << 8 | u64::from(*byte);
            // A period is known only after a whole gram, so `gram` is complete here.
            if let Some(entry) = table.get_mut(table_slot(gram)) {
                *entry = table_entry(count, gram);
            }
        }
        self.matched += count - self.count;
        (self.count, self.gram) = (count, gram);
        taken
    }

    /// Takes text up to where it begins to repeat itself; returns how many bytes.
    ///
    /// Nearly all text is read here: each byte costs one access to the table, and the window is written
    /// in one copy.
    fn find_period(&mut self, text: &[u8]) -> usize {
        let (Some(window), Some(table)) = (&mut self.window, &mut self.table) else {
            return text.len();
        };
        let (before, boundary) = (self.count, self.boundary);
        let (mut count, mut gram) = (before, self.gram);
        // The first bytes of a run do not form a gram yet.
        let few = usize::try_from((GRAM - 1).saturating_sub(before - boundary)).unwrap_or_default();
        let (few, rest) = text.split_at_checked(few).unwrap_or((text, &[]));
        for byte in few {
            count += 1;
            gram = gram << 8 | u64::from(*byte);
        }
        let (mut copied, mut taken) = (0, text.len());
        for (n, byte) in rest.iter().enumerate() {
            count += 1;
            gram = gram << 8 | u64::from(*byte);
            let Some(entry) = table.get_mut(table_slot(gram)) else { continue };
            let here = table_entry(count, gram);
            let there = std::mem::replace(entry, here);
            // Most entries are of other grams.
            if (here ^ there) & TAG != 0 {
                continue;
            }
            let last = there >> TAG.count_ones();
            let distance = count - last;
            if last == 0 || distance >= WINDOW as u64 - GRAM {
                continue;
            }
            let end = few.len() + n + 1;
            copy_to_window(window, before, text, copied..end);
            copied = end;
            let held = matched_backwards(window, count, boundary, distance);
            if held >= GRAM.min(distance) {
                (self.period, self.matched) = (distance, held);
                taken = end;
                break;
            }
        }
        copy_to_window(window, before, text, copied..taken);
        (self.count, self.gram) = (count, gram);
        taken
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
