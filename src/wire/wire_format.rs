//! The formats of streams: deltas, and those of the providers.

use super::provider_format::DELTA;
use super::providers::Provider;

/// What the bytes of a stream are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WireFormat {
    /// `MessageDelta`s, as SSE or NDJSON.
    #[default]
    Delta,
    /// A provider's own.
    Provider(Provider),
}

impl WireFormat {
    /// The format's name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WireFormat::Delta => DELTA,
            WireFormat::Provider(format) => format.as_str(),
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<WireFormat> {
        match name {
            DELTA => Some(WireFormat::Delta),
            name => Provider::parse(name).map(WireFormat::Provider),
        }
    }
}
