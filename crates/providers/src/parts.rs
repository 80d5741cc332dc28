//! What readers give the builder: parts without ids, calls, and what came of them.

use super::values::{NewFields, NewText, string};
use apex_parts_json::tape::Node;
use apex_parts_model::View;
use std::borrow::Cow;

/// A part without its ids.
#[derive(Clone, Debug)]
pub(crate) struct NewPart<'a> {
    pub(crate) content: PartContent<'a>,
    /// Empty if there is none.
    pub(crate) metadata: NewFields<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum PartContent<'a> {
    Text(NewText<'a>),
    Reasoning(NewText<'a>),
    File(NewFile<'a>),
    /// A part that no type of the model is for.
    Custom(NewText<'a>),
    Call(Box<NewCall<'a>>),
}

/// A file without its ids.
#[derive(Clone, Debug)]
pub(crate) struct NewFile<'a> {
    pub(crate) mime: NewText<'a>,
    pub(crate) url: NewText<'a>,
    pub(crate) filename: Option<NewText<'a>>,
}

/// A call that is read: it gets an id that no other call has.
#[derive(Clone, Debug)]
pub(crate) struct NewCall<'a> {
    /// Its id; empty if it has none.
    pub(crate) id: NewText<'a>,
    /// Do results name it by its tool, if they have no id?
    pub(crate) is_named: bool,
    pub(crate) tool: NewText<'a>,
    pub(crate) input: CallInput<'a>,
    /// Where its id stands in its message: a field, the place in a list, and a field there; empty if it is the value itself.
    pub(crate) place: (&'static str, Option<usize>, &'static str),
    pub(crate) outcome: Option<CallOutcome<'a>>,
    pub(crate) title: Option<NewText<'a>>,
    /// Its arguments as far as they came: the call is pending.
    pub(crate) raw: Option<NewText<'a>>,
    /// Its number among the calls that can be approved.
    pub(crate) approvable: Option<usize>,
}

impl Default for NewCall<'_> {
    fn default() -> Self {
        NewCall {
            id: NewText::EMPTY,
            is_named: false,
            tool: NewText::EMPTY,
            input: CallInput::Empty,
            place: ("", None, "id"),
            outcome: None,
            title: None,
            raw: None,
            approvable: None,
        }
    }
}

/// The input of a call.
#[derive(Clone, Debug)]
pub(crate) enum CallInput<'a> {
    /// `{}`
    Empty,
    Node(Node<'a>),
    /// An object with the value as the field of this name; without it, if there is none.
    Field(&'static str, Option<Node<'a>>),
    /// JSON, as `JSON.stringify` writes it.
    Json(String),
}

/// What came of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallOutcome<'a> {
    /// The lines of what it returned, or why it failed.
    pub(crate) text: Vec<NewText<'a>>,
    pub(crate) is_error: bool,
    pub(crate) files: Vec<NewPart<'a>>,
    /// The metadata of the call's state; an error has none if they are `None`.
    pub(crate) details: Option<NewFields<'a>>,
    /// Fields of the part's state for its provider, by the provider's name.
    pub(crate) state: Option<(&'static str, NewFields<'a>)>,
}

impl<'a> CallOutcome<'a> {
    pub(crate) fn new(text: NewText<'a>, is_error: bool) -> CallOutcome<'a> {
        CallOutcome { text: vec![text], is_error, ..CallOutcome::default() }
    }

    /// What became of a call that a person refused.
    pub(crate) fn refused(reason: Option<Node<'a>>) -> CallOutcome<'a> {
        let reason = string(reason).filter(|reason| !reason.is_blank());
        let text = reason.map_or(NewText::Spelled(Cow::Borrowed("denied")), NewText::Node);
        CallOutcome::new(text, true)
    }
}

impl<'a> NewPart<'a> {
    pub(crate) fn text(text: NewText<'a>) -> NewPart<'a> {
        NewPart { content: PartContent::Text(text), metadata: NewFields::default() }
    }

    /// The same part with these fields under the name of a provider, if there are any.
    pub(crate) fn kept(content: PartContent<'a>, key: &'static str, fields: NewFields<'a>) -> Self {
        let metadata = match fields.is_empty() {
            true => NewFields::default(),
            false => NewFields::one(key, super::values::Value::Object(fields)),
        };
        NewPart { content, metadata }
    }
}
