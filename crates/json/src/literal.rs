//! `true`, `false` and `null`.

use super::error::{JsonError, JsonErrorKind};

/// The offset after `word` (`true`, `false` or `null`), which is expected at `at`.
///
/// # Errors
/// A [`JsonError`] if it is not there.
pub fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, JsonError> {
    let rest = bytes.get(at..).unwrap_or_default();
    if rest.starts_with(word) {
        return Ok(at + word.len());
    }
    let kind = if word.starts_with(rest) { JsonErrorKind::Cut } else { JsonErrorKind::Syntax };
    Err(JsonError { message: "expected a value", offset: at, kind })
}
