//! The fast stage of a search: finds the positions in many bytes at which a match may be.
//!
//! # What is looked for
//! A **run**: the bytes of some consecutive characters of the query, each byte with a mask of bits that do
//! not matter (`x | mask == value`), so that upper and lower case take one comparison. Of the run, the two
//! bytes that are rarest in transcripts are looked for, 64 positions at a time; where both fit, the whole
//! run (at most [`RUN`] bytes) is compared. So the work per byte is bounded for every query and text.
//!
//! # Why no match is missed
//! Inside a JSON string a character can be written in three ways.
//! 1. As itself: not `"`, `\` and the control characters.
//! 2. As a short escape: `"`, `\` and five control characters *must* be written so (or as 3), `/` may.
//!    The run of `"` is `\"`, that of a line feed `\n`. A `/` only ever begins a run, so that its
//!    backslash, if there is one, is outside.
//! 3. As `\uHHHH`, as a pair of them beyond U+FFFF. Control characters without a short escape have no
//!    other way: the run of ESC is `\u001b`, with the `b` in either case.
//!
//! A match either has all characters of the run as 1 or 2, and then the run is found; or it has one of
//! them as 3, and then there is a `\u` whose character is one of the run's. So positions with `\u` are
//! looked at too, and are candidates if the escape is of a character of the run that can also be written
//! otherwise: `\u001b` is no candidate for `red`, and in `caf\u00e9` the `\u00e9` is one for `café` if
//! the run contains the `é`. A candidate is always inside of the match.
//!
//! Invalid UTF-8 and halves of surrogate pairs are read as U+FFFD too, so no run contains it.

use crate::search::case_folding::{fold, variants};
use apex_parts_json::block::{MaskedByte, WIDTH, pairs};

/// The most bytes of a run.
const RUN: usize = 32;
/// The most characters of a query that are considered for the run.
const LOOK: usize = 512;
/// The number of positions that are looked at together.
const BLOCK: usize = 64;

/// How the searched text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextEncoding {
    /// Between the quotes of JSON strings, or in whole JSON documents.
    Json,
    /// Unescaped; the run begins at a known distance from the beginning of the query.
    Plain,
}

/// A byte of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    byte: MaskedByte,
    /// The folded character to which it belongs, if that can also be written as `\u`.
    of: Option<char>,
    /// The number of its stretch: a run is within one stretch.
    stretch: u32,
}

/// The run of a query, and what the scan needs to find it.
#[derive(Clone, Debug)]
pub(crate) struct Prefilter {
    run: Vec<Spot>,
    /// The indexes of the two rarest bytes of the run, in order; they may be the same.
    rare: [(usize, Spot); 2],
    /// The characters of the run.
    chars: Vec<char>,
    sensitive: bool,
    /// The number of bytes of a match before the run; only for [`TextEncoding::Plain`].
    lead: usize,
}

impl Prefilter {
    /// The prefilter for a query of these characters, which are folded unless `sensitive`. `None` if the
    /// query has no run.
    pub(crate) fn new(query: &[char], sensitive: bool, form: TextEncoding) -> Option<Prefilter> {
        let spots = spots(query, sensitive, form);
        let (i, j) = rarest(&spots)?;
        let (first, second) = (*spots.get(i)?, *spots.get(j)?);
        let start = (0..=i)
            .rev()
            .take(RUN - (j - i))
            .take_while(|k| spots.get(*k).is_some_and(|s| s.stretch == first.stretch));
        let start = start.last()?;
        let run = spots.iter().skip(start).take(RUN);
        let run: Vec<Spot> = run.take_while(|s| s.stretch == first.stretch).copied().collect();
        let mut chars: Vec<char> = run.iter().filter_map(|s| s.of).collect();
        chars.dedup();
        Some(Prefilter {
            run,
            rare: [(i - start, first), (j - start, second)],
            chars: if form == TextEncoding::Json { chars } else { Vec::new() },
            sensitive,
            lead: start,
        })
    }

    /// The number of bytes of a match before the position that is found; only for [`TextEncoding::Plain`].
    pub(crate) fn lead(&self) -> usize {
        self.lead
    }

