//! The fields of an object that are looked up by name.

use super::cursor::{Cursor, or_cut_off};
use super::error::JsonError;
use super::span::Span;

/// The fields of these names of the object whose brace is at `at`, and where it ends. Other fields
/// are stepped over; of a name that occurs twice the last one counts, as for `JSON.parse`.
///
/// # Errors
/// A [`JsonError`] if it is not JSON or nested deeper than `depth`.
pub fn fields<const N: usize>(
    json: &str,
    at: usize,
    names: [&str; N],
    depth: usize,
) -> Result<([Option<Span>; N], usize), JsonError> {
    let mut spans = [None; N];
    let end = fields_into(json, at, &names, depth, &mut spans)?;
    Ok((spans, end))
}

/// [`fields`], put into `spans`, each at the index of its name. Compiled once, not for every number of names.
///
/// # Errors
/// As there; `spans` may have some of them then.
#[inline(never)]
pub fn fields_into(
    json: &str,
    at: usize,
    names: &[&str],
    depth: usize,
    spans: &mut [Option<Span>],
) -> Result<usize, JsonError> {
    find(json, at, names, depth, &mut |slot, span| {
        if let Some(place) = spans.get_mut(slot) {
            *place = Some(span);
        }
    })
}

/// [`fields`], shown to `put` one by one: the index of the name, and where the value is. Gives where
/// the object ends.
///
/// # Errors
/// As there.
#[inline]
pub fn find(
    json: &str,
    at: usize,
    names: &[&str],
    depth: usize,
    put: &mut impl FnMut(usize, Span),
) -> Result<usize, JsonError> {
    if depth == 0 {
        return Err(JsonError::limit("nested too deep", at));
    }
    let mut cursor = Cursor::new(json.as_bytes(), at);
    while let Some(key) = cursor.hot_field().map_err(or_cut_off)? {
        let span = cursor.skip(depth - 1)?;
        let slot = if key.is_escaped {
            let name = key.text(json);
            names.iter().position(|n| *n == name)
        } else {
            let name = json.get(key.start..key.end).unwrap_or_default();
            names.iter().position(|n| *n == name)
        };
        if let Some(slot) = slot {
            put(slot, span);
        }
    }
    Ok(cursor.at)
}
