//! What stands in a secret's place: `[redacted github-token 1]`. It says the kind, and which of those that differ it
//! is; nothing of the secret, not even a hash, by which it could be guessed.

use super::registry::{MASKED, SECRET_KINDS};
use super::secret_kind::KindIndex;
use apex_parts_model::sorted_map::SortedMap;

/// The most secrets of a kind that are numbered, and the most bytes of them that are held for it.
const MOST: usize = 100_000;
const MOST_BYTES: usize = 1 << 25;

/// The numbers of the secrets of one kind, in the order in which they appeared.
#[derive(Debug, Default)]
pub(super) struct SecretNumbers {
    numbers: SortedMap<Vec<u8>, usize>,
    bytes: usize,
}

impl SecretNumbers {
    /// How many differ.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a secret, from 1; `None` if there are too many to tell them apart.
    pub(super) fn number(&mut self, secret: &[u8]) -> Option<usize> {
        if let Some(number) = self.numbers.get(secret) {
            return Some(*number);
        }
        if self.numbers.len() >= MOST || self.bytes + secret.len() > MOST_BYTES {
            return None;
        }
        self.bytes += secret.len();
        let number = self.numbers.len() + 1;
        self.numbers.insert(secret.to_vec(), number);
        Some(number)
    }
}

/// The mask of a kind and a number.
pub(super) fn mask(kind: KindIndex, number: Option<usize>) -> String {
    let word = SECRET_KINDS.get(kind.0).unwrap_or(&MASKED).mask;
    match number {
        Some(number) => format!("[redacted {word} {number}]"),
        None => format!("[redacted {word}]"),
    }
}

/// The most characters of a secret that are shown.
const SHOWN: usize = 4;

/// A secret as a list of what was found shows it: its first four characters, of a short one the first, and its length.
pub(super) fn hint(secret: &[u8]) -> String {
    let text = String::from_utf8_lossy(secret);
    let length = text.chars().count();
    let most = if length < 2 * SHOWN { 1 } else { SHOWN };
    let head: String = text.chars().take(most).collect();
    format!("{head}… ({length} characters)")
}
