//! A hash of a file's content, which tells whether it has changed.
//!
//! It must notice a change, not withstand someone who looks for two contents with the same hash: who can write
//! the file needs none. So it is a fast one of 64 bits, with the length beside it.

const KEY: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of bytes that come in pieces, wherever they are cut.
///
/// ```
/// use apex_parts_tools::content_hash::ContentHash;
///
/// let mut pieces = ContentHash::default();
/// pieces.push(b"some ");
/// pieces.push(b"text");
/// let mut whole = ContentHash::default();
/// whole.push(b"some text");
/// assert_eq!(pieces.value(), whole.value());
/// ```
#[derive(Clone, Debug, Default)]
pub struct ContentHash {
    state: u64,
    length: u64,
    /// The bytes of a word that is not complete, the first in the lowest place.
    rest: u64,
}

impl ContentHash {
    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let open = (8 - self.length % 8) % 8;
        let (head, bytes) = bytes.split_at(bytes.len().min(usize::try_from(open).unwrap_or(0)));
        self.push_few(head);
        let words = bytes.chunks_exact(8);
        let last = words.remainder();
        let mut state = self.state;
        for word in words {
            if let Ok(word) = word.try_into() {
                state = mixed(state, u64::from_le_bytes(word));
                self.length += 8;
            }
        }
        self.state = state;
        self.push_few(last);
    }

    fn push_few(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.rest |= u64::from(*byte) << (8 * (self.length % 8));
            self.length += 1;
            if self.length.is_multiple_of(8) {
                self.state = mixed(self.state, self.rest);
                self.rest = 0;
            }
        }
    }

    /// The hash of what was pushed so far: 16 hexadecimal digits, `-`, the length.
    #[must_use]
    pub fn value(&self) -> String {
        let mut x = mixed(mixed(self.state, self.rest), self.length);
        // Every bit of the state counts for every bit of the hash.
        x = (x ^ (x >> 32)).wrapping_mul(KEY);
        x = (x ^ (x >> 29)).wrapping_mul(KEY);
        format!("{:016x}-{}", x ^ (x >> 32), self.length)
    }
}

fn mixed(state: u64, word: u64) -> u64 {
    (state.rotate_left(23) ^ word).wrapping_mul(KEY)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hash(bytes: &[u8]) -> String {
        let mut hash = ContentHash::default();
        hash.push(bytes);
        hash.value()
    }

    proptest! {
        #[test]
        fn pieces_have_the_hash_of_the_whole(
            bytes in proptest::collection::vec(any::<u8>(), 0..100),
            cuts in proptest::collection::vec(0..100usize, 0..5),
        ) {
            let mut pieces = ContentHash::default();
            let mut rest = bytes.as_slice();
            for cut in cuts {
                let (piece, more) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = more;
            }
            pieces.push(rest);
            prop_assert_eq!(pieces.value(), hash(&bytes));
        }

        #[test]
        fn a_change_changes_the_hash(
            bytes in proptest::collection::vec(any::<u8>(), 1..100),
            at in any::<prop::sample::Index>(),
            by in 1..=255u8,
        ) {
            let mut changed = bytes.clone();
            let at = at.index(bytes.len());
            changed[at] ^= by;
            prop_assert_ne!(hash(&changed), hash(&bytes));
        }
    }

    #[test]
    fn zeros_count() {
        let hashes: Vec<String> = (0..20).map(|n| hash(&vec![0; n])).collect();
        for (i, one) in hashes.iter().enumerate() {
            assert!(hashes.iter().skip(i + 1).all(|other| other != one));
        }
    }
}
