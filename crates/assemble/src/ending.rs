//! How a message begins and how it ends.

use apex_parts_model::delta::Payload;
use std::borrow::Cow;

/// How a message began.
#[derive(Debug)]
pub(crate) struct MessageStart {
    pub(crate) model_id: String,
    pub(crate) request_id: String,
    pub(crate) timestamp: String,
}

impl MessageStart {
    /// The payload of its delta.
    pub(crate) fn payload(&self) -> Payload<'_> {
        Payload::Start { model_id: (&self.model_id).into(), request_id: (&self.request_id).into() }
    }
}

/// How a message ended.
#[derive(Debug)]
pub(crate) enum Ending {
    Done {
        finish_reason: String,
    },
    Error {
        code: String,
        message: Option<String>,
        retryable: Option<bool>,
    },
    /// The transport ended without either (DC-2).
    Cut,
}

impl Ending {
    /// The ending, if this payload is one.
    pub(crate) fn from_payload(payload: &Payload<'_>) -> Option<Ending> {
        Some(match payload {
            Payload::Done { finish_reason } => {
                Ending::Done { finish_reason: finish_reason.to_string() }
            }
            Payload::Error { code, message, retryable } => Ending::Error {
                code: code.to_string(),
                message: message.as_ref().map(ToString::to_string),
                retryable: *retryable,
            },
            _ => return None,
        })
    }

    /// The payload of its delta; `None` for the end of the transport, which is not a delta.
    pub(crate) fn payload(&self) -> Option<Payload<'_>> {
        Some(match self {
            Ending::Done { finish_reason } => Payload::Done { finish_reason: finish_reason.into() },
            Ending::Error { code, message, retryable } => Payload::Error {
                code: code.into(),
                message: message.as_deref().map(Cow::Borrowed),
                retryable: *retryable,
            },
            Ending::Cut => return None,
        })
    }
}
