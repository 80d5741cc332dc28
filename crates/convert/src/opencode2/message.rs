//! [`GivenMessage`]: a message as it is converted.

use apex_parts_agents::fields::{any_string, get, items, number, of_kind, pick, raw, token};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;
use apex_parts_opencode2::push_all;
use apex_parts_opencode2::{KEPT, is_carried};

/// A message that is converted.
#[derive(Clone, Copy)]
pub(super) struct GivenMessage<'a> {
    pub(super) info: Node<'a>,
    parts: Node<'a>,
    pub(super) json: &'a str,
    /// What was kept of its record.
    pub(super) kept: Option<Node<'a>>,
}

impl<'a> GivenMessage<'a> {
    /// A message `{info, parts}`; `None` if it is none.
    pub(super) fn new(message: Node<'a>, json: &'a str) -> Option<GivenMessage<'a>> {
        let [info, parts] = pick(message, ["info", "parts"]);
        let info = of_kind(info, Kind::Object)?;
        let kept = of_kind(get(Some(info), KEPT), Kind::Object);
        let parts = of_kind(parts, Kind::Array)?;
        Some(GivenMessage { info, parts, json, kept })
    }

    /// The type of the record that it was made of; empty if it was made of none.
    pub(super) fn record_type(&self) -> String {
        let own = get(self.kept, "type").and_then(Node::str);
        own.map(std::borrow::Cow::into_owned).unwrap_or_default()
    }

    /// Was it made of a record?
    pub(super) fn is_of_record(&self) -> bool {
        self.kept.is_some()
    }

    /// Is it a user's?
    pub(super) fn is_user(&self) -> bool {
        self.text("role").is_none_or(|role| role != "assistant")
    }

    /// A text of its `info`, escaped.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        text(Some(self.info), name, self.json)
    }

    /// A number of its times, as JSON.
    pub(super) fn time(&self, name: &str) -> Option<&'a str> {
        let time = get(get(Some(self.info), "time"), name);
        number(time).and(time).map(|time| raw(time, self.json))
    }

    /// The list of its parts.
    pub(super) fn list(&self) -> Node<'a> {
        self.parts
    }

    /// Its parts that are objects.
    pub(super) fn parts(&self) -> impl Iterator<Item = GivenPart<'a>> + use<'a> {
        let json = self.json;
        let objects = items(Some(self.parts)).filter(|part| {
            use apex_parts_model::View;
            part.kind() == Kind::Object
        });
        objects.map(move |part| GivenPart::new(part, json))
    }

    /// The parts that no record has a place for, as JSON.
    pub(super) fn carried(&self) -> Vec<&'a str> {
        let own = self.parts().filter(|part| is_carried(part.node));
        own.map(|part| raw(part.node, self.json)).collect()
    }
}

/// A text of an object, escaped.
pub(super) fn text<'a>(node: Option<Node<'a>>, name: &str, json: &'a str) -> Option<&'a str> {
    any_string(get(node, name)).map(|text| token(text, json))
}

/// A part.
#[derive(Clone, Copy)]
pub(super) struct GivenPart<'a> {
    pub(super) node: Node<'a>,
    pub(super) json: &'a str,
    pub(super) kept: Option<Node<'a>>,
}

impl<'a> GivenPart<'a> {
    pub(super) fn new(node: Node<'a>, json: &'a str) -> GivenPart<'a> {
        let kept = of_kind(get(Some(node), KEPT), Kind::Object);
        GivenPart { node, json, kept }
    }

    /// Its type.
    pub(super) fn kind(&self) -> String {
        let kind = get(Some(self.node), "type").and_then(Node::str);
        kind.map(std::borrow::Cow::into_owned).unwrap_or_default()
    }

    /// A text, escaped.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        text(Some(self.node), name, self.json)
    }

    /// A value.
    pub(super) fn get(&self, name: &str) -> Option<Node<'a>> {
        get(Some(self.node), name)
    }

    /// Has it this note of the record?
    pub(super) fn note(&self, name: &str) -> Option<Node<'a>> {
        get(self.kept, name)
    }

    /// Is this field `true`?
    pub(super) fn is(&self, name: &str) -> bool {
        apex_parts_agents::fields::is_true(self.get(name))
    }

    /// Its own fields, without those that a part has itself, and with those that were kept.
    pub(super) fn own_fields(&self, taken: &[&str]) -> String {
        let mut out = String::new();
        let mut add = |key: Node<'a>, value: Node<'a>| {
            if !out.is_empty() {
                out.push(',');
            }
            push_all(&mut out, &[raw(key, self.json), ":", raw(value, self.json)]);
        };
        for (key, value) in self.node.fields() {
            let name = key.str().unwrap_or_default();
            if !taken.contains(&&*name) {
                add(key, value);
            }
        }
        let kept = of_kind(self.note(apex_parts_opencode2::FIELDS), Kind::Object);
        for (key, value) in kept.into_iter().flat_map(Node::fields) {
            add(key, value);
        }
        out
    }
}
