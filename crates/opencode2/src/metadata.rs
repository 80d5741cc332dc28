//! What a provider added to a text or a call: signatures, ids of its own.

use crate::in_force::Model;
use crate::kept::KeptFields;
use crate::lists::joined;
use apex_parts_agents::fields::{get, of_kind, raw};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{ObjectWriter, string};
use apex_parts_model::Kind;
use std::borrow::Cow;

/// Where the metadata of a call says that the provider ran it.
const EXECUTED: &str = "providerExecuted";

/// A name under which records have it.
pub(crate) struct NativeField {
    name: &'static str,
    /// Is the provider's id its key there?
    is_keyed: bool,
}

const fn field(name: &'static str, is_keyed: bool) -> NativeField {
    NativeField { name, is_keyed }
}

impl NativeField {
    /// The names in texts and reasoning; the newest first.
    pub(crate) const OF_TEXTS: [NativeField; 3] =
        [field("native", false), field("state", false), field("providerMetadata", true)];
    /// The names in calls.
    pub(crate) const OF_CALLS: [NativeField; 2] =
        [field("native", false), field("providerState", false)];
}

/// The metadata of a part.
#[derive(Default)]
pub(crate) struct NativeMetadata {
    /// The field of the record that it is of.
    pub(crate) used: Option<&'static str>,
    /// Its fields, as they stand between braces; `None` if there is none.
    fields: Option<String>,
}

/// The metadata of an item: of the first of the fields that it has.
pub(crate) fn native(
    item: Node<'_>,
    fields: &[NativeField],
    model: &Model,
    json: &str,
    kept: &mut KeptFields,
) -> NativeMetadata {
    for NativeField { name, is_keyed } in fields {
        let Some(value) = of_kind(get(Some(item), name), Kind::Object) else { continue };
        let mut notes = KeptFields::default();
        let Some(read) = NativeMetadata::read(value, *is_keyed, model, json, &mut notes) else {
            continue;
        };
        kept.append(notes);
        if *name != "native" {
            let mut text = String::new();
            string(&mut text, name);
            kept.remark("as", &text);
        }
        return NativeMetadata { used: Some(name), ..read };
    }
    NativeMetadata::default()
}

impl NativeMetadata {
    /// The metadata that a value is; `None` if a name in it means something else there.
    pub(crate) fn read(
        value: Node<'_>,
        is_keyed: bool,
        model: &Model,
        json: &str,
        kept: &mut KeptFields,
    ) -> Option<NativeMetadata> {
        let mut keys = value.fields().map(|(key, _)| key.str().unwrap_or_default());
        let first = keys.next();
        let provider = joined(&["\"", &model.provider, "\""]);
        let mut tape = apex_parts_json::tape::Tape::default();
        let own = match tape.read(provider.as_bytes(), 0) {
            Ok(_) => tape.root_of(&provider).str().unwrap_or_default(),
            Err(_) => Cow::Borrowed(""),
        };
        let is_only = keys.next().is_none() && first.is_some_and(|key| key == own);
        let is_keyed = is_keyed || is_only;
        if is_keyed && get(Some(value), EXECUTED).is_some() {
            return None;
        }
        let text = raw(value, json);
        let fields = if is_keyed {
            kept.remark("keyed", "true");
            text.get(1..text.len().saturating_sub(1)).unwrap_or_default().trim().to_owned()
        } else {
            joined(&[&provider, ":", text])
        };
        Some(NativeMetadata { used: None, fields: Some(fields) })
    }

    /// Writes the field, if there is any; `is_executed` says that the provider ran the call.
    pub(crate) fn write(&self, part: &mut ObjectWriter<'_>, is_executed: bool) {
        if self.fields.is_none() && !is_executed {
            return;
        }
        part.object("metadata", |metadata| {
            metadata.raw(self.fields.as_deref().unwrap_or_default());
            if is_executed {
                metadata.bool(EXECUTED, true);
            }
        });
    }
}
