//! Which agent, model and folder count at a place of a session.

use crate::lists::push_all;
use apex_parts_agents::fields::{any_string, get, token};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{ObjectWriter, object};

/// A model; its texts are escaped, as they stand in JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    pub(crate) provider: String,
    pub(crate) id: String,
    pub(crate) variant: Option<String>,
}

impl Model {
    /// The model that a field states; `None` if it states none, or one that a migration did not know.
    pub(crate) fn read(node: Option<Node<'_>>, json: &str) -> Option<Model> {
        let text = |name| any_string(get(node, name)).map(|text| token(text, json).to_owned());
        let (id, provider) = (text("id")?, text("providerID")?);
        let is_known = id != "unknown" || provider != "unknown";
        is_known.then(|| Model { provider, id, variant: text("variant") })
    }

    /// It as a record has it.
    pub(crate) fn json(&self) -> String {
        let mut out = String::new();
        object(&mut out, |out| {
            escaped(out, "id", &self.id);
            escaped(out, "providerID", &self.provider);
            if let Some(variant) = &self.variant {
                escaped(out, "variant", variant);
            }
        });
        out
    }

    /// Writes the fields, the variant too.
    pub(crate) fn fields(&self, out: &mut ObjectWriter<'_>) {
        escaped(out, "providerID", &self.provider);
        escaped(out, "modelID", &self.id);
        if let Some(variant) = &self.variant {
            escaped(out, "variant", variant);
        }
    }
}

/// A text of an object, escaped.
pub(crate) fn text_of(node: Option<Node<'_>>, name: &str, json: &str) -> Option<String> {
    any_string(get(node, name)).map(|text| token(text, json).to_owned())
}

/// Writes a string that is escaped already.
pub(crate) fn escaped(out: &mut ObjectWriter<'_>, name: &'static str, text: &str) {
    push_all(out.key(name), &["\"", text, "\""]);
}

/// What counts at a place; texts are escaped.
#[derive(Debug, Default)]
pub(crate) struct InForce {
    pub(crate) agent: Option<String>,
    pub(crate) model: Option<Model>,
    pub(crate) directory: String,
}
