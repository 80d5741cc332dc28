//! Where a reader stands in its stream.

use crate::json::saved::state_choice;

/// Where a reader stands in its stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StreamPhase {
    /// Nothing has come.
    #[default]
    Before,
    /// A response is being read.
    Open,
    /// A response has ended.
    Ended,
}

state_choice!(StreamPhase { Before, Open, Ended });
