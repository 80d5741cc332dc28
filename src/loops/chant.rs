//! Streamed text that says one thing over and over.
//!
//! One pass over the bytes: each is compared with the one a period before it; the period is the
//! distance to where the last few bytes stood before. Nothing is looked at twice.

use crate::model::state::{self, State};
use serde_json::{Map, Value};

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

/// Where the text stands in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Line {
    /// At its beginning: white space, or marks that may become a fence.
    #[default]
    Begins,
    /// It is text.
    Text,
    /// It is a row of a table, or opens or closes a fence.
    Apart,
}

impl State for Chant {
    fn save(&self) -> Value {
        let from = self.since.max(self.count.saturating_sub(KEPT as u64));
        let text: String = (from..self.count).map(|n| char::from(self.at(n))).collect();
        let line = [Line::Begins, Line::Text, Line::Apart].iter().position(|l| *l == self.line);
        let numbers = [
            self.count,
            self.since,
            self.period,
            self.held,
            line.unwrap_or_default() as u64,
            u64::from(self.marks),
            u64::from(self.mark),
            u64::from(self.fence),
        ];
        if numbers == [0; 8] {
            return Value::Null;
        }
        let mut map = Map::new();
        state::put(&mut map, "text", text.save());
        state::put(&mut map, "numbers", numbers.to_vec().save());
        Value::Object(map)
    }
    fn load(saved: Value) -> Option<Self> {
        if saved.is_null() {
            return Some(Chant::default());
        }
        let mut map = state::fields(saved)?;
        let text = String::load(state::take(&mut map, "text"))?;
        let numbers = Vec::<u64>::load(state::take(&mut map, "numbers"))?;
        let [count, since, period, held, line, marks, mark, fence] = numbers.try_into().ok()?;
        let bytes: Vec<u8> = text.chars().map(u8::try_from).collect::<Result<_, _>>().ok()?;
        let from = count.checked_sub(bytes.len() as u64)?;
        // The places are those of the text that is kept.
        let mut chant = Chant { count: from, since: from, ..Chant::default() };
        chant.make_room();
        chant.count_all(&bytes);
        (chant.since, chant.period, chant.held) = (since.min(count), period.min(KEPT as u64), held);
        let line =
            [Line::Begins, Line::Text, Line::Apart].into_iter().nth(usize::try_from(line).ok()?);
        chant.line = line?;
        let byte = |n: u64| u8::try_from(n).ok();
        (chant.marks, chant.mark, chant.fence) = (byte(marks)?, byte(mark)?, byte(fence)?);
        Some(chant)
    }
}

/// A chant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chanted {
    pub(super) unit: String,
    pub(super) repeats: u64,
}

/// The state of one channel.
#[derive(Clone, Debug)]
pub(super) struct Chant {
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
    /// Where such bytes stood last, one more than their count.
    places: Option<Box<[u64; SLOTS]>>,
    line: Line,
    /// What began this line: marks of a fence.
    marks: u8,
    mark: u8,
    fence: u8,
}

impl Default for Chant {
    fn default() -> Self {
        Chant {
            kept: None,
            count: 0,
            since: 0,
            period: 0,
            held: 0,
            gram: 0,
            places: None,
            line: Line::Begins,
            marks: 0,
            mark: 0,
            fence: 0,
        }
    }
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

impl Chant {
    /// Nothing that came before counts.
    pub(super) fn clear(&mut self) {
        *self = Chant {
            kept: std::mem::take(&mut self.kept),
            places: std::mem::take(&mut self.places),
            ..Chant::default()
        };
        self.forget_places();
    }

    fn forget_places(&mut self) {
        if let Some(places) = &mut self.places {
            places.fill(0);
        }
    }

