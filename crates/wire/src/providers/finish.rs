//! Why a response ended: what counts as a reason, and the word of a delta for it. One table for all formats.

use apex_parts_json::record::Val;
use std::borrow::Cow;

/// The finish reason in a field; `None` if it holds none, as many servers write in every record.
pub(crate) fn finish_of(value: Val<'_>) -> Option<Cow<'_, str>> {
    let none = ["null", "none", "undefined", "finish_reason_unspecified", ""];
    value.str().filter(|text| !none.iter().any(|word| text.trim().eq_ignore_ascii_case(word)))
}

/// The words of each finish reason, without the marks between their parts.
const TABLE: [(&str, &str); 5] = [
    ("stop", "stop endturn stopsequence eos eostoken end complete completed pauseturn"),
    (
        "length",
        "length maxtokens maxoutputtokens modellength modelcontextwindowexceeded incomplete truncated \
         repetitiontruncation",
    ),
    ("tool-calls", "toolcalls toolcall tooluse functioncall requiresaction"),
    (
        "content-filter",
        "contentfilter contentfiltered refusal safety sensitive recitation blocklist prohibitedcontent spii \
         imagesafety imageprohibitedcontent imagerecitation guardrailintervened modelarmor",
    ),
    (
        "error",
        "error failed timeout networkerror insufficientsystemresource malformedfunctioncall malformedresponse \
         malformedmodeloutput malformedtooluse unexpectedtoolcall toomanytoolcalls missingthoughtsignature",
    ),
];

/// The finish reason of a delta. `calls` says that there is a call that the client has to answer: then a response
/// does not simply stop.
///
/// ```
/// use apex_parts_wire::finish_word;
/// assert_eq!(finish_word(Some("MAX_TOKENS"), false), "length");
/// assert_eq!(finish_word(Some("stop"), true), "tool-calls");
/// ```
#[must_use]
pub fn finish_word(raw: Option<&str>, calls: bool) -> &'static str {
    let Some(raw) = raw else { return if calls { "tool-calls" } else { "other" } };
    let plain: String = raw
        .chars()
        .filter(|c| !matches!(c, '_' | '-') && !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let is_in = |words: &str| words.split_ascii_whitespace().any(|word| word == plain);
    match TABLE.iter().find(|(_, words)| is_in(words)) {
        Some(("stop", _)) if calls => "tool-calls",
        Some((word, _)) => word,
        None => "other",
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::{finish_of, finish_word};
    use apex_parts_json::record;

    #[test]
    fn a_blank_reason_is_none() {
        for none in ["null", "\"\"", "\" \"", "\"None\"", "\"NULL\"", "\"undefined\"", "7", "{}"] {
            assert_eq!(finish_of(record::read(none, 8).unwrap()), None, "{none}");
        }
        assert_eq!(finish_of(record::read("\"stop\"", 8).unwrap()).as_deref(), Some("stop"));
    }

    #[test]
    fn marks_and_case_do_not_matter() {
        assert_eq!(finish_word(Some("MAX_TOKENS"), true), "length");
        assert_eq!(finish_word(Some("content-filter"), false), "content-filter");
        assert_eq!(finish_word(Some("Eos-Token"), false), "stop");
        assert_eq!(finish_word(Some("unload"), true), "other");
    }

    #[test]
    fn a_call_to_answer_goes_before_a_stop() {
        assert_eq!(finish_word(Some("stop"), true), "tool-calls");
        assert_eq!(finish_word(None, true), "tool-calls");
        assert_eq!(finish_word(None, false), "other");
    }
}
