//! Numbers: their grammar, and their values.

use super::error::{JsonError, JsonErrorKind};
use super::float;
use serde_json::Value;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

/// The top bits of those of eight bytes (the first one lowest) that are not digits.
#[must_use]
#[inline]
pub const fn no_digits(word: u64) -> u64 {
    let digit = word ^ (ONES * b'0' as u64);
    // A digit plus 118 is less than 128.
    (((digit & !TOPS) + ONES * 118) | digit) & TOPS
}

/// The first byte from `at` that is not a digit. Eight bytes at a time: times have thirteen digits.
#[must_use]
#[inline(always)]
pub fn skip_digits(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let others = no_digits(u64::from_le_bytes(*eight));
        if others != 0 {
            return at + (others.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    at
}

#[inline]
fn digits(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let end = skip_digits(bytes, at);
    if end > at {
        return Ok(end);
    }
    let kind = if at >= bytes.len() { JsonErrorKind::Cut } else { JsonErrorKind::Syntax };
    Err(JsonError { message: "expected a digit", offset: at, kind })
}

/// The offset after the number that begins at `at`.
///
/// # Errors
/// A [`JsonError`] if there is none. If the bytes end too early, its offset is their end.
#[inline]
pub fn number(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let first = if bytes.get(at) == Some(&b'-') { at + 1 } else { at };
    let mut end = if bytes.get(first) == Some(&b'0') { first + 1 } else { digits(bytes, first)? };
    if bytes.get(end) == Some(&b'.') {
        end = digits(bytes, end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = digits(bytes, end + 1 + sign)?;
    }
    Ok(end)
}

/// The value of a JSON number as a double; `NaN` if the bytes are not a number.
pub(crate) fn double(raw: &[u8]) -> f64 {
    // Most are whole and short: times, counts.
    if let Some(whole) = short_whole(raw) {
        #[allow(clippy::cast_precision_loss)] // below 2^53
        return whole as f64;
    }
    std::str::from_utf8(raw).ok().and_then(float::parse).unwrap_or(f64::NAN)
}

/// The value of at most fifteen digits; `None` for anything else.
fn short_whole(raw: &[u8]) -> Option<i64> {
    const EXACT: usize = 15;
    if raw.len() > EXACT {
        return None;
    }
    let (eights, rest) = raw.as_chunks::<8>();
    let mut whole = 0_i64;
    for eight in eights {
        let word = u64::from_le_bytes(*eight);
        if no_digits(word) != 0 {
            return None;
        }
        whole = whole * 100_000_000 + eight_digits(word);
    }
    for byte in rest {
        whole = whole * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    Some(whole)
}

/// The value of eight digits, the first one in the lowest byte: digits are joined to pairs, pairs to
/// fours, fours to the whole.
const fn eight_digits(word: u64) -> i64 {
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    const FOURS: u64 = 0x0000_ffff_0000_ffff;
    let ones = word & (0x0f * ONES);
    let pairs = (ones * 10 + (ones >> 8)) & PAIRS;
    let fours = (pairs * 100 + (pairs >> 16)) & FOURS;
    ((fours * 10_000 + (fours >> 32)) & 0xffff_ffff).cast_signed()
}

/// The number as JavaScript writes it. The digits come from the formatter of the JSON library, which a module has
/// anyway: that of the standard library would add 17 KB.
pub(crate) fn js_number(number: f64) -> String {
    let Some(number) = serde_json::Number::from_f64(number) else { return "null".to_owned() };
    let text = number.to_string();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let from_first = all.trim_start_matches('0');
    let digits = from_first.trim_end_matches('0');
    if digits.is_empty() {
        return "0".to_owned();
    }
    let skipped = length(&all) - length(from_first);
    // The number is 0.DIGITS × 10^point.
    let point = length(whole) - skipped + exponent.parse::<i32>().unwrap_or_default();
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let at = |index: i32| {
        let index = usize::try_from(index).unwrap_or_default();
        digits.split_at_checked(index).unwrap_or((digits, ""))
    };
    let (before, behind) = at(point);
    match point {
        1..=21 if behind.is_empty() => [sign, digits, &zeros(point - length(digits))].concat(),
        1..=21 => [sign, before, ".", behind].concat(),
        -5..=0 => [sign, "0.", &zeros(-point), digits].concat(),
        _ => {
            let (first, rest) = at(1);
            let (dot, plus) =
                (if rest.is_empty() { "" } else { "." }, if point > 0 { "+" } else { "" });
            let exponent = (point - 1).to_string();
            [sign, first, dot, rest, "e", plus, &exponent].concat()
        }
    }
}

/// The number of digits.
fn length(digits: &str) -> i32 {
    i32::try_from(digits.len()).unwrap_or_default()
}

/// The number as a value of a tree. (The parser of serde_json would be a second one in the module,
/// beside [`float`].)
pub(crate) fn tree_number(raw: &str) -> Value {
    if let Ok(whole) = raw.parse::<u64>() {
        return Value::from(whole);
    }
    if let (Ok(whole), false) = (raw.parse::<i64>(), raw == "-0") {
        return Value::from(whole);
    }
    // A double cannot hold larger numbers: their digits are kept as a string.
    let number = float::parse(raw).and_then(serde_json::Number::from_f64);
    number.map_or_else(|| Value::String(raw.to_owned()), Value::Number)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
