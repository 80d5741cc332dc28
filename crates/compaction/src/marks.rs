//! The marks of cleared outputs: `state.time.compacted`.

use apex_parts_model::{Key, Status, View, Word};

/// The mark of a call: when its output was cleared; `NaN` if it was not, and for other parts.
pub fn mark_of<V: View>(part: &V) -> f64 {
    let mark = part.get(Key::State).get(Key::Time).get(Key::Compacted).number();
    if mark.is_nan() || part.get_word(Key::Type) == Some(Word::Tool) { mark } else { f64::NAN }
}

/// Is a call marked as cleared that has no output to clear (CP-5)?
pub fn is_stray_mark<V: View>(part: &V) -> bool {
    let state = part.get(Key::State);
    !mark_of(part).is_nan() && Status::read(&state) != Some(Status::Completed)
}

/// The text of CP-5.
pub const STRAY_MARK: &str =
    "only the output of a completed call can be cleared: `compacted` has no effect here";
