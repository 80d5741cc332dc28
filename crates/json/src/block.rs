//! Sixteen bytes of JSON text at a time: where in them are quotes, backslashes, control characters
//! and bytes outside ASCII. Bit `i` of a mask is byte `i`.

/// The number of bytes of a block.
pub const WIDTH: usize = 16;

/// Where each kind of byte is in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Masks {
    /// `"`
    pub(crate) quotes: u32,
    /// `\`
    pub(crate) slashes: u32,
    /// Below U+0020.
    pub(crate) controls: u32,
    /// 0x80 and above.
    pub(crate) beyond: u32,
}

/// The block as a vector.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn vector(block: &[u8; WIDTH]) -> std::arch::wasm32::v128 {
    bytemuck::must_cast(*block)
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub(crate) fn masks(block: &[u8; WIDTH]) -> Masks {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat};
    let bytes = vector(block);
    Masks {
        quotes: u8x16_bitmask(u8x16_eq(bytes, u8x16_splat(b'"'))).into(),
        slashes: u8x16_bitmask(u8x16_eq(bytes, u8x16_splat(b'\\'))).into(),
        controls: u8x16_bitmask(u8x16_lt(bytes, u8x16_splat(0x20))).into(),
        beyond: u8x16_bitmask(bytes).into(),
    }
}

/// The bytes that are not plain ASCII text: one mask instead of four.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub(crate) fn stops(block: &[u8; WIDTH]) -> u32 {
    use std::arch::wasm32::{i8x16_lt, i8x16_splat, u8x16_bitmask, u8x16_eq, u8x16_splat, v128_or};
    let bytes = vector(block);
    let is = |byte| u8x16_eq(bytes, u8x16_splat(byte));
    // As signed numbers, bytes outside ASCII are below the space as well.
    let outside = i8x16_lt(bytes, i8x16_splat(0x20));
    u8x16_bitmask(v128_or(outside, v128_or(is(b'"'), is(b'\\')))).into()
}

/// The number of spaces that the block begins with.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub(super) fn spaces(block: &[u8; WIDTH]) -> usize {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_ne, u8x16_splat};
    let others: u32 = u8x16_bitmask(u8x16_ne(vector(block), u8x16_splat(b' '))).into();
    (others | 1 << WIDTH).trailing_zeros() as usize
}

/// The bytes outside ASCII.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub(crate) fn beyond(block: &[u8; WIDTH]) -> u32 {
    std::arch::wasm32::u8x16_bitmask(vector(block)).into()
}

/// The backslashes.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub(crate) fn slashes(block: &[u8; WIDTH]) -> u32 {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_splat};
    u8x16_bitmask(u8x16_eq(vector(block), u8x16_splat(b'\\'))).into()
}

/// The bytes `n`, `r` and `t`.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub(crate) fn letters(block: &[u8; WIDTH]) -> u32 {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_splat, v128_or};
    let bytes = vector(block);
    let is = |letter| u8x16_eq(bytes, u8x16_splat(letter));
    u8x16_bitmask(v128_or(is(b'n'), v128_or(is(b'r'), is(b't')))).into()
}

