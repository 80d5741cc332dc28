//! [`RecordWriter`]: an object of a record, from what a message says and what was kept.

use apex_parts_agents::fields::{get, items, of_kind, raw};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::string;
use apex_parts_model::Kind;
use apex_parts_opencode2::{FIELDS, WITHOUT};

/// An object being written. What was kept of the one that was read stays, where a message still says the same.
pub(super) struct RecordWriter<'a> {
    out: String,
    kept: Option<Node<'a>>,
    without: Option<Node<'a>>,
    /// The JSON that the kept fields are of.
    json: &'a str,
    /// The kept fields that have changed.
    changed: Vec<&'static str>,
}

impl<'a> RecordWriter<'a> {
    /// An object; `kept` is its field `opencode2`.
    pub(super) fn new(kept: Option<Node<'a>>, json: &'a str) -> RecordWriter<'a> {
        let fields = of_kind(get(kept, FIELDS), Kind::Object);
        let without = get(kept, WITHOUT);
        RecordWriter { out: String::from("{"), kept: fields, without, json, changed: Vec::new() }
    }

    /// What was kept of a field.
    pub(super) fn kept(&self, name: &str) -> Option<Node<'a>> {
        get(self.kept, name)
    }

    fn add(&mut self, name: &str, json: &str) {
        if self.out.len() > 1 {
            self.out.push(',');
        }
        string(&mut self.out, name);
        self.out.push(':');
        self.out.push_str(json);
    }

    /// Writes a field, unless it was kept, or was not there.
    pub(super) fn field(&mut self, name: &'static str, json: &str) {
        self.field_if(name, Some(json), |_| true);
    }

    /// Writes a field, if there is one; `is_same` says whether a message would say what it says now, if the field were
    /// this, or not there.
    pub(super) fn field_if(
        &mut self,
        name: &'static str,
        json: Option<&str>,
        is_same: impl FnOnce(Option<Node<'a>>) -> bool,
    ) {
        if let Some(kept) = self.kept(name) {
            if is_same(Some(kept)) {
                return;
            }
            self.changed.push(name);
        } else if items(self.without).any(|other| other.str().as_deref() == Some(name))
            && is_same(None)
        {
            return;
        }
        if let Some(json) = json {
            self.add(name, json);
        }
    }

    /// The object.
    pub(super) fn finish(mut self) -> String {
        for (key, value) in self.kept.into_iter().flat_map(Node::fields) {
            let name = key.str().unwrap_or_default();
            if !self.changed.contains(&&*name) {
                self.add(&name, raw(value, self.json));
            }
        }
        self.out.push('}');
        self.out
    }
}

/// Are two values equal as JSON? Numbers by their value, objects in any order.
pub(super) fn is_equal(a: Node<'_>, b: Node<'_>) -> bool {
    use apex_parts_model::View;
    match (a.kind(), b.kind()) {
        (Kind::Object, Kind::Object) => {
            a.fields().count() == b.fields().count()
                && a.fields().all(|(key, value)| {
                    let name = key.str().unwrap_or_default();
                    get(Some(b), &name).is_some_and(|other| is_equal(value, other))
                })
        }
        (Kind::Array, Kind::Array) => {
            let (mut a, mut b) = (a.children(), b.children());
            loop {
                match (a.next(), b.next()) {
                    (None, None) => return true,
                    (Some(a), Some(b)) if is_equal(a, b) => {}
                    _ => return false,
                }
            }
        }
        #[allow(clippy::float_cmp)] // the same number, written in another way
        (Kind::Number, Kind::Number) => a.number() == b.number(),
        (a_kind, b_kind) if a_kind.is_string() && b_kind.is_string() => a.str() == b.str(),
        (a, b) => a == b,
    }
}

/// The same for a value and a JSON text.
pub(super) fn is_equal_json(a: Option<Node<'_>>, json: &str) -> bool {
    let mut tape = apex_parts_json::tape::Tape::default();
    let read = tape.read(json.as_bytes(), 0).is_ok();
    a.is_some_and(|a| read && is_equal(a, tape.root_of(json)))
}
