//! What a provider added to a text or a call.

use super::message::GivenPart;
use apex_parts_agents::fields::{get, is_true, of_kind, raw};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;
use apex_parts_opencode2::push_all;

/// Did the provider run the call?
pub(super) fn is_executed(part: &GivenPart<'_>) -> bool {
    is_true(get(of_kind(part.get("metadata"), Kind::Object), "providerExecuted"))
}

/// The fields of a part's metadata but `providerExecuted`, as JSON; `None` if there is none, or nothing else in it and
/// `is_kept` is not given.
pub(super) fn keyed(part: &GivenPart<'_>, is_kept: bool) -> Option<String> {
    let metadata = of_kind(part.get("metadata"), Kind::Object)?;
    let mut out = String::from("{");
    for (key, value) in metadata.fields() {
        if key.str().as_deref() == Some("providerExecuted") {
            continue;
        }
        if out.len() > 1 {
            out.push(',');
        }
        push_all(&mut out, &[raw(key, part.json), ":", raw(value, part.json)]);
    }
    out.push('}');
    Some(out).filter(|out| is_kept || out.len() > 2)
}

/// The provider's metadata: the name of the record's field, and its JSON.
pub(super) fn native(part: &GivenPart<'_>, provider: &str) -> Option<(&'static str, String)> {
    let name = match part.note("as").and_then(Node::str).as_deref() {
        Some("state") => "state",
        Some("providerMetadata") => "providerMetadata",
        Some("providerState") => "providerState",
        _ => "native",
    };
    if part.note("keyed").is_some() {
        return keyed(part, true).map(|json| (name, json));
    }
    let metadata = of_kind(part.get("metadata"), Kind::Object)?;
    match of_kind(get(Some(metadata), provider), Kind::Object) {
        Some(own) => Some((name, raw(own, part.json).to_owned())),
        None => keyed(part, false).map(|json| (name, json)),
    }
}
