//! The time of a delta.

use super::part::Ms;
use crate::model::time;

/// The time of a delta: read only where it matters.
#[derive(Clone, Copy)]
pub(crate) enum DeltaTime<'a> {
    Text(&'a str),
    Ms(i64),
}

impl DeltaTime<'_> {
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
