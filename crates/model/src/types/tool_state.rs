//! The states of a tool call, which differ by `status`.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{Tag, UnknownFields, present};
use super::file::FilePart;
use crate::names::{Key, Word};
use crate::spec::field::{FieldKind, FieldSpec, optional, required};
use crate::spec::object::{ModelObject, ObjectDocs, kind_spec, kind_type, object};
use crate::spec::rows::StateSpec;
use crate::status::Status;
use serde::{Deserialize, Serialize};

/// The states, one statement each: their structs, their rows, their union.
macro_rules! states {
    ($($(#[doc = $about:literal])+ $status:ident: $name:ident, $row:ident { $($body:tt)* })+) => {
        $(object! {
            $(#[doc = $about])+
            struct $name [
                /// Always the word of this type.
                pub status: Tag<{ Word::$status as u8 }>,
            ] { $($body)* }
        }

        $(#[doc = $about])+
        pub const $row: StateSpec = StateSpec {
            status: Status::$status,
            type_name: stringify!($name),
            guard: concat!("is", stringify!($name)),
            fields: <$name as ModelObject>::FIELDS,
        };)+

        /// The state of a tool call; `status` says which.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum ToolState {
            $($(#[doc = $about])+ $status($name),)+
        }

        /// Every state of a tool call.
        pub const STATES: &[&StateSpec] = &[$(&$row),+];

        /// Their documentation.
        pub const STATE_DOCS: &[ObjectDocs] = &[$(<$name as ModelObject>::DOCS),+];

        /// The row of a state.
        #[must_use]
        pub const fn state(status: Status) -> &'static StateSpec {
            match status {
                $(Status::$status => &$row,)+
            }
        }
    };
}

states! {
    /// A call that was requested and has not started: its arguments may still be arriving.
    Pending: ToolStatePending, PENDING {
        /// The arguments, as far as they are known.
        input: Input = Record;
        /// The arguments as they arrived (BR-06).
        raw: Raw = Text, by_rule;
    }
    /// A call under way.
    Running: ToolStateRunning, RUNNING {
        /// The arguments.
        input: Input = Record;
        /// A title for people.
        optional title: Title = Text;
        /// Additional data.
        optional metadata: Metadata = Record;
        /// When it started (BR-07), in milliseconds since the Unix epoch.
        time: Time = Object(ToolTime, STARTED), by_rule;
    }
    /// A call that ended well.
    Completed: ToolStateCompleted, COMPLETED {
        /// The arguments.
        input: Input = Record;
        /// Its output; not empty (BR-09).
        output: Output = Text;
        /// A title for people.
        title: Title = Text;
        /// Additional data.
        metadata: Metadata = Record;
        /// When it started and ended (BR-08), and when its output was cleared.
        time: Time = Object(ToolTime, COMPLETED_TIME), by_rule;
        /// Files that it returned.
        optional attachments: Attachments = ListOf(FilePart), by_rule; // parts of their own
    }
    /// A call that failed, timed out or was aborted.
    Error: ToolStateError, ERROR {
        /// The arguments.
        input: Input = Record;
        /// What went wrong; not blank (BR-10).
        error: Error = Text;
        /// Additional data.
        optional metadata: Metadata = Record;
        /// When it started and ended (BR-08).
        time: Time = Object(ToolTime, ENDED), by_rule;
    }
}

const STARTED: &[FieldSpec] = &[required(Key::Start, FieldKind::Number)];
const ENDED: &[FieldSpec] =
    &[required(Key::Start, FieldKind::Number), required(Key::End, FieldKind::Number)];

/// The times of a completed call; they include the times of the other states.
pub const COMPLETED_TIME: &[FieldSpec] = &[
    required(Key::Start, FieldKind::Number),
    required(Key::End, FieldKind::Number),
    optional(Key::Compacted, FieldKind::Number),
];

object! {
    /// The times of a tool state, in milliseconds since the Unix epoch: one struct for all of them.
    struct ToolTime [] {
        /// When it started.
        start: Start = Number;
        /// When it ended.
        optional end: End = Number;
        /// When its output was cleared.
        optional compacted: Compacted = Number;
    }
}
