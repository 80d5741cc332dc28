//! The most frequent deltas, parsed by their exact spelling. Must equal `check` and `apply` in
//! `format.rs`; the test `the_fast_path_equals_the_slow_path` and the fuzz targets prove it.

use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::scan::skip_digits;

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
    let (index, rest) = rest.split_at_checked(skip_digits(rest.as_bytes(), 0))?;
    let at = (index.len() == 1 || !index.starts_with('0')).then(|| index.parse().ok())??;
    let rest = rest.strip_prefix(r#","delta":{"type":""#)?;
    let (kind, rest) = if let Some(rest) = rest.strip_prefix(r#"text_delta","text":"#) {
        (DeltaKind::Text, rest)
    } else if let Some(rest) = rest.strip_prefix(r#"input_json_delta","partial_json":"#) {
        (DeltaKind::Input, rest)
    } else {
        (DeltaKind::Thinking, rest.strip_prefix(r#"thinking_delta","thinking":"#)?)
    };
    let (text, rest) = record::leading_string(rest)?;
    closes(rest).then_some((at, kind, text))
}

/// Is this two closing braces, with spaces before them and white space after them?
fn closes(rest: &str) -> bool {
    let mut braces = 0;
    rest.bytes().all(|byte| {
        braces += u32::from(byte == b'}');
        matches!(byte, b'}' | b' ') || braces == 2 && matches!(byte, b'\r' | b'\n' | b'\t')
    }) && braces == 2
}
