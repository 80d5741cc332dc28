//! Why a message failed or a request was sent again.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{UnknownFields, present};
use crate::names::{Key, Word};
use crate::spec::field::{FieldKind, FieldSpec, ObjectSpec, optional, required};
use crate::spec::object::{ModelObject, ObjectDocs, kind_spec, kind_type, object};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Why a message failed: apex-bridge's flat form or OpenCode's named one. Both are kept as they
/// came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MessageError {
    /// `{name, data}`
    Named(NamedError),
    /// `{message, isRetryable, …}`
    Flat(APIError),
}

/// OpenCode's form of an error. Its details are kept whatever they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedError {
    /// Such as `MessageAbortedError`.
    pub name: String,
    /// Its details.
    pub data: Value,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// OpenCode's named form of an error.
pub const NAMED_ERROR: ObjectSpec = ObjectSpec {
    type_name: "NamedError",
    fields: &[
        required(Key::Name, FieldKind::Text).by_rule(), // one of ERROR_NAMES
        required(Key::Data, FieldKind::Record),
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

object! {
    /// An error of a provider's API.
    struct APIError [] {
        /// Its message.
        message: Message = Text;
        /// The HTTP status.
        optional status_code ("statusCode"): StatusCode = Number;
        /// Sending it again may help.
        is_retryable ("isRetryable"): IsRetryable = Flag;
        /// The headers of the response.
        optional response_headers ("responseHeaders"): ResponseHeaders = MapOf(Text);
        /// The body of the response.
        optional response_body ("responseBody"): ResponseBody = Text;
        /// Additional data.
        optional metadata: Metadata = MapOf(Text);
    }
}

/// apex-bridge's flat form of an error.
pub const API_ERROR: ObjectSpec =
    ObjectSpec { type_name: "APIError", fields: <APIError as ModelObject>::FIELDS };