/// The same without vectors, eight bytes at a time.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod plain {
    pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;
    pub(crate) const TOPS: u64 = ONES << 7;

    /// The top bits of those bytes that are zero.
    pub(crate) fn zeros(word: u64) -> u64 {
        !(((word & !TOPS) + !TOPS) | word) & TOPS
    }

    /// The top bits that `of` gives for each half of a block, as one mask.
    #[inline]
    pub(crate) fn gathered(block: &[u8; super::WIDTH], of: impl Fn(u64) -> u64) -> u32 {
        let (halves, _) = block.as_chunks::<8>();
        halves.iter().rev().fold(0, |all, half| {
            let tops = of(u64::from_le_bytes(*half));
            #[allow(clippy::cast_possible_truncation)] // a byte
            let bits = ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32;
            (all << 8) | bits
        })
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
pub(crate) fn masks(block: &[u8; WIDTH]) -> Masks {
    use plain::{ONES, TOPS, gathered, zeros};
    Masks {
        quotes: gathered(block, |word| zeros(word ^ (ONES * u64::from(b'"')))),
        slashes: gathered(block, |word| zeros(word ^ (ONES * u64::from(b'\\')))),
        controls: gathered(block, |word| zeros(word & (ONES * 0xe0))),
        beyond: gathered(block, |word| word & TOPS),
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
pub(crate) fn stops(block: &[u8; WIDTH]) -> u32 {
    let Masks { quotes, slashes, controls, beyond } = masks(block);
    quotes | slashes | controls | beyond
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
pub(super) fn spaces(block: &[u8; WIDTH]) -> usize {
    use plain::{ONES, TOPS, gathered, zeros};
    let others = gathered(block, |word| !zeros(word ^ (ONES * u64::from(b' '))) & TOPS);
    (others | 1 << WIDTH).trailing_zeros() as usize
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
pub(crate) fn beyond(block: &[u8; WIDTH]) -> u32 {
    plain::gathered(block, |word| word & plain::TOPS)
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
pub(crate) fn slashes(block: &[u8; WIDTH]) -> u32 {
    use plain::{ONES, gathered, zeros};
    gathered(block, |word| zeros(word ^ (ONES * u64::from(b'\\'))))
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
pub(crate) fn letters(block: &[u8; WIDTH]) -> u32 {
    use plain::{ONES, gathered, zeros};
    let is = |word: u64, letter: u8| zeros(word ^ (ONES * u64::from(letter)));
    gathered(block, |word| is(word, b'n') | is(word, b'r') | is(word, b't'))
}

/// A byte that is looked for: `value` with the bits of `mask` set, whatever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskedByte {
    /// The bits that do not matter.
    pub mask: u8,
    /// The byte with these bits set.
    pub value: u8,
}

impl MaskedByte {
    /// This byte and no other one.
    #[must_use]
    pub const fn exact(value: u8) -> MaskedByte {
        MaskedByte { mask: 0, value }
    }

    /// Is it this byte?
    #[inline(always)]
    #[must_use]
    pub const fn fits(self, byte: u8) -> bool {
        byte | self.mask == self.value
    }

    /// Makes another byte fit too. Others may fit then as well.
    pub const fn widen(&mut self, byte: u8) {
        self.mask |= (self.value | self.mask) ^ (byte | self.mask);
        self.value |= self.mask;
    }
}

/// The places at which the one block has the one byte and the other block the other.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
#[must_use]
pub fn pairs(blocks: [&[u8; WIDTH]; 2], bytes: [MaskedByte; 2]) -> u32 {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_splat, v128_and, v128_or};
    let fits = |block, byte: MaskedByte| {
        u8x16_eq(v128_or(vector(block), u8x16_splat(byte.mask)), u8x16_splat(byte.value))
    };
    let ([a, b], [first, second]) = (blocks, bytes);
    u8x16_bitmask(v128_and(fits(a, first), fits(b, second))).into()
}

/// The places at which the one block has the one byte and the other block the other.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
#[must_use]
pub fn pairs(blocks: [&[u8; WIDTH]; 2], bytes: [MaskedByte; 2]) -> u32 {
    use plain::{ONES, gathered, zeros};
    let fits = |block, byte: MaskedByte| {
        let [mask, value] = [byte.mask, byte.value].map(|byte| ONES * u64::from(byte));
        gathered(block, |word| zeros((word | mask) ^ value))
    };
    let ([a, b], [first, second]) = (blocks, bytes);
    fits(a, first) & fits(b, second)
}

/// The backslashes that escape the byte after them, if none escapes the first byte: in a run of backslashes, every
/// second one is escaped itself.
#[inline(always)]
pub(crate) fn escapes(slashes: u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let behind = slashes << 1;
    (((behind | ODD).wrapping_sub(slashes)) ^ ODD) & slashes
}

/// Bits that say how a string is written: it has escapes.
pub(crate) const ESCAPED: u8 = 1;
/// There is a `\u` among its escapes.
pub(crate) const UNICODE: u8 = 2;
/// It has bytes outside ASCII.
pub(crate) const BEYOND: u8 = 4;

/// Why the end of a string was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The bytes end: continue from this offset once there are more.
    Cut(usize),
    /// It is not a JSON string: what is wrong, and at which offset.
    Wrong(&'static str, usize),
}

/// The closing quote of the string whose text begins at `at`, if it is short (as names and ids are)
/// and plain ASCII without escapes.
#[inline(always)]
pub(crate) fn short(bytes: &[u8], at: usize) -> Option<usize> {
    const LONGEST: usize = 3 * WIDTH;
    let mut from = at;
    while from < at + LONGEST {
        let bits = stops(bytes.get(from..)?.first_chunk()?);
        if bits != 0 {
            let end = from + bits.trailing_zeros() as usize;
            return (bytes.get(end) == Some(&b'"')).then_some(end);
        }
        from += WIDTH;
    }
    None
}

/// Four blocks.
const WIDE: usize = 4 * WIDTH;

/// Where in four blocks the bytes are at which text can end.
struct WideMasks {
    quotes: u64,
    slashes: u64,
    /// Is there a control character or a byte outside ASCII?
    is_odd: bool,
}

/// The masks of four blocks as one.
#[inline(always)]
fn gathered(wide: &[u8; WIDE], mask: impl Fn(&[u8; WIDTH]) -> u32) -> u64 {
    let (blocks, _) = wide.as_chunks::<WIDTH>();
    blocks.iter().rev().fold(0, |all, block| all << WIDTH | u64::from(mask(block)))
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn wide_masks(wide: &[u8; WIDE]) -> WideMasks {
    use std::arch::wasm32::{
        i8x16_lt, i8x16_min, i8x16_splat, u8x16_bitmask, u8x16_eq, u8x16_splat, v128_any_true,
    };
    let is = |byte| {
        gathered(wide, |block| u8x16_bitmask(u8x16_eq(vector(block), u8x16_splat(byte))).into())
    };
    // As signed numbers, bytes outside ASCII are below the space as well.
    let (blocks, _) = wide.as_chunks::<WIDTH>();
    let least = blocks.iter().map(vector).fold(i8x16_splat(i8::MAX), |a, b| i8x16_min(a, b));
    let is_odd = v128_any_true(i8x16_lt(least, i8x16_splat(0x20)));
    WideMasks { quotes: is(b'"'), slashes: is(b'\\'), is_odd }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn wide_masks(wide: &[u8; WIDE]) -> WideMasks {
    WideMasks {
        quotes: gathered(wide, |block| masks(block).quotes),
        slashes: gathered(wide, slashes),
        is_odd: gathered(wide, |block| masks(block).controls | masks(block).beyond) != 0,
    }
}

const CONTROL: &str = "a control character in a string";

/// The closing quote of the string whose text continues at `at`; adds to `how` what it finds. Where text has many escapes,
/// as the output of commands has, four blocks at once take a quarter of the time of one after the other.
#[inline(never)]
pub(crate) fn string(bytes: &[u8], at: usize, how: &mut u8) -> Result<usize, Stop> {
    let mut at = at;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let last;
        let wide = match rest.first_chunk() {
            Some(wide) => wide,
            None => {
                last = followed_by_quotes(rest);
                &last
            }
        };
        let WideMasks { quotes, slashes, is_odd } = wide_masks(wide);
        let escapes = escapes(slashes);
        let escaped = escapes << 1;
        let ends = quotes & !escaped;
        // What is before the end, or before what cannot be in a string.
        let mut before = (ends & ends.wrapping_neg()).wrapping_sub(1);
        let mut wrong = 0;
        if is_odd {
            let controls = gathered(wide, |block| masks(block).controls) & before;
            wrong = controls & controls.wrapping_neg();
            before &= wrong.wrapping_sub(1);
            if gathered(wide, beyond) & before != 0 {
                *how |= BEYOND;
            }
        }
        if slashes & before != 0 {
            *how |= ESCAPED;
            // A control character may be what is escaped.
            let mut odd = escaped & (before | wrong) & !(quotes | slashes);
            if odd != 0 {
                odd &= !gathered(wide, letters);
            }
            while odd != 0 {
                let place = at + odd.trailing_zeros() as usize;
                if !matches!(bytes.get(place), Some(b'/' | b'b' | b'f')) {
                    unicode(bytes, place - 1, how)?;
                }
                odd &= odd - 1;
            }
        }
        if wrong != 0 {
            return Err(Stop::Wrong(CONTROL, at + wrong.trailing_zeros() as usize));
        }
        if ends != 0 && (ends.trailing_zeros() as usize) < rest.len() {
            return Ok(at + ends.trailing_zeros() as usize);
        }
        // If the last byte is a backslash, what comes next begins with it.
        let done = rest.len().min(WIDE);
        let is_begun = done > 0 && (escapes >> (done - 1)) & 1 == 1;
        at += done - usize::from(is_begun);
        if done < WIDE {
            return Err(Stop::Cut(at));
        }
    }
}

/// Less than four blocks, followed by quotes.
fn followed_by_quotes(rest: &[u8]) -> [u8; WIDE] {
    let mut wide = [b'"'; WIDE];
    if let Some(begin) = wide.get_mut(..rest.len()) {
        begin.copy_from_slice(rest);
    }
    wide
}

/// Checks the escape at `at`, which can only be `\u` and four hexadecimal digits.
fn unicode(bytes: &[u8], at: usize, how: &mut u8) -> Result<(), Stop> {
    *how |= UNICODE;
    if bytes.get(at + 1) != Some(&b'u') {
        return Err(Stop::Wrong("an escape that JSON does not have", at));
    }
    let digits = bytes.get(at + 2..bytes.len().min(at + 6)).unwrap_or_default();
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err(Stop::Wrong("`\\u` without four hexadecimal digits", at));
    }
    if digits.len() < 4 { Err(Stop::Cut(at)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_match_their_definition() {
        for byte in 0..=255 {
            for place in 0..WIDTH {
                let mut block = [b'a'; WIDTH];
                block[place] = byte;
                let bit = |is: bool| u32::from(is) << place;
                let expected = Masks {
                    quotes: bit(byte == b'"'),
                    slashes: bit(byte == b'\\'),
                    controls: bit(byte < 0x20),
                    beyond: bit(byte >= 0x80),
                };
                assert_eq!(masks(&block), expected);
                let Masks { quotes, slashes, controls, beyond } = expected;
                assert_eq!(stops(&block), quotes | slashes | controls | beyond);
                assert_eq!(super::beyond(&block), beyond);
                assert_eq!(super::slashes(&block), slashes);
                let mut line = [b' '; WIDTH];
                line[place] = byte;
                assert_eq!(spaces(&line), if byte == b' ' { WIDTH } else { place });
            }
        }
    }

    /// Compares with a reader that goes byte by byte and skips two where there is a backslash.
    #[test]
    fn random_strings_end_where_a_simple_reader_finds_it() {
        let pieces =
            ["a", "n", "\\n", "\\\"", "\\\\", "\\t", "\\u00e9", "é", "\"", "\u{1}", "bcdefghijklm"];
        let mut state = 1_u32;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..24 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(pieces[(state >> 16) as usize % pieces.len()]);
            }
            text.push_str("\"                ");
            let bytes = text.as_bytes();
            let mut at = 0;
            while !matches!(bytes[at], b'"' | 1) {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            let expected = if bytes[at] == 1 { Err(Stop::Wrong(CONTROL, at)) } else { Ok(at) };
            let mut how = 0;
            assert_eq!(string(bytes, 0, &mut how), expected, "{text:?}");
            assert_eq!(how & ESCAPED != 0, bytes[..at].contains(&b'\\'), "{text:?}");
        }
    }

    /// The same as `string`, byte by byte.
    fn byte_by_byte(bytes: &[u8], at: usize, how: &mut u8) -> Result<usize, Stop> {
        let mut at = at;
        loop {
            match bytes.get(at) {
                Some(b'"') => return Ok(at),
                Some(b'\\') => {
                    *how |= ESCAPED;
                    match bytes.get(at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                        Some(_) => {
                            unicode(bytes, at, how)?;
                            at += 6;
                        }
                        None => return Err(Stop::Cut(at)),
                    }
                }
                Some(0..0x20) => return Err(Stop::Wrong(CONTROL, at)),
                Some(byte) => {
                    if *byte >= 0x80 {
                        *how |= BEYOND;
                    }
                    at += 1;
                }
                None => return Err(Stop::Cut(at)),
            }
        }
    }

    /// Whatever is in a string and wherever it is cut, four blocks at once say of it what a reader of bytes says.
    #[test]
    fn four_blocks_at_once_find_what_a_reader_of_bytes_finds() {
        let pieces = [
            ("abcdefghijklmnopqrstuvwxyz", 40),
            ("\\n", 20),
            ("\\\"", 6),
            ("\\\\", 6),
            ("\\", 1),
            ("\\u00e9", 2),
            ("\\u00g9", 1),
            ("\\/", 2),
            ("\\x", 1),
            ("é", 4),
            ("\n", 1),
            ("\u{1}", 1),
            ("\"", 2),
        ];
        let all: Vec<_> =
            pieces.iter().flat_map(|(piece, times)| std::iter::repeat_n(*piece, *times)).collect();
        let mut state = 7_u32;
        let mut random = |most: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % most
        };
        for _ in 0..50_000 {
            let mut text = String::new();
            for _ in 0..random(30) {
                let piece = all[random(all.len())];
                text.extend(piece.chars().take(1 + random(piece.len())));
            }
            let bytes = text.as_bytes();
            let (mut how, mut expected_how) = (0, 0);
            let expected = byte_by_byte(bytes, 0, &mut expected_how);
            let found = string(bytes, 0, &mut how);
            assert_eq!(found, expected, "{text:?}");
            // What is behind the place where it is wrong is told by neither.
            if expected.is_ok() {
                assert_eq!(how, expected_how, "{text:?}");
            }
        }
    }

    /// For any text before it in the string, and any number of bytes after it.
    #[test]
    fn the_end_of_a_string_is_found() {
        for (text, end, how) in [
            ("\"", Ok(0), 0),
            ("a\\\"b\"", Ok(4), ESCAPED),
            ("\\\\\"", Ok(2), ESCAPED),
            ("é\\u00e9\"", Ok(8), BEYOND | ESCAPED | UNICODE),
            ("a\nb\"", Err(Stop::Wrong(CONTROL, 1)), 0),
            ("\\x\"", Err(Stop::Wrong("an escape that JSON does not have", 0)), ESCAPED | UNICODE),
        ] {
            for before in 0..40 {
                for after in [0, 1, 15, 16, 40] {
                    let text = format!("{}{text}{}", "x".repeat(before), " ".repeat(after));
                    let mut seen = 0;
                    let found = string(text.as_bytes(), 0, &mut seen);
                    let expected = match end {
                        Ok(end) => Ok(end + before),
                        Err(Stop::Wrong(what, at)) => Err(Stop::Wrong(what, at + before)),
                        cut => cut,
                    };
                    assert_eq!(found, expected, "{text:?}");
                    assert_eq!(seen, how, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_string_that_is_cut_can_be_resumed() {
        let text = r#"0123456789\u00e9\\\"abcdefghijklmn\n é"#;
        let whole = format!("{text}\" ");
        for cut in 0..text.len() {
            let mut how = 0;
            let Err(Stop::Cut(at)) = string(&text.as_bytes()[..cut], 0, &mut how) else {
                panic!("{cut}")
            };
            assert_eq!(string(whole.as_bytes(), at, &mut how), Ok(text.len()), "{cut}");
        }
    }
}
