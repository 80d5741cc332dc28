//! Hashes that stand for ids and marks.

use super::marks::mark_of;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Key, View, fingerprint};
use std::borrow::Cow;

/// 64 bits that stand for an id, the same on every machine.
pub fn hash(id: &str) -> u64 {
    #[allow(clippy::cast_possible_truncation)] // the lower half
    let low = fingerprint::of(id.as_bytes(), 0) as u64;
    low
}

/// A hash with one more value.
pub const fn mixed(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// The `id` of an object; empty if it has none.
pub(super) fn id_of<V: View>(of: &V) -> String {
    of.get(Key::Id).text().map_or_else(String::new, Cow::into_owned)
}

/// The hash of a message's id with those of its parts and their marks; `mark` changes the mark of the part with an
/// id.
pub(super) fn message_print<V: View>(message: &V, mark: &dyn Fn(&str, f64) -> f64) -> u64 {
    let mut print = hash(&id_of(&message.get(Key::Info)));
    message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
        let id = id_of(part);
        print = mixed(print, part_print(&id, mark(&id, mark_of(part))));
    });
    print
}

/// The hash of a part's id and mark.
pub fn part_print(id: &str, mark: f64) -> u64 {
    mixed(hash(id), if mark.is_nan() { 0 } else { mark.to_bits() | 1 })
}

/// The fingerprint of a history, of the hashes of all its messages and of their number.
pub(super) fn fingerprint_of(all: u64, messages: usize) -> String {
    format!("{:016x}", mixed(all, messages as u64))
}
