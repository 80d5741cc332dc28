//! Finds fields of an object by names that the model does not have.

use super::node::Node;
use crate::block::ESCAPED;
use crate::string::unescape_bytes;
use apex_parts_model::bytes::same;
use apex_parts_model::{Kind, View};

/// A bit for a name, by its length and its first byte: most names of an object have another one than those asked for.
#[inline(always)]
fn mark(name: &[u8]) -> u64 {
    let first = name.first().copied().unwrap_or_default();
    1_u64 << ((name.len() + 7 * usize::from(first)) % 64)
}

/// Which of these names it is; their number if it is none.
#[inline(always)]
fn place_of(names: &[&str], name: &[u8]) -> usize {
    let mut place = 0;
    for wanted in names {
        if same(wanted.as_bytes(), name) {
            break;
        }
        place += 1;
    }
    place
}

impl<'a> Node<'a> {
    /// The fields of an object with these names, each into the place of its name. If a name comes twice, the last one
    /// counts, as for `JSON.parse`. Of what is not an object there are none.
    pub fn pick(self, names: &[&str], found: &mut [Option<Node<'a>>]) {
        self.pick_or(names, found, |_, _| ());
    }

    /// The same; `other` is shown the name and the value of each field with another name.
    pub fn pick_or(
        self,
        names: &[&str],
        found: &mut [Option<Node<'a>>],
        mut other: impl FnMut(&[u8], Node<'a>),
    ) {
        if self.kind() != Kind::Object {
            return;
        }
        let (entries, bytes) = (self.tape.entries.as_slice(), self.bytes());
        let end = entries.get(self.index as usize).map_or(0, |object| object.next);
        // For a few fields the marks of all names would cost more than they save.
        let wanted = if (end - self.index) as usize > 2 * names.len() {
            names.iter().fold(0, |all, name| all | mark(name.as_bytes()))
        } else {
            u64::MAX
        };
        let mut at = self.index + 1;
        while at < end
            && let Some(key) = entries.get(at as usize)
        {
            let value = Node { index: at + 1, ..self };
            at = key.next;
            let raw = bytes.get(key.start as usize..key.end as usize).unwrap_or_default();
            let mut take = |name: &[u8], place: usize| match found.get_mut(place) {
                Some(slot) => *slot = Some(value),
                None => other(name, value),
            };
            if key.how & ESCAPED != 0 {
                let name = unescape_bytes(raw);
                take(name.as_bytes(), place_of(names, name.as_bytes()));
            } else if mark(raw) & wanted != 0 {
                take(raw, place_of(names, raw));
            } else {
                take(raw, names.len());
            }
        }
    }
}
