//! Streamed text that says one thing over and over.
//!
//! One pass over the bytes: each is compared with the one a period before it; the period is the
//! distance to where the last few bytes stood before. Nothing is looked at twice.

use crate::json::saved;
use crate::json::saved::Saved;
use crate::loops::kinds::line_filter::LineFilter;
use serde_json::{Map, Value};
use std::ops::Range;

/// The longest unit, in bytes: so much text is kept.
const KEPT: usize = 1 << 13;
/// So many bytes are looked up.
const GRAM: u64 = 8;
const SLOTS: usize = 1 << 10;

/// So many repeats are a chant; so many where the unit is long.
const SHORT: u64 = 10;
const LONG: u64 = 6;
/// A unit of more characters is long.
const LONG_UNIT: usize = 64;

impl Saved for Chanting {
    fn save(&self) -> Value {
        let from = self.since.max(self.count.saturating_sub(KEPT as u64));
        let text: String = (from..self.count).map(|n| char::from(self.at(n))).collect();
        if (self.count, self.lines) == (0, LineFilter::default()) {
            return Value::Null;
        }
        let mut map = Map::new();
        saved::put(&mut map, "text", text.save());
        let numbers = [self.count, self.since, self.period, self.held];
        saved::put(&mut map, "numbers", numbers.save());
        saved::put(&mut map, "lines", self.lines.numbers().save());
        Value::Object(map)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        saved::replace(self, Chanting::loaded(saved))
    }
}

/// A chant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChantFinding {
    pub(crate) unit: String,
    pub(crate) repeats: u64,
}

/// The state of one channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chanting {
    kept: Option<Box<[u8; KEPT]>>,
    /// The bytes that count so far.
    count: u64,
    /// Those before this one are parted from those behind.
    since: u64,
    /// The period at hand, and for how long it has held.
    period: u64,
    held: u64,
    /// The last bytes, as a number.
    gram: u64,
    /// Where such bytes ended last: a [`sign`] of them.
    places: Option<Box<[u64; SLOTS]>>,
    lines: LineFilter,
    /// What was seen in the text that is being taken.
    seen: Option<ChantFinding>,
}

