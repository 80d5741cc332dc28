//! Bytes that have arrived and have not been read yet.

/// The bytes that followed a violation in its chunk.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    all: Vec<u8>,
    /// The number of bytes at the front that have been read.
    read: usize,
}

impl Backlog {
    pub(crate) fn new(bytes: Vec<u8>) -> Backlog {
        Backlog { all: bytes, read: 0 }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.all.get(self.read..).unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }

    /// Marks `count` more bytes as read. They are removed once they are at least half of all, so
    /// that moving the rest costs no more than reading did.
    pub(crate) fn skip(&mut self, count: usize) {
        self.read = self.read.saturating_add(count).min(self.all.len());
        if self.read * 2 >= self.all.len() {
            self.all.drain(..self.read);
            self.read = 0;
        }
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.all.extend_from_slice(bytes);
    }
}
