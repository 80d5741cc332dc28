//! [`PlacedPart`]: a part that is read before it is known to which session its message belongs.

use super::builder;
use apex_parts_json::writer::object;
use std::rc::Rc;

/// A part without the ids of its place. What it says is shared with the line that it was read from.
#[derive(Clone, Debug)]
pub(crate) struct PlacedPart {
    pub(crate) id: String,
    pub(crate) kind: Rc<str>,
    /// The JSON of its own fields, as they stand between the braces of an object.
    pub(crate) fields: Rc<str>,
    /// The program said it, not a person or the model.
    pub(crate) is_synthetic: bool,
    /// When it was said.
    pub(crate) at: Option<f64>,
}

/// The ids of a part's place, and its own.
#[derive(Clone, Copy)]
pub(crate) struct PartAt<'a> {
    pub(crate) session: &'a str,
    pub(crate) message: &'a str,
    pub(crate) id: &'a str,
}

/// A finished part.
#[derive(Debug)]
pub(crate) enum FinishedPart {
    /// As JSON.
    Whole(String),
    /// Its session is told when it is written.
    Placed(PlacedPart),
}

impl FinishedPart {
    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        match self {
            FinishedPart::Whole(json) => json.len() + 1,
            FinishedPart::Placed(part) => part.length(),
        }
    }

    /// Writes the part.
    pub(crate) fn write(&self, session: &str, message: &str, out: &mut String) {
        match self {
            FinishedPart::Whole(json) => out.push_str(json),
            FinishedPart::Placed(part) => {
                part.write(PartAt { session, message, id: &part.id }, out);
            }
        }
    }
}

impl PlacedPart {
    /// Writes the part.
    pub(crate) fn write(&self, place: PartAt<'_>, out: &mut String) {
        object(out, |part| {
            builder::base(part, place.id, place.session, place.message, &self.kind);
            part.raw(&self.fields);
            if self.is_synthetic {
                part.bool("synthetic", true);
            }
            if let Some(at) = self.at {
                builder::time(part, at, Some(at));
            }
        });
    }

    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        self.fields.len() + 300
    }
}
