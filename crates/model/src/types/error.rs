//! Why a message failed or a request was sent again.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{UnknownFields, present};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

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

/// OpenCode's form of an error.
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

/// An error of a provider's API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct APIError {
    /// Its message.
    pub message: String,
    /// The HTTP status.
    #[serde(
        rename = "statusCode",
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub status_code: Option<Number>,
    /// Sending it again may help.
    #[serde(rename = "isRetryable")]
    pub is_retryable: bool,
    /// The headers of the response.
    #[serde(
        rename = "responseHeaders",
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, string>"))]
    pub response_headers: Option<Map<String, Value>>,
    /// The body of the response.
    #[serde(
        rename = "responseBody",
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub response_body: Option<String>,
    /// Additional data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, string>"))]
    pub metadata: Option<Map<String, Value>>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}
