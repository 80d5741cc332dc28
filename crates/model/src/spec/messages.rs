//! The messages, which differ by `role`.

use super::field::FieldKind::{Flag, MapOf, Named, Number, Object, OneOf, Text};
use super::field::{FieldSpec, Origin, optional, required};
use super::shared::{CREATED, MODEL, SUMMARY, TOKENS, WORK_PATH};
use crate::names::{Key, Word};

/// A type of message.
#[derive(Clone, Copy, Debug)]
pub struct MessageSpec {
    /// Its `role`.
    pub role: Word,
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its constructor. The type of its options is named after it.
    pub constructor: &'static str,
    /// Its fields after `role`; [`MESSAGE_BASE`] has those before it.
    pub fields: &'static [FieldSpec],
}

impl MessageSpec {
    /// The function that makes it, for error messages.
    #[must_use]
    pub const fn function(&self) -> &'static str {
        self.constructor
    }
}

/// The fields of every message before its `role` (BR-01, BR-04).
pub const MESSAGE_BASE: &[FieldSpec] = &[
    required(Key::Id, Text).from(Origin::IdOrNew).by_rule(),
    required(Key::SessionID, Text).by_rule(),
];

/// What a person said, and how it is to be answered.
pub const USER: MessageSpec = MessageSpec {
    role: Word::User,
    type_name: "UserMessage",
    constructor: "createUserMessage",
    fields: &[
        required(Key::Time, Object(CREATED)).from(Origin::Now),
        optional(Key::Summary, Object(SUMMARY)),
        required(Key::Agent, Text),
        required(Key::Model, Object(MODEL)).from(Origin::OptionsInside),
        optional(Key::System, Text),
        optional(Key::Tools, MapOf(&Flag)),
        optional(Key::Variant, Text),
    ],
};

/// What a model answered.
pub const ASSISTANT: MessageSpec = MessageSpec {
    role: Word::Assistant,
    type_name: "AssistantMessage",
    constructor: "createAssistantMessage",
    fields: &[
        required(
            Key::Time,
            Object(&[required(Key::Created, Number), optional(Key::Completed, Number)]),
        )
        .from(Origin::Now),
        required(Key::ParentID, Text),
        required(Key::ModelID, Text),
        required(Key::ProviderID, Text),
        required(Key::Agent, Text),
        required(Key::Path, Object(WORK_PATH)).from(Origin::OptionsInside),
        optional(Key::Summary, Flag),
        required(Key::Cost, Number).from(Origin::Zero),
        required(Key::Tokens, Named(&TOKENS)).from(Origin::Zero).by_rule(), // BR-13
        optional(Key::Finish, Text).from(Origin::Later),
        optional(Key::Error, OneOf("APIError")).from(Origin::Later).by_rule(), // as in RETRY
    ],
};

/// Every type of message.
pub const MESSAGES: &[&MessageSpec] = &[&USER, &ASSISTANT];
