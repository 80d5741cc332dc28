//! The most frequent deltas, parsed by their exact spelling. Must equal `check` and `apply` in
//! `format.rs`; the test `the_fast_path_equals_the_slow_path` and the fuzz targets prove it.

use crate::json::record;
use crate::json::record::Val;

/// The kinds of the most frequent deltas.
pub(crate) enum DeltaKind {
    Text,
    Thinking,
    Input,
}

/// Parses such a delta: the index of its block, its kind and its text. `None` unless it is spelled
/// as Anthropic's servers spell it, without further fields and in their order; only spaces may
/// precede the closing braces.
pub(crate) fn fast_delta(json: &str) -> Option<(u64, DeltaKind, Val<'_>)> {
    let rest = json.strip_prefix(r#"{"type":"content_block_delta","index":"#)?;
    let (index, rest) = rest.split_once(',')?;
    let is_plain =
        index.bytes().all(|b| b.is_ascii_digit()) && (index.len() == 1 || !index.starts_with('0'));
    let at = is_plain.then(|| index.parse().ok())??;
    let rest = rest.strip_prefix(r#""delta":{"type":""#)?;
    let (kind, rest) = if let Some(rest) = rest.strip_prefix(r#"text_delta","text":"#) {
        (DeltaKind::Text, rest)
    } else if let Some(rest) = rest.strip_prefix(r#"input_json_delta","partial_json":"#) {
        (DeltaKind::Input, rest)
    } else {
        (DeltaKind::Thinking, rest.strip_prefix(r#"thinking_delta","thinking":"#)?)
    };
    let (text, rest) = record::leading_string(rest)?;
    let rest = rest.trim_start_matches(' ').strip_prefix('}')?;
    let rest = rest.trim_start_matches(' ').strip_prefix('}')?;
    rest.trim_matches([' ', '\r', '\n', '\t']).is_empty().then_some((at, kind, text))
}
