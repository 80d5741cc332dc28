//! A row of the registry: a kind of secret.

use super::haystack::{Haystack, Spans};

/// Reads what may begin at an anchor, and adds what it is. Gives the place before which it need not be called again.
pub(super) type Finder = fn(Haystack<'_>, usize, &mut Spans) -> usize;

/// A kind of secret.
#[derive(Debug)]
pub struct SecretKind {
    /// Its name: `github-token`.
    pub name: &'static str,
    /// What it is, in words.
    pub what: &'static str,
    /// What a mask calls it; most often its name.
    pub(super) mask: &'static str,
    /// Texts, in any case of letters, at each of which a function is called.
    pub(super) anchors: &'static [(&'static str, Finder)],
}

impl SecretKind {
    /// What a mask calls it, as `user` of a home folder.
    #[must_use]
    pub fn mask(&self) -> &'static str {
        self.mask
    }
}

/// A kind by its place in the registry, which is its rank too: of two that overlap the first counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct KindIndex(pub(super) usize);

/// The most kinds: they are counted in the bits of a number.
pub(super) const MOST_KINDS: usize = 32;