    /// The first position from `from` on that may be in a match.
    #[inline]
    pub(crate) fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        if self.chars.is_empty() {
            self.search::<false>(bytes, from)
        } else {
            self.search::<true>(bytes, from)
        }
    }

    fn search<const ESCAPES: bool>(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        let found = self.blocks::<ESCAPES>(rest, |at| self.is::<ESCAPES>(rest, at));
        let place = found.or_else(|done| {
            // The last positions, after which there is no whole block, with zeros after them.
            let mut last = [0; 3 * BLOCK];
            let tail = rest.get(done..).unwrap_or_default();
            last.iter_mut().zip(tail).for_each(|(last, byte)| *last = *byte);
            let found = self.blocks::<ESCAPES>(&last, |at| self.is::<ESCAPES>(rest, done + at));
            found.map(|at| done + at)
        });
        place.ok().map(|at| from + at)
    }

    /// The first position for which `is` is true; otherwise the end of the last whole block.
    #[inline(always)]
    fn blocks<const ESCAPES: bool>(
        &self,
        bytes: &[u8],
        is: impl Fn(usize) -> bool,
    ) -> Result<usize, usize> {
        let [(a, first), (b, second)] = self.rare;
        let views = (bytes.get(a..), bytes.get(b..), bytes.get(usize::from(ESCAPES)..));
        let (Some(at_a), Some(at_b), Some(next)) = views else { return Err(0) };
        let at_a = at_a.as_chunks::<BLOCK>().0.iter();
        let at_b = at_b.as_chunks::<BLOCK>().0.iter();
        let here = bytes.as_chunks::<BLOCK>().0.iter();
        let next = next.as_chunks::<BLOCK>().0.iter();
        let mut done = 0;
        for (((at_a, at_b), here), next) in at_a.zip(at_b).zip(here).zip(next) {
            let found = places::<ESCAPES>(first, at_a, second, at_b, here, next);
            if found != 0
                && let Some(at) = first_place(found, |at| is(done + at))
            {
                return Ok(done + at);
            }
            done += BLOCK;
        }
        Err(done)
    }

    /// Is there the run at `at`, or an escape of one of its characters?
    #[allow(clippy::manual_contains)] // contains is a call, which a block of escapes would feel
    fn is<const ESCAPES: bool>(&self, bytes: &[u8], at: usize) -> bool {
        let Some(rest) = bytes.get(at..) else { return false };
        if rest.len() >= self.run.len() && self.run.iter().zip(rest).all(|(s, b)| s.byte.fits(*b)) {
            return true;
        }
        ESCAPES
            && escaped(rest)
                .map(|c| if self.sensitive { c } else { fold(c) })
                .is_some_and(|c| self.chars.iter().any(|of| *of == c))
    }
}

#[inline(always)]
fn pieces(block: &[u8; BLOCK]) -> Option<&[[u8; WIDTH]; BLOCK / WIDTH]> {
    block.as_chunks().0.try_into().ok()
}

/// A bit for each position, the first one lowest: whether both bytes fit there or a `\u` begins.
#[inline(always)]
fn places<const ESCAPES: bool>(
    first: Spot,
    at_a: &[u8; BLOCK],
    second: Spot,
    at_b: &[u8; BLOCK],
    here: &[u8; BLOCK],
    next: &[u8; BLOCK],
) -> u64 {
    // One after another, not in a loop: the compiler need not unroll it.
    let all = |a: &[u8; BLOCK], b: &[u8; BLOCK], bytes: [MaskedByte; 2]| {
        let (Some([a0, a1, a2, a3]), Some([b0, b1, b2, b3])) = (pieces(a), pieces(b)) else {
            return 0;
        };
        let low = pairs([a0, b0], bytes) | pairs([a1, b1], bytes) << WIDTH;
        let high = pairs([a2, b2], bytes) | pairs([a3, b3], bytes) << WIDTH;
        u64::from(low) | u64::from(high) << (2 * WIDTH)
    };
    let run = all(at_a, at_b, [first.byte, second.byte]);
    if !ESCAPES {
        return run;
    }
    run | all(here, next, [MaskedByte::exact(b'\\'), MaskedByte::exact(b'u')])
}

/// The first of these positions for which `is` is true.
#[inline(always)]
fn first_place(mut places: u64, is: impl Fn(usize) -> bool) -> Option<usize> {
    while places != 0 {
        let at = places.trailing_zeros() as usize;
        if is(at) {
            return Some(at);
        }
        places &= places - 1;
    }
    None
}

/// The character of the `\u` escape, or pair of them, with which `rest` begins; `None` for half a pair.
fn escaped(rest: &[u8]) -> Option<char> {
    let unit = unit(rest)?;
    let low =
        if matches!(unit, 0xd800..0xdc00) { rest.get(6..).and_then(self::unit) } else { None };
    let units = [Some(unit), low].into_iter().flatten();
    char::decode_utf16(units).next()?.ok()
}

fn unit(rest: &[u8]) -> Option<u16> {
    let digits = rest.strip_prefix(b"\\u")?.get(..4)?;
    let mut unit = 0;
    for digit in digits {
        unit = (unit << 4) | u16::try_from(char::from(*digit).to_digit(16)?).ok()?;
    }
    Some(unit)
}

