//! The rows of the table: what differs from object to object of a group.

use super::field::FieldSpec;
use crate::names::{Key, Word};
use crate::status::Status;

/// A part type.
#[derive(Clone, Copy, Debug)]
pub struct PartSpec {
    /// Its number: in the index of a transcript, in `layout().types` and in the viewer. It never
    /// changes.
    pub code: u8,
    /// Its `type`.
    pub word: Word,
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its guard in `PartValidator`.
    pub guard: &'static str,
    /// Its constructor, if it has one. The type of its options is named after it.
    pub constructor: Option<&'static str>,
    /// Its fields after `type`; [`BASE`](super::BASE) has those before it.
    pub fields: &'static [FieldSpec],
}

impl PartSpec {
    /// The function that makes it, for error messages.
    #[must_use]
    pub const fn function(&self) -> &'static str {
        match self.constructor {
            Some(name) => name,
            None => self.type_name,
        }
    }
}

/// A state of a tool call.
#[derive(Clone, Copy, Debug)]
pub struct StateSpec {
    /// Its `status`.
    pub status: Status,
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its guard.
    pub guard: &'static str,
    /// Its fields after `status`. Constructors of states have code of their own, in
    /// `model/tool_state.rs`.
    pub fields: &'static [FieldSpec],
}

impl StateSpec {
    /// `status` and the other fields.
    #[allow(clippy::indexing_slicing)] // while it is compiled
    pub(crate) const fn keys<const N: usize>(&self) -> [Key; N] {
        assert!(self.fields.len() + 1 == N, "a state has gained or lost a field");
        let mut keys = [Key::Status; N];
        let mut i = 1;
        while i < N {
            keys[i] = self.fields[i - 1].key;
            i += 1;
        }
        keys
    }
}

/// A type of message.
#[derive(Clone, Copy, Debug)]
pub struct MessageSpec {
    /// Its `role`.
    pub role: Word,
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its constructor. The type of its options is named after it.
    pub constructor: &'static str,
    /// Its fields after `role`; [`MESSAGE_BASE`](super::MESSAGE_BASE) has those before it.
    pub fields: &'static [FieldSpec],
}

impl MessageSpec {
    /// The function that makes it, for error messages.
    #[must_use]
    pub const fn function(&self) -> &'static str {
        self.constructor
    }
}

/// A type of file source.
#[derive(Clone, Copy, Debug)]
pub struct SourceSpec {
    /// Its `type`.
    pub word: Word,
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its fields after `type`.
    pub fields: &'static [FieldSpec],
}
