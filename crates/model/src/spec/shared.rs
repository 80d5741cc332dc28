//! Objects that the fields of others hold.

use super::field::FieldKind::{Flag, List, MapOf, Number, Object, Record, Text};
use super::field::{FieldSpec, ObjectSpec, optional, required};
use crate::names::{Key, Word};

/// A span of time.
pub const SPAN: &[FieldSpec] = &[required(Key::Start, Number), optional(Key::End, Number)];

/// A point in time.
pub const CREATED: &[FieldSpec] = &[required(Key::Created, Number)];

/// A piece of a prompt, and where it is.
pub const SOURCE_TEXT: &[FieldSpec] =
    &[required(Key::Value, Text), required(Key::Start, Number), required(Key::End, Number)];

/// A place in a text file.
pub const POSITION: &[FieldSpec] = &[required(Key::Line, Number), required(Key::Character, Number)];

/// A range of a text file.
pub const RANGE: &[FieldSpec] =
    &[required(Key::Start, Object(POSITION)), required(Key::End, Object(POSITION))];

/// A model of a provider.
pub const MODEL: &[FieldSpec] = &[required(Key::ProviderID, Text), required(Key::ModelID, Text)];

/// Tokens read from and written to the provider's cache.
pub const CACHE: &[FieldSpec] = &[required(Key::Read, Number), required(Key::Write, Number)];

/// A summary of a user message.
pub const SUMMARY: &[FieldSpec] =
    &[optional(Key::Title, Text), optional(Key::Body, Text), optional(Key::Diffs, List)];

/// Where an agent worked.
pub const WORK_PATH: &[FieldSpec] = &[required(Key::Cwd, Text), required(Key::Root, Text)];

/// The counts of a step or a message.
pub const TOKENS: ObjectSpec = ObjectSpec {
    type_name: "TokenStats",
    fields: &[
        optional(Key::Total, Number),
        required(Key::Input, Number),
        required(Key::Output, Number),
        required(Key::Reasoning, Number),
        required(Key::Cache, Object(CACHE)),
    ],
};

/// apex-bridge's flat form of an error.
pub const API_ERROR: ObjectSpec = ObjectSpec {
    type_name: "APIError",
    fields: &[
        required(Key::Message, Text),
        optional(Key::StatusCode, Number),
        required(Key::IsRetryable, Flag),
        optional(Key::ResponseHeaders, MapOf(&Text)),
        optional(Key::ResponseBody, Text),
        optional(Key::Metadata, MapOf(&Text)),
    ],
};

/// OpenCode's named form of an error. The declared type is the flat one.
pub const NAMED_ERROR: ObjectSpec = ObjectSpec {
    type_name: "NamedError",
    fields: &[
        required(Key::Name, Text).by_rule(), // one of ERROR_NAMES
        required(Key::Data, Record),
    ],
};

/// The names that OpenCode gives to errors.
pub const ERROR_NAMES: &[Word] = &[
    Word::ProviderAuthError,
    Word::UnknownError,
    Word::MessageOutputLengthError,
    Word::MessageAbortedError,
    Word::StructuredOutputError,
    Word::ContextOverflowError,
    Word::ContentFilterError,
    Word::ApiError,
];
