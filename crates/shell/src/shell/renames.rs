//! What a text renames, and the paths in it that may lead through a new name.

use super::by_name::Names;
use super::letters::{begins, is_listed};

/// The most paths that are kept to be compared.
const MAX_NAMED: usize = 4_096;

/// What makes links, or may.
const MAKERS: &str = "ln mv cp tar gtar git unzip rsync cpio";

/// What a text renames, and the paths in it.
#[derive(Default)]
pub(super) struct Renames {
    /// It renames something: paths are kept.
    pub(super) is_there: bool,
    /// The command at hand renames or removes: its words are no paths through what it names.
    pub(super) is_own: bool,
    /// The new names, and whether each is a link.
    pub(super) names: Vec<(String, bool)>,
    /// A new name is not known.
    pub(super) is_open: bool,
    paths: Names,
}

/// Does this command give new names?
pub(super) fn is_rename(name: &str) -> bool {
    is_listed("ln mv gln gmv", name)
}

/// May a program of this name make links?
pub(super) fn makes_link(name: &str) -> bool {
    is_listed(MAKERS, name)
}

impl Renames {
    /// Keeps a path.
    pub(super) fn add(&mut self, path: &str) {
        if self.is_there && !self.is_own && self.paths.count() < MAX_NAMED {
            self.paths.add(path);
        }
    }

    /// Are there more paths than are kept, or does one lead through a new name?
    pub(super) fn are_met(&self) -> bool {
        self.paths.count() >= MAX_NAMED || self.paths.iter().any(|path| self.leads(path, false))
    }

    /// Does a path lead through a new name?
    pub(super) fn leads(&self, path: &str, counts_itself: bool) -> bool {
        let is_through = |(name, is_link): &(String, bool)| {
            let rest = path.strip_prefix(name.as_str());
            rest.is_some_and(|rest| {
                begins(rest, "/") || (rest.is_empty() && (*is_link || counts_itself))
            })
        };
        self.names.iter().any(is_through)
    }
}
