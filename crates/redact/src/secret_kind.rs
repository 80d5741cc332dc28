//! A row of the registry: a kind of secret.

use super::haystack::{Haystack, Spans};
use super::shaped_token::ShapedToken;

/// Reads what may begin at an anchor, and adds what it is. Gives the place before which it need not be called again.
pub(super) type Finder = fn(Haystack<'_>, usize, &mut Spans) -> usize;

/// A token that is known by how it begins.
#[derive(Debug)]
pub(super) struct KnownToken {
    pub(super) prefix: &'static str,
    /// What may follow the prefix.
    pub(super) body: fn(u8) -> bool,
    /// The fewest and the most bytes after it.
    pub(super) least: usize,
    pub(super) most: usize,
    /// Others begin like this too: what follows has to look as if it were random.
    pub(super) is_random: bool,
}

/// The longest token without a length of its own.
pub(super) const LONG: usize = 1024;

/// A token that only such keys begin like.
pub(super) const fn token(
    prefix: &'static str,
    body: fn(u8) -> bool,
    least: usize,
    most: usize,
) -> KnownToken {
    KnownToken { prefix, body, least, most, is_random: false }
}

/// The same for a beginning that other things have too.
pub(super) const fn random(
    prefix: &'static str,
    body: fn(u8) -> bool,
    least: usize,
    most: usize,
) -> KnownToken {
    KnownToken { prefix, body, least, most, is_random: true }
}

/// A kind of secret.
#[derive(Debug)]
pub struct SecretKind {
    /// Its name: `github-token`.
    pub name: &'static str,
    /// What it is, in words.
    pub what: &'static str,
    /// What a mask calls it; most often its name.
    pub(super) mask: &'static str,
    pub(super) tokens: &'static [KnownToken],
    pub(super) shapes: &'static [ShapedToken],
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
