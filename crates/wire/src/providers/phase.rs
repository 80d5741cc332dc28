//! The phase of a reader's stream.

use apex_parts_json::saved::state_choice;

/// The phase of a reader's stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StreamPhase {
    /// No response has started.
    #[default]
    Before,
    /// A response is being read.
    Open,
    /// A response has ended, and no other has started.
    Ended,
}

state_choice!(StreamPhase { Before, Open, Ended });
