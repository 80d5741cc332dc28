//! [`MessagesReader`]: what reads the messages of a format.

use super::builder::MessageBuilder;
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path};

/// What reads the messages of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessagesReader {
    /// Reads what a body has beside its messages: instructions and tools.
    pub(crate) head: fn(Node<'_>, &mut MessageBuilder),
    /// Reads a message.
    pub(crate) message: fn(Node<'_>, &Path<'_>, &mut MessageBuilder),
    /// What is a message if it stands in the place of the list.
    pub(crate) alone: &'static [Kind],
}
