//! The deltas that a stream consists of, read without a walk over their fields. Must equal `check`
//! and `apply` in `format.rs`; `registry/tests.rs` and the fuzz targets compare them.

use crate::json::record;
use crate::json::record::Val;

/// The deltas that come by the thousand.
pub(crate) enum DeltaKind {
    Text,
    Thinking,
    Input,
}

/// Reads such a delta, spelled as the provider spells it: no other field, no other order. It may
/// have white space before the braces that close it.
pub(crate) fn fast_delta(json: &str) -> Option<(u64, DeltaKind, Val<'_>)> {
    let rest = json.strip_prefix(r#"{"type":"content_block_delta","index":"#)?;
    let (index, rest) = rest.split_once(',')?;
    let plain =
        index.bytes().all(|b| b.is_ascii_digit()) && (index.len() == 1 || !index.starts_with('0'));
    let at = plain.then(|| index.parse().ok())??;
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
