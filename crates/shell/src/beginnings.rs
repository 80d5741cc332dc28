//! Which of many wildcards a text may match, by how they begin.

/// The most bytes of a beginning that count.
const MOST: usize = 32;

/// Wildcards in order, in slots by what stands before their first `*` or `?`. What a text matches is found without
/// trying the others, by its own first bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beginnings {
    /// Whether a wildcard has a beginning of each length.
    lengths: Vec<bool>,
    /// The last wildcard of each slot: its index and one, or 0. A power of two.
    newest: Vec<usize>,
    /// For each wildcard the one before it in its slot, in the same way.
    before: Vec<usize>,
}

impl Beginnings {
    /// Adds a wildcard; `earlier` are those that were added before.
    pub(crate) fn push<'a>(&mut self, wildcard: &str, earlier: impl Iterator<Item = &'a str>) {
        if self.before.len() >= self.newest.len() {
            self.newest = vec![0; self.newest.len().max(8) * 2];
            self.before.clear();
            for one in earlier {
                self.add(one);
            }
        }
        self.add(wildcard);
    }

    fn add(&mut self, wildcard: &str) {
        let mut hash = Hash::NEW;
        let beginning = beginning(wildcard);
        beginning.iter().for_each(|byte| hash.push(*byte));
        if self.lengths.len() <= beginning.len() {
            self.lengths.resize(beginning.len() + 1, false);
        }
        if let Some(is) = self.lengths.get_mut(beginning.len()) {
            *is = true;
        }
        let slot = hash.slot(self.newest.len());
        let own = self.before.len() + 1;
        if let Some(newest) = self.newest.get_mut(slot) {
            self.before.push(std::mem::replace(newest, own));
        }
    }

    /// The index of the last wildcard for which `is`; it is asked of all that the text can match, and of few others.
    pub(crate) fn last(&self, text: &str, is: impl Fn(usize) -> bool) -> Option<usize> {
        let mut found = 0;
        let mut hash = Hash::NEW;
        let mut bytes = text.bytes();
        for has_length in &self.lengths {
            if *has_length {
                let mut next = self.newest.get(hash.slot(self.newest.len())).copied().unwrap_or(0);
                while next > found {
                    if is(next - 1) {
                        found = next;
                    }
                    next = self.before.get(next - 1).copied().unwrap_or(0);
                }
            }
            let Some(byte) = bytes.next() else { break };
            hash.push(byte);
        }
        found.checked_sub(1)
    }
}

/// What every text that the wildcard matches begins with. What ends with a space and `*` also matches what stands before.
fn beginning(wildcard: &str) -> &[u8] {
    let whole = wildcard.strip_suffix(" *").unwrap_or(wildcard).as_bytes();
    let end = whole.iter().position(|byte| matches!(byte, b'*' | b'?')).unwrap_or(whole.len());
    whole.get(..end.min(MOST)).unwrap_or(whole)
}

/// FNV-1a, of bytes in which `\\` is `/`.
#[derive(Clone, Copy)]
struct Hash(u32);

impl Hash {
    const NEW: Hash = Hash(0x811c_9dc5);

    fn push(&mut self, byte: u8) {
        let byte = if byte == b'\\' { b'/' } else { byte };
        self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }

    /// The slot among so many, a power of two.
    fn slot(self, count: usize) -> usize {
        // The upper bits of the product are the better ones.
        let mixed = self.0 ^ (self.0 >> 15);
        usize::try_from(mixed).unwrap_or(0) & count.saturating_sub(1)
    }
}
