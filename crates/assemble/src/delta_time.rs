//! The time of a delta, in the form in which it came.

use super::part::Ms;
use apex_parts_model::time;

/// The time of a delta. Text is parsed only when the milliseconds are needed: most deltas never are
/// asked.
#[derive(Clone, Copy)]
pub(crate) enum DeltaTime<'a> {
    /// ISO 8601, from a delta.
    Text(&'a str),
    /// Milliseconds since the Unix epoch, from the host's clock.
    Ms(i64),
}

impl DeltaTime<'_> {
    #[inline(always)]
    pub(crate) fn ms(self) -> Ms {
        match self {
            DeltaTime::Text(text) => time::parse(text),
            DeltaTime::Ms(ms) => Some(ms),
        }
    }

    pub(crate) fn text(self) -> String {
        match self {
            DeltaTime::Text(text) => text.to_owned(),
            DeltaTime::Ms(ms) => time::format(ms),
        }
    }
}
