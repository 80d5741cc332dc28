//! The states of a tool call, which differ by `status`.

use super::field::FieldKind::{ListOf, Number, Object, OneOf, Record, Text};
use super::field::{FieldSpec, optional, required};
use crate::names::Key;
use crate::status::Status;

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

/// The call was requested and has not started.
pub const PENDING: StateSpec = StateSpec {
    status: Status::Pending,
    type_name: "ToolStatePending",
    guard: "isToolStatePending",
    fields: &[
        required(Key::Input, Record),
        required(Key::Raw, Text).by_rule(), // BR-06
    ],
};

/// The call is under way.
pub const RUNNING: StateSpec = StateSpec {
    status: Status::Running,
    type_name: "ToolStateRunning",
    guard: "isToolStateRunning",
    fields: &[
        required(Key::Input, Record),
        optional(Key::Title, Text),
        optional(Key::Metadata, Record),
        required(Key::Time, Object(&[required(Key::Start, Number)])).by_rule(), // BR-07
    ],
};

/// The call ended well.
pub const COMPLETED: StateSpec = StateSpec {
    status: Status::Completed,
    type_name: "ToolStateCompleted",
    guard: "isToolStateCompleted",
    fields: &[
        required(Key::Input, Record),
        required(Key::Output, Text), // and BR-09
        required(Key::Title, Text),
        required(Key::Metadata, Record),
        required(Key::Time, Object(COMPLETED_TIME)).by_rule(), // BR-08
        optional(Key::Attachments, ListOf(&OneOf("FilePart"))).by_rule(), // parts of their own
    ],
};

/// The times of a completed call; they include the times of the other states.
pub const COMPLETED_TIME: &[FieldSpec] =
    &[required(Key::Start, Number), required(Key::End, Number), optional(Key::Compacted, Number)];

/// The call failed, timed out or was aborted.
pub const ERROR: StateSpec = StateSpec {
    status: Status::Error,
    type_name: "ToolStateError",
    guard: "isToolStateError",
    fields: &[
        required(Key::Input, Record),
        required(Key::Error, Text), // and BR-10
        optional(Key::Metadata, Record),
        required(Key::Time, Object(&[required(Key::Start, Number), required(Key::End, Number)]))
            .by_rule(), // BR-08
    ],
};

/// Every state of a tool call.
pub const STATES: &[&StateSpec] = &[&PENDING, &RUNNING, &COMPLETED, &ERROR];

/// The row of a state.
#[must_use]
pub const fn state(status: Status) -> &'static StateSpec {
    match status {
        Status::Pending => &PENDING,
        Status::Running => &RUNNING,
        Status::Completed => &COMPLETED,
        Status::Error => &ERROR,
    }
}
