//! Text that a model reads and a person does not see: which characters and sequences those are, and the text
//! without them. Words are never looked for: whether a text is an injection is not decided here.

use std::borrow::Cow;
use std::ops::Range;

/// The characters that are removed wherever they stand, in the order of their code points. The byte order mark
/// stays at the start of a text.
const INVISIBLE: [(char, char); 8] = [
    ('\u{61c}', '\u{61c}'),
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{2069}'),
    (BOM, BOM),
    ('\u{e0000}', '\u{e007f}'),
];

const BOM: char = '\u{feff}';
const ESCAPE: char = '\u{1b}';
/// The introducer of a control sequence as one character.
const CSI: char = '\u{9b}';

/// Which control characters are removed beside escape sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Controls {
    /// None: what a command prints may have them.
    #[default]
    Keep,
    /// All but tab, line feed and carriage return.
    Remove,
}

/// A stretch of a text that is not seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HiddenStretch {
    /// Its bytes.
    pub range: Range<usize>,
    /// It changes the order in which the text is shown.
    pub reorders: bool,
}

/// The stretches of a text that are not seen, in their order: one for a character or an escape sequence.
///
/// Joiners stay between letters and emoji, variation selectors everywhere.
///
/// ```
/// use apex_parts_model::invisible::{Controls, HiddenStretches};
///
/// let mut hidden = HiddenStretches::new("a\u{200b}b\u{1b}[1mc", Controls::Keep);
/// assert_eq!(hidden.next().unwrap().range, 1..4);
/// assert_eq!(hidden.next().unwrap().range, 5..9);
/// assert_eq!(hidden.next(), None);
/// ```
#[derive(Clone, Debug)]
pub struct HiddenStretches<'t> {
    text: &'t str,
    at: usize,
    /// The last character that stays.
    before: char,
    /// A byte order mark at the start is one.
    has_mark: bool,
    controls: Controls,
}

impl<'t> HiddenStretches<'t> {
    /// The stretches of this text.
    #[must_use]
    pub const fn new(text: &'t str, controls: Controls) -> HiddenStretches<'t> {
        HiddenStretches { text, at: 0, before: '\0', has_mark: true, controls }
    }

    /// The same for a text that comes after another one: it does not begin with a byte order mark.
    #[must_use]
    pub const fn inside(text: &'t str, controls: Controls) -> HiddenStretches<'t> {
        HiddenStretches { has_mark: false, ..HiddenStretches::new(text, controls) }
    }
}

impl Iterator for HiddenStretches<'_> {
    type Item = HiddenStretch;

    #[inline(never)]
    fn next(&mut self) -> Option<HiddenStretch> {
        loop {
            let rest = self.text.get(self.at..)?;
            let c = rest.chars().next()?;
            let start = self.at;
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            self.at += c.len_utf8();
            let is_hidden = match c {
                ' '..='~' | '\t' | '\n' | '\r' => false,
                ESCAPE | CSI => {
                    let end = after_sequence(c, after).unwrap_or(after);
                    self.at = self.text.len() - end.len();
                    true
                }
                BOM => start > 0 || !self.has_mark,
                // Between letters and emoji they are part of how a word is written.
                '\u{200c}' | '\u{200d}' => {
                    !is_joined(self.before) || !after.chars().next().is_some_and(is_joined)
                }
                c if c.is_control() => self.controls == Controls::Remove,
                c => is_invisible(c),
            };
            if is_hidden {
                return Some(HiddenStretch { range: start..self.at, reorders: is_reordering(c) });
            }
            self.before = c;
        }
    }
}

/// A text without what is not seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisibleText<'t> {
    /// What is seen; the same text if that is all of it.
    pub text: Cow<'t, str>,
    /// How many characters and sequences were removed that only hide something.
    pub hidden: usize,
    /// How many characters were removed that change the order in which text is shown.
    pub reordering: usize,
}

impl<'t> VisibleText<'t> {
    /// What is seen of a text.
    ///
    /// ```
    /// use apex_parts_model::invisible::{Controls, VisibleText};
    ///
    /// let seen = VisibleText::new("ru\u{200b}n \u{1b}[31mred\u{1b}[0m", Controls::Keep);
    /// assert_eq!((&*seen.text, seen.removed()), ("run red", 3));
    /// ```
    #[must_use]
    pub fn new(text: &'t str, controls: Controls) -> VisibleText<'t> {
        VisibleText::without(text, HiddenStretches::new(text, controls))
    }

    /// The same for a text that comes after another one: it does not begin with a byte order mark.
    #[must_use]
    pub fn inside(text: &'t str, controls: Controls) -> VisibleText<'t> {
        VisibleText::without(text, HiddenStretches::inside(text, controls))
    }

    // Once, and not in each place that has a text: it costs a call for a whole text.
    #[inline(never)]
    fn without(text: &'t str, stretches: HiddenStretches<'_>) -> VisibleText<'t> {
        let mut seen = String::new();
        let (mut from, mut hidden, mut reordering) = (0, 0, 0);
        for stretch in stretches {
            seen.push_str(text.get(from..stretch.range.start).unwrap_or_default());
            from = stretch.range.end;
            if stretch.reorders {
                reordering += 1;
            } else {
                hidden += 1;
            }
        }
        let text = if from == 0 {
            Cow::Borrowed(text)
        } else {
            seen.push_str(text.get(from..).unwrap_or_default());
            Cow::Owned(seen)
        };
        VisibleText { text, hidden, reordering }
    }

    /// How many characters and sequences were removed.
    #[must_use]
    pub const fn removed(&self) -> usize {
        self.hidden + self.reordering
    }
}

fn is_invisible(c: char) -> bool {
    INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// An embedding, an override or an isolate.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A letter or an emoji, or what belongs to one (marks, variation selectors): beyond ASCII all that is neither
/// blank nor punctuation of every script.
fn is_joined(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_alphabetic(),
        '\u{a9}' | '\u{ae}' => true,
        '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{3020}' => false,
        c => !c.is_whitespace() && !is_invisible(c),
    }
}

/// What follows an escape sequence whose introducer was read; `None` if it is not one, or does not end: then only
/// its introducer goes, for the rest is seen.
fn after_sequence(introducer: char, text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let first = if introducer == CSI { '[' } else { chars.next()? };
    let rest = chars.as_str();
    match first {
        // A control sequence: parameters, intermediates, one final character.
        '[' => {
            let rest = rest.trim_start_matches(|c| ('0'..='?').contains(&c));
            let rest = rest.trim_start_matches(|c| (' '..='/').contains(&c));
            rest.strip_prefix(|c| ('@'..='~').contains(&c))
        }
        // A string for the terminal, as a title or the target of a link; it is not shown.
        ']' | 'P' | 'X' | '^' | '_' => {
            let end = rest.find(['\u{7}', '\u{9c}', ESCAPE, '\n'])?;
            let mut end = rest.get(end..)?.chars();
            match end.next()? {
                '\u{7}' | '\u{9c}' => Some(end.as_str()),
                ESCAPE => end.as_str().strip_prefix('\\'),
                _ => None,
            }
        }
        // A character set, and others with an intermediate.
        '#' | '%' | '('..='/' => rest.strip_prefix(|c| ('0'..='~').contains(&c)),
        '7' | '8' | '=' | '>' | 'D' | 'E' | 'H' | 'M' | 'N' | 'O' | 'Z' | '\\' | 'c' => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
