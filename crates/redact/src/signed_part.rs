//! Parts that carry a provider's signature. The provider refuses the signature with any other text, so a part whose
//! text or input is masked loses that provider's entry of its metadata.

use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Kind, View, order};
use std::ops::Range;

/// The metadata of a part: an object with one entry for each provider. `provider` is that of a run's message.
const METADATA: &[&str] =
    &["metadata", "provider", "providerMetadata", "callProviderMetadata", "providerOptions"];
/// Fields of an entry that are valid only with the part's original text.
const SIGNATURES: &[&str] = &[
    "signature",
    "redactedData",
    "reasoningEncryptedContent",
    "thoughtSignature",
    "reasoning_details",
    "extra_content",
];

/// How a value relates to the signatures of a part, which is given by its index on the tape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SignedPlace {
    /// No signature covers it.
    #[default]
    Outside,
    /// The `state` of a call.
    State(u32),
    /// The metadata of a part.
    Metadata(u32),
    /// One provider's entry of the metadata.
    Entry(u32),
    /// A signature covers it: the text, the input, or the signature itself.
    Text(u32),
}

impl SignedPlace {
    /// The place of a field's value. The object has this place, and `index` on the tape.
    pub(super) fn of_field(self, index: u32, name: Option<Node<'_>>) -> SignedPlace {
        if let SignedPlace::Text(_) = self {
            return self;
        }
        let name = name.and_then(Node::str);
        let name = name.as_deref().unwrap_or_default();
        match (self, name) {
            (SignedPlace::State(part), "input") => SignedPlace::Text(part),
            (SignedPlace::Metadata(part), _) => SignedPlace::Entry(part),
            (SignedPlace::Entry(part), name) if SIGNATURES.contains(&name) => {
                SignedPlace::Text(part)
            }
            (_, "text" | "input" | "arguments" | "rawArgsText") => SignedPlace::Text(index),
            (_, "state") => SignedPlace::State(index),
            (_, name) if METADATA.contains(&name) => SignedPlace::Metadata(index),
            _ => SignedPlace::Outside,
        }
    }
}

/// The bytes of the signatures of these parts.
pub(super) fn signatures(tape: &Tape, bytes: &[u8], mut parts: Vec<u32>) -> Vec<Range<usize>> {
    order::sort_by(&mut parts, Ord::cmp);
    parts.dedup();
    let parts = parts.into_iter().map(|index| tape.node(bytes, index));
    parts.flat_map(|part| signed_metadata(part).flat_map(left_out).collect::<Vec<_>>()).collect()
}

/// The metadata objects of a part that have an entry with a signature.
fn signed_metadata(part: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    part.fields()
        .filter(|(name, _)| name.str().is_some_and(|name| METADATA.contains(&&*name)))
        .map(|(_, metadata)| metadata)
        .filter(|metadata| metadata.fields().any(|(_, entry)| is_signed(entry)))
}

fn is_signed(entry: Node<'_>) -> bool {
    entry.fields().any(|(name, value)| {
        value.kind() != Kind::Null && name.str().is_some_and(|name| SIGNATURES.contains(&&*name))
    })
}

/// The bytes of a metadata object's signed entries, with their commas.
fn left_out(metadata: Node<'_>) -> Vec<Range<usize>> {
    let fields: Vec<_> = metadata.fields().collect();
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