    /// Takes more of the text.
    pub(super) fn take(&mut self, text: &str) {
        self.make_room();
        let mut rest = text.as_bytes();
        while let Some((first, behind)) = rest.split_first() {
            if self.line == Line::Begins || *first == b'\n' {
                self.byte(*first);
                rest = behind;
                continue;
            }
            // The rest of the line is all text, or none of it is.
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let (line, later) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            if self.line == Line::Text && self.fence == 0 {
                self.count_all(line);
            }
            rest = later;
        }
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

    fn byte(&mut self, byte: u8) {
        if byte == b'\n' {
            let apart = self.line == Line::Apart;
            self.line = Line::Begins;
            self.marks = 0;
            if !apart && self.fence == 0 {
                self.count(byte);
            }
            return;
        }
        match self.line {
            Line::Text | Line::Apart => {} // see `take`
            Line::Begins => self.begins(byte),
        }
    }

    /// A byte at the beginning of a line.
    fn begins(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\r' if self.marks == 0 => {
                if self.fence == 0 {
                    self.count(byte);
                }
            }
            b'|' if self.marks == 0 => {
                self.line = Line::Apart;
                self.lose();
            }
            b'`' | b'~' if self.marks == 0 || self.mark == byte => {
                self.mark = byte;
                self.marks += 1;
                if self.marks == 3 {
                    self.line = Line::Apart;
                    self.lose();
                    if self.fence == 0 {
                        self.fence = byte;
                    } else if self.fence == byte {
                        self.fence = 0;
                    }
                }
            }
            _ => {
                self.line = Line::Text;
                if self.fence == 0 {
                    // The marks were none of a fence.
                    for _ in 0..self.marks {
                        self.count(self.mark);
                    }
                    self.count(byte);
                }
            }
        }
    }

    /// Something that is no text came between.
    fn lose(&mut self) {
        (self.period, self.held, self.gram, self.since) = (0, 0, 0, self.count);
        self.forget_places();
    }

    fn count(&mut self, byte: u8) {
        self.count_all(&[byte]);
    }

    /// Text that counts.
    fn count_all(&mut self, text: &[u8]) {
        let (Some(kept), Some(places)) = (&mut self.kept, &mut self.places) else { return };
        let (mut count, mut gram, since) = (self.count, self.gram, self.since);
        let (mut period, mut held) = (self.period, self.held);
        for byte in text {
            if period > 0 {
                if at(kept, count.wrapping_sub(period)) == *byte {
                    held += 1;
                } else {
                    (period, held) = (0, 0);
                }
            }
            if let Some(to) = kept.get_mut(slot(count)) {
                *to = *byte;
            }
            count += 1;
            gram = gram << 8 | u64::from(*byte);
            if count - since < GRAM {
                continue;
            }
            let Some(place) = places.get_mut(place_of(gram)) else { continue };
            let last = std::mem::replace(place, count);
            if period > 0 || last == 0 {
                continue;
            }
            let distance = count - last;
            // Most of what stands in the table is of another gram.
            let alike = at(kept, last - 1) == *byte && at(kept, last - 4) == at(kept, count - 4);
            if alike && distance < KEPT as u64 - GRAM {
                let back = held_back(kept, count, since, distance);
                if back >= GRAM.min(distance) {
                    (period, held) = (distance, back);
                }
            }
        }
        (self.count, self.gram, self.period, self.held) = (count, gram, period, held);
    }

    /// The chant at hand.
    pub(super) fn chanted(&self) -> Option<Chanted> {
        // The cheap test first: text hardly ever repeats itself.
        if self.period == 0 || self.held < self.period * (LONG - 1) {
            return None;
        }
        let repeats = self.held / self.period + 1;
        let unit: Vec<u8> = (self.count - self.period..self.count).map(|n| self.at(n)).collect();
        // The cut may be within a character: then the unit begins behind it.
        let begin = unit.iter().position(|b| b & 0xc0 != 0x80).unwrap_or(0);
        let mut turned = unit.get(begin..).unwrap_or_default().to_vec();
        turned.extend_from_slice(unit.get(..begin).unwrap_or_default());
        let unit = String::from_utf8_lossy(&turned).into_owned();
        let long = unit.chars().count() > LONG_UNIT;
        let enough = repeats >= if long { LONG } else { SHORT };
        (enough && unit.chars().any(char::is_alphabetic)).then_some(Chanted { unit, repeats })
    }
}
