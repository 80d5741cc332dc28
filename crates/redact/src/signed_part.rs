//! Parts whose text a provider has signed: a provider refuses its signature over another text, so that a part
//! whose text or input is masked loses it, with all else that the provider noted there.

use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Kind, View, order};
use std::ops::Range;

/// Fields of a part in which providers note something, each below a key of its own.
const NOTES: &[&str] = &["metadata", "providerMetadata", "callProviderMetadata", "providerOptions"];
/// Fields of such a note that hold for the part's very text.
const SIGNATURES: &[&str] = &[
    "signature",
    "redactedData",
    "reasoningEncryptedContent",
    "thoughtSignature",
    "reasoning_details",
    "extra_content",
];

/// Where a value is, as far as signatures go: in what part, by its place on the tape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SignedPlace {
    /// In nothing that is signed.
    #[default]
    Outside,
    /// It is the state of a call.
    State(u32),
    /// It is what providers noted.
    Notes(u32),
    /// It is what one provider noted.
    Note(u32),
    /// It is in what a signature holds for: the text, the input, or the signature itself.
    Text(u32),
}

impl SignedPlace {
    /// The place of the value that an object at this place, itself at `index` on the tape, has under a name.
    pub(super) fn of_field(self, index: u32, name: Option<Node<'_>>) -> SignedPlace {
        if let SignedPlace::Text(_) = self {
            return self;
        }
        let name = name.and_then(Node::str);
        let name = name.as_deref().unwrap_or_default();
        match (self, name) {
            (SignedPlace::State(part), "input") => SignedPlace::Text(part),
            (SignedPlace::Notes(part), _) => SignedPlace::Note(part),
            (SignedPlace::Note(part), name) if SIGNATURES.contains(&name) => {
                SignedPlace::Text(part)
            }
            (_, "text" | "input") => SignedPlace::Text(index),
            (_, "state") => SignedPlace::State(index),
            (_, name) if NOTES.contains(&name) => SignedPlace::Notes(index),
            _ => SignedPlace::Outside,
        }
    }
}

/// The bytes of the signatures of these parts.
pub(super) fn signatures(tape: &Tape, bytes: &[u8], mut parts: Vec<u32>) -> Vec<Range<usize>> {
    order::sort_by(&mut parts, Ord::cmp);
    parts.dedup();
    let parts = parts.into_iter().map(|index| Node { tape, bytes, index });
    parts.flat_map(|part| signed_notes(part).flat_map(left_out).collect::<Vec<_>>()).collect()
}

/// The objects of a part in which a provider has noted a signature.
fn signed_notes(part: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    part.fields()
        .filter(|(name, _)| name.str().is_some_and(|name| NOTES.contains(&&*name)))
        .map(|(_, notes)| notes)
        .filter(|notes| notes.fields().any(|(_, note)| is_signed(note)))
}

fn is_signed(note: Node<'_>) -> bool {
    note.fields().any(|(name, value)| {
        value.kind() != Kind::Null && name.str().is_some_and(|name| SIGNATURES.contains(&&*name))
    })
}

/// The bytes of an object's signed fields, with the commas that go with them.
fn left_out(notes: Node<'_>) -> Vec<Range<usize>> {
    let fields: Vec<_> = notes.fields().collect();
    // The span of a string is what is between its quotes.
    let start = |name: Node<'_>| name.span().start.saturating_sub(1);
    let mut ranges = Vec::new();
    let mut kept: Option<Node<'_>> = None;
    let mut from: Option<usize> = None;
    for (name, value) in &fields {
        if is_signed(*value) {
            from = from.or(Some(start(*name)));
        } else {
            ranges.extend(from.take().map(|from| from..start(*name)));
            kept = Some(*value);
        }
    }
    if let (Some(from), Some((_, last))) = (from, fields.last()) {
        let from = kept.map_or(from, |kept| end(kept));
        ranges.push(from..end(*last));
    }
    ranges
}

/// Where a value ends.
fn end(value: Node<'_>) -> usize {
    value.span().end + usize::from(value.kind().is_string())
}