/// Is this a byte of a character, and not its first?
const fn is_inside(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Where the byte of this number stands.
#[allow(clippy::cast_possible_truncation)] // below 2^13
const fn slot(number: u64) -> usize {
    (number & (KEPT as u64 - 1)) as usize
}

/// Where the last place of this gram stands.
#[allow(clippy::cast_possible_truncation)] // below 2^10
const fn place_of(gram: u64) -> usize {
    (gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize
}

/// So much of a sign is of the gram: enough to tell most grams apart.
const MARK: u64 = 0xffff;

/// No text is longer: so much a sign has room for.
const MOST: u64 = u64::MAX >> MARK.count_ones();

/// What stands in the table: where the gram ends, and two of its bytes.
const fn sign(count: u64, gram: u64) -> u64 {
    count << MARK.count_ones() | gram >> 16 & 0xff00 | gram & 0xff
}

/// Puts a part of a text, which begins at this count, where it belongs.
fn keep(kept: &mut [u8; KEPT], count: u64, text: &[u8], part: Range<usize>) {
    let mut count = count + part.start as u64;
    let mut rest = text.get(part).unwrap_or_default();
    while !rest.is_empty() {
        let room = kept.get_mut(slot(count)..).unwrap_or_default();
        let (now, later) = rest.split_at_checked(room.len()).unwrap_or((rest, &[]));
        if let Some(room) = room.get_mut(..now.len()) {
            room.copy_from_slice(now);
        }
        count += now.len() as u64;
        rest = later;
    }
}

fn at(kept: &[u8; KEPT], number: u64) -> u8 {
    kept.get(slot(number)).copied().unwrap_or_default()
}

/// For how long the text has been of this period.
fn held_back(kept: &[u8; KEPT], count: u64, since: u64, period: u64) -> u64 {
    let mut held = 0;
    while held + period < (count - since).min(KEPT as u64) {
        let here = count - 1 - held;
        if at(kept, here) != at(kept, here - period) {
            break;
        }
        held += 1;
    }
    held
}

impl Chanting {
    /// From what [`Saved::save`] wrote.
    fn loaded(saved: Value) -> Option<Self> {
        if saved.is_null() {
            return Some(Chanting::default());
        }
        let mut map = saved::fields(saved)?;
        let text = String::load(saved::take(&mut map, "text"))?;
        let [count, since, period, held] = Saved::load(saved::take(&mut map, "numbers"))?;
        let bytes: Vec<u8> = text.chars().map(u8::try_from).collect::<Result<_, _>>().ok()?;
        let from = count.checked_sub(bytes.len() as u64).filter(|_| count <= MOST)?;
        // The places are those of the text that is kept.
        let mut chant = Chanting { count: from, since: from, ..Chanting::default() };
        chant.make_room();
        chant.count_all(&bytes);
        (chant.since, chant.period, chant.held, chant.seen) =
            (since.min(count), period.min(KEPT as u64), held.min(count), None);
        chant.lines = LineFilter::of(Saved::load(saved::take(&mut map, "lines"))?)?;
        // A period and what held of it were counted.
        (chant.period + chant.held <= count).then_some(chant)
    }

    /// Nothing that came before counts.
    pub(crate) fn clear(&mut self) {
        *self = Chanting {
            kept: std::mem::take(&mut self.kept),
            places: std::mem::take(&mut self.places),
            ..Chanting::default()
        };
        self.forget_places();
    }

    fn forget_places(&mut self) {
        if let Some(places) = &mut self.places {
            places.fill(0);
        }
    }

    /// Takes more of the text. Gives the chant that it is, or was until something else came: wherever
    /// the text is cut, the last one of them is the same.
    pub(crate) fn take(&mut self, text: &str) -> Option<ChantFinding> {
        self.make_room();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let piece = self.lines.take(rest);
            let (now, later) = rest.split_at_checked(piece.length).unwrap_or((rest, &[]));
            if piece.counts {
                self.count_all(now);
            }
            if piece.parts {
                self.lose();
            }
            rest = later;
        }
        self.seen.take()
    }

    fn make_room(&mut self) {
        if self.kept.is_none() {
            self.kept = Some(Box::new([0; KEPT]));
            self.places = Some(Box::new([0; SLOTS]));
        }
    }

    /// The byte of this number, as far as it is kept.
    fn at(&self, number: u64) -> u8 {
        self.kept.as_ref().map_or(0, |kept| at(kept, number))
    }

    /// Something that is no text came between.
    fn lose(&mut self) {
        (self.period, self.held, self.gram, self.since) = (0, 0, 0, self.count);
        self.forget_places();
    }

    /// Text that counts, up to the end of a character.
    fn count_all(&mut self, text: &[u8]) {
        let mut rest = text;
        // A chant that ended here was seen before.
        let mut before = self.count;
        while !rest.is_empty() {
            if self.period == 0 {
                rest = rest.get(self.look(rest)..).unwrap_or_default();
                if self.period > 0 {
                    before = self.count - 1;
                }
                continue;
            }
            let taken = self.hold(rest);
            rest = rest.get(taken..).unwrap_or_default();
            let Some(next) = rest.first() else { break };
            // Of the character that breaks it, some bytes may have held.
            let held = (1..4).find(|n| !is_inside(self.at(self.count.saturating_sub(*n))));
            let inside = if is_inside(*next) { held.unwrap_or_default() } else { 0 };
            let end = self.count.saturating_sub(inside);
            if end > before {
                self.note(end);
            }
            (self.period, self.held) = (0, 0);
        }
        if self.period > 0 && self.count > before {
            self.note(self.count);
        }
    }

    /// Is the text up to here, as far as the period at hand has held, a chant?
    fn note(&mut self, end: u64) {
        let (held, period) = (self.held.saturating_sub(self.count - end), self.period);
        let repeats = held / period + 1;
        // The cheap test first: text hardly ever repeats itself, and no unit is long in characters
        // that is not in bytes.
        let least = if period > LONG_UNIT as u64 { LONG } else { SHORT };
        if repeats < least {
            return;
        }
        // The unit as the chant began with it, wherever it ends now.
        let from = end - period;
        let turned = |n: u64| from + (n + period - held % period) % period;
        let unit: Vec<u8> = (0..period).map(|n| self.at(turned(n))).collect();
        // It may begin within a character that ends as the unit does.
        let begin = unit.iter().position(|b| !is_inside(*b)).unwrap_or(0);
        let (first, rest) = unit.split_at_checked(begin).unwrap_or((&unit, &[]));
        let unit = String::from_utf8_lossy(&[rest, first].concat()).into_owned();
        let long = unit.chars().count() > LONG_UNIT;
        let enough = repeats >= if long { LONG } else { SHORT };
        if enough && unit.chars().any(char::is_alphabetic) {
            self.seen = Some(ChantFinding { unit, repeats });
        }
    }

    /// Takes text as long as it is of the period at hand; gives how much.
    fn hold(&mut self, text: &[u8]) -> usize {
        let (Some(kept), Some(places)) = (&mut self.kept, &mut self.places) else {
            return text.len();
        };
        let (mut count, mut gram, period) = (self.count, self.gram, self.period);
        let mut taken = 0;
        for byte in text {
            if at(kept, count.wrapping_sub(period)) != *byte {
                break;
            }
            if let Some(to) = kept.get_mut(slot(count)) {
                *to = *byte;
            }
            taken += 1;
            count += 1;
            gram = gram << 8 | u64::from(*byte);
            // A period is at hand only where there was a gram.
            if let Some(place) = places.get_mut(place_of(gram)) {
                *place = sign(count, gram);
            }
        }
        self.held += count - self.count;
        (self.count, self.gram) = (count, gram);
        taken
    }

    /// Takes text up to where it begins to repeat itself; gives how much.
    ///
    /// This is where nearly all text goes: a byte is one look into the table, and what is kept is
    /// copied at once.
    fn look(&mut self, text: &[u8]) -> usize {
        let (Some(kept), Some(places)) = (&mut self.kept, &mut self.places) else {
            return text.len();
        };
        let (before, since) = (self.count, self.since);
        let (mut count, mut gram) = (before, self.gram);
        // The first bytes make no gram yet.
        let few = usize::try_from((GRAM - 1).saturating_sub(before - since)).unwrap_or_default();
        let (few, rest) = text.split_at_checked(few).unwrap_or((text, &[]));
        for byte in few {
            count += 1;
            gram = gram << 8 | u64::from(*byte);
        }
        let (mut copied, mut taken) = (0, text.len());
        for (n, byte) in rest.iter().enumerate() {
            count += 1;
            gram = gram << 8 | u64::from(*byte);
            let Some(place) = places.get_mut(place_of(gram)) else { continue };
            let here = sign(count, gram);
            let there = std::mem::replace(place, here);
            // Most of what stands in the table is of another gram.
            if (here ^ there) & MARK != 0 {
                continue;
            }
            let last = there >> MARK.count_ones();
            let distance = count - last;
            if last == 0 || distance >= KEPT as u64 - GRAM {
                continue;
            }
            let end = few.len() + n + 1;
            keep(kept, before, text, copied..end);
            copied = end;
            let held = held_back(kept, count, since, distance);
            if held >= GRAM.min(distance) {
                (self.period, self.held) = (distance, held);
                taken = end;
                break;
            }
        }
        keep(kept, before, text, copied..taken);
        (self.count, self.gram) = (count, gram);
        taken
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
