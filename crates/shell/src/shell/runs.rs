//! What one command runs: the words and texts in it.

use super::letters::owned;

use std::ops::Range;

/// What one command runs besides itself.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// Words of a command, by their places.
    pub(crate) words: Vec<Range<usize>>,
    /// The same, less probable: an option that is not known could have a value.
    pub(crate) guesses: Vec<Range<usize>>,
    /// Of these texts, words may follow.
    pub(crate) has_arguments: bool,
    /// Texts of bash, and whether each is known as it stands.
    pub(crate) texts: Vec<(String, bool)>,
    /// Places of the words that are such texts.
    pub(crate) text_words: Vec<usize>,
    /// Places of variables that may be options.
    pub(crate) values: Vec<usize>,
    /// It runs something that is not known.
    pub(crate) is_opaque: bool,
    /// It runs a text of bash that is not known.
    pub(crate) is_unknown_text: bool,
    /// More words follow those given: `xargs`.
    pub(crate) is_prefix: bool,
    /// The text in the words for which something else is put.
    pub(crate) replaced: Option<String>,
    /// It is a wrapper, even if it runs nothing here.
    pub(crate) is_wrapper: bool,
}

impl Runs {
    /// It runs these words.
    pub(crate) fn run(&mut self, words: Range<usize>) {
        self.words.push(words);
    }

    /// It runs this text of bash, which is known as it stands or not.
    pub(crate) fn text(&mut self, text: &str, is_known: bool) {
        self.texts.push((owned(text), is_known));
    }
}