/// The bytes of the query as they are written in the text.
fn spots(query: &[char], sensitive: bool, form: TextEncoding) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut stretch = 0;
    for &c in query.iter().take(LOOK) {
        let json = form == TextEncoding::Json;
        if json && matches!(c, '/' | char::REPLACEMENT_CHARACTER) {
            stretch += 1;
            if c != '/' {
                continue;
            }
        }
        if json && (c < ' ' || c == '"' || c == '\\') {
            let of = short(c).map(|_| c);
            let exact = |byte| Spot { byte: MaskedByte::exact(byte), of, stretch };
            spots.push(exact(b'\\'));
            match short(c) {
                Some(letter) => spots.push(exact(letter)),
                None => spots.extend(format!("u{:04x}", u32::from(c)).bytes().map(|b| match b {
                    b'a'..=b'f' => Spot { byte: MaskedByte { mask: 0x20, value: b }, of, stretch },
                    _ => exact(b),
                })),
            }
            continue;
        }
        // The bits in which the variants of a character differ are masked. A byte of none of them may fit then too,
        // which only costs a look.
        let mut written = Vec::new();
        for (i, way) in variants(c).take(if sensitive { 1 } else { usize::MAX }).enumerate() {
            let mut utf8 = [0; 4];
            let utf8 = way.encode_utf8(&mut utf8).as_bytes();
            if i == 0 {
                let exact = |b: &u8| Spot { byte: MaskedByte::exact(*b), of: Some(c), stretch };
                written.extend(utf8.iter().map(exact));
            } else if utf8.len() != written.len() {
                // The distance to the next character is not known.
                written.truncate(utf8.len());
                stretch += 1;
            }
            for (spot, byte) in written.iter_mut().zip(utf8) {
                spot.byte.widen(*byte);
            }
        }
        spots.append(&mut written);
        if form == TextEncoding::Plain && stretch > 0 {
            break;
        }
    }
    spots
}

/// The two positions in a stretch, at most a run apart, whose bytes are rarest together. They are the same
/// if the stretch has only one.
fn rarest(spots: &[Spot]) -> Option<(usize, usize)> {
    let numbered = spots.iter().enumerate().map(|(i, spot)| (i, spot.stretch, commonness(spot)));
    let numbered: Vec<(usize, u32, u64)> = numbered.collect();
    let pairs = numbered.iter().flat_map(|(i, stretch, common)| {
        let near = numbered.iter().skip(*i).take(RUN);
        let near = near.take_while(move |(_, other, _)| other == stretch);
        near.map(move |(j, _, other)| (common * if i == j { ALL } else { *other }, *i, *j))
    });
    pairs.min().map(|(_, i, j)| (i, j))
}

/// The letter of the short escape of a character that must be escaped.
fn short(c: char) -> Option<u8> {
    match c {
        '"' => Some(b'"'),
        '\\' => Some(b'\\'),
        '\u{8}' => Some(b'b'),
        '\t' => Some(b't'),
        '\n' => Some(b'n'),
        '\u{c}' => Some(b'f'),
        '\r' => Some(b'r'),
        _ => None,
    }
}

/// The sum of the frequencies of all bytes.
const ALL: u64 = 1 << 16;

/// How many of 65,536 bytes fit.
fn commonness(spot: &Spot) -> u64 {
    let fitting = (0..=255).filter(|b| spot.byte.fits(*b));
    fitting.map(|b| u64::from(COMMON.get(usize::from(b)).copied().unwrap_or(60))).sum()
}

/// The frequency of each ASCII byte in 65,536, measured in sessions of OpenCode and source code as JSON.
const COMMON: [u16; 128] = [
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 827, 1, 1, 1, 1, 1, //
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, //
    9000, 82, 2485, 66, 9, 10, 175, 66, 719, 719, 34, 23, 1134, 124, 556, 375, //
    821, 942, 525, 482, 402, 439, 404, 409, 341, 411, 1305, 283, 82, 298, 169, 29, //
    10, 79, 41, 71, 202, 96, 59, 41, 24, 192, 52, 78, 58, 53, 98, 106, //
    91, 25, 92, 180, 114, 53, 100, 70, 17, 43, 31, 125, 2282, 124, 10, 504, //
    90, 1890, 410, 822, 1096, 3432, 988, 492, 590, 1391, 110, 221, 1173, 850, 3183, 1725, //
    847, 78, 1597, 2159, 2718, 896, 174, 302, 176, 286, 48, 415, 96, 413, 10, 1,
];

#[cfg(test)]
mod tests;
