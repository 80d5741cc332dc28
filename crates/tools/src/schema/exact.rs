//! Which numbers of a text are kept as they are when they are read.

use apex_parts_json::float;
use apex_parts_json::scan::number;
use apex_parts_model::view::number_text;

/// Is this text a JSON number that its double is written as? `5.0` and `1e3` are; `9007199254740993` is read as another
/// number, and `1e-400` as none.
pub(super) fn is_exact(text: &str) -> bool {
    let Some(value) = float::parse(text).filter(|value| value.is_finite()) else { return false };
    decimal(text) == decimal(&number_text(value))
}

/// Does a JSON text have a number that is read as another one?
pub(super) fn has_inexact(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
                    at += 1 + usize::from(*byte == b'\\');
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' => {
                let end = number(bytes, at).unwrap_or(at + 1).max(at + 1);
                if text.get(at..end).is_some_and(|number| !is_exact(number)) {
                    return true;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    false
}

/// The sign, the digits without zeros around them, and the power of ten of the last one.
fn decimal(text: &str) -> (bool, String, i64) {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (significand, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let mut exponent = exponent.parse::<i64>().unwrap_or(i64::MAX);
    let fraction = significand.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    exponent = exponent.saturating_sub(i64::try_from(fraction).unwrap_or(i64::MAX));
    let digits = significand.replace('.', "");
    let whole = digits.trim_end_matches('0');
    exponent = exponent.saturating_add(i64::try_from(digits.len() - whole.len()).unwrap_or(0));
    let digits = whole.trim_start_matches('0').to_owned();
    if digits.is_empty() { (false, digits, 0) } else { (is_negative, digits, exponent) }
}
