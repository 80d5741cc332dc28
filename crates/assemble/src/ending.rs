//! How a message begins and how it ends.

use apex_parts_model::delta::{Payload, StreamError};

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
    Error(Box<StreamError<'static>>),
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
            Payload::Error(error) => {
                Ending::Error(Box::new(StreamError::clone(error).into_owned()))
            }
            _ => return None,
        })
    }

    /// The payload of its delta; `None` for the end of the transport, which is not a delta.
    pub(crate) fn payload(&self) -> Option<Payload<'_>> {
        Some(match self {
            Ending::Done { finish_reason } => Payload::Done { finish_reason: finish_reason.into() },
            Ending::Error(error) => Payload::Error(error.clone()),
            Ending::Cut => return None,
        })
    }
}
