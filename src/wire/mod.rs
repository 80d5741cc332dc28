//! From bytes to what they say: framing ([`Framing`]: SSE, NDJSON), and one reader a format of a
//! provider. Every stream arrives as [`MessageDelta`](crate::model::delta)s.

pub mod delta;
mod detect;
pub(crate) mod foreign;
pub mod framing;
#[cfg_attr(not(feature = "providers"), allow(dead_code))]
mod provider_reader;
#[cfg_attr(not(feature = "providers"), allow(dead_code, unused_imports))]
mod providers;
// The readers' own tests run whatever is built.
pub mod reader;
#[cfg(not(any(feature = "providers", test)))]
mod unread;

pub use detect::detect;
pub use framing::frame::{Frame, Framing};
pub use reader::{Fault, Provider, Reader};

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
            WireFormat::Delta => "delta",
            WireFormat::Provider(format) => format.as_str(),
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<WireFormat> {
        match name {
            "delta" => Some(WireFormat::Delta),
            name => Provider::parse(name).map(WireFormat::Provider),
        }
    }
}
