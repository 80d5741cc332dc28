//! What of a message is sent to a model.

use apex_parts_model::{Key, Kind, View, Word};

/// Is a file of the user sent as a file? Texts and folders are not: their content is a text beside them.
pub fn is_sent_file<V: View>(file: &V) -> bool {
    !matches!(file.get_word(Key::Mime), Some(Word::TextPlain | Word::Directory))
}

/// Is the output of a completed call cleared, so that a placeholder is sent?
pub fn is_cleared<V: View>(state: &V) -> bool {
    state.get(Key::Time).get(Key::Compacted).kind() == Kind::Number
}
