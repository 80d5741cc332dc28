//! The fields that servers send reasoning in (W-75).

use super::failure::is_nothing;
use apex_parts_json::record::Val;
use std::borrow::Cow;

/// The names of fields with reasoning, in the order in which they count.
type FieldNames = [&'static str; 4];

/// The names in chat completions.
pub(crate) const REASONING: FieldNames =
    ["reasoning_content", "reasoning", "reasoning_text", "thinking"];

/// The reasoning of an object: the first of these fields that is a string and not empty, with its name.
pub(crate) fn reasoning_of<'a>(of: Val<'a>, names: &FieldNames) -> Option<(&'static str, Val<'a>)> {
    names.iter().copied().zip(of.fields(names)).find(|(_, text)| text.piece().is_some())
}

/// The names of the fields that are read or say the same: `own`, and of `names` all but those that say something else.
pub(crate) fn read_fields<'a>(
    of: Val<'_>,
    names: &'a FieldNames,
    own: &'a [&'static str],
) -> Cow<'a, [&'static str]> {
    let text = reasoning_of(of, names).map(|(_, text)| text.text()).unwrap_or_default();
    let is_read = |value: Val<'_>| is_nothing(value) || value.is_string() && value.text() == text;
    let read = names.iter().zip(of.fields(names)).filter(|(_, value)| is_read(*value));
    Cow::Owned(own.iter().copied().chain(read.map(|(name, _)| *name)).collect())
}
