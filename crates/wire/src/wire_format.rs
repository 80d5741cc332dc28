//! The formats of streams: deltas, and those of the providers.

use super::provider_format::DELTA;
use super::providers::Provider;
use apex_parts_model::Agent;

/// The format of a stream's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WireFormat {
    /// `MessageDelta`s, as SSE or NDJSON.
    #[default]
    Delta,
    /// A provider's format.
    Provider(Provider),
}

impl WireFormat {
    /// The names of all formats of streams.
    #[allow(clippy::indexing_slicing)] // evaluated by the compiler, which refuses an index out of bounds
    pub const NAMES: [&str; 1 + Provider::ALL.len()] = {
        let mut names = [DELTA; 1 + Provider::ALL.len()];
        let mut i = 0;
        while i < Provider::ALL.len() {
            names[i + 1] = Provider::ALL[i].as_str();
            i += 1;
        }
        names
    };

    /// Every format: deltas first, then those of the providers.
    pub fn all() -> impl Iterator<Item = WireFormat> {
        let providers = Provider::ALL.iter().copied().map(WireFormat::Provider);
        std::iter::once(WireFormat::Delta).chain(providers)
    }

    /// The format's name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WireFormat::Delta => DELTA,
            WireFormat::Provider(format) => format.as_str(),
        }
    }

    /// The format of this index in [`WireFormat::NAMES`].
    #[must_use]
    #[allow(clippy::indexing_slicing)] // evaluated by the compiler, which refuses an index out of bounds
    pub const fn at(index: usize) -> WireFormat {
        match index {
            0 => WireFormat::Delta,
            _ => WireFormat::Provider(Provider::ALL[index - 1]),
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            WireFormat::Delta => "Deltas",
            WireFormat::Provider(format) => format.title(),
        }
    }

    /// The agent that sends it; `None` if any program may.
    #[must_use]
    pub const fn agent(self) -> Option<Agent> {
        match self {
            WireFormat::Delta => None,
            WireFormat::Provider(format) => format.agent(),
        }
    }

    /// Whether a stream of it also has what the caller's tools returned.
    #[must_use]
    pub const fn holds_results(self) -> bool {
        match self {
            WireFormat::Delta => true,
            WireFormat::Provider(format) => format.holds_results(),
        }
    }

    /// Whether a stream of it says texts or calls in pieces, and then whole.
    #[must_use]
    pub const fn says_wholes(self) -> bool {
        match self {
            WireFormat::Delta => false,
            WireFormat::Provider(format) => format.says_wholes(),
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
