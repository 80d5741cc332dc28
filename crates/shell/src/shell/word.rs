//! A word of bash: its source, what is left of it without quotes, and how much of it is known.

use super::letters::{DIGITS, begins, ends, has_any, is_listed, is_made_of, owned};

/// One word. Sizes are in bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShellWord {
    /// The source.
    pub(crate) raw: String,
    /// Without quotes; expansions stay as they are in the source.
    pub(crate) text: String,
    /// Without quotes and without expansions: what runs if they are all empty.
    pub(crate) bare: String,
    /// There is an expansion: the text is not what the command gets.
    pub(crate) expands: bool,
    /// There is an expansion whose value may be a path (not arithmetic, not a process substitution).
    pub(crate) unknown: bool,
    /// An expansion stands outside double quotes: it may become no word, or several.
    pub(crate) splits: bool,
    /// There are quotes or escapes: it is no reserved word, and as a delimiter it makes the body literal.
    pub(crate) quoted: bool,
    /// Where `text` has its first glob character or brace expansion outside quotes.
    pub(crate) wild: Option<usize>,
    /// There is a brace expansion.
    pub(crate) braces: bool,
    /// There is a `/` that may be part of a path.
    pub(crate) slash: bool,
    /// It is the assignment of an array, or of an element of one.
    pub(crate) is_array: bool,
    /// The offset in `text` behind the `=` of an assignment.
    pub(crate) value: Option<usize>,
    /// The only expansion is this variable.
    pub(crate) variable: Option<String>,
    /// The number of expansions.
    pub(crate) expansions: usize,
    /// Where the last expansion begins and ends, if it is a `$NAME`.
    pub(crate) last_name: Option<(usize, usize)>,
}

impl ShellWord {
    /// A word without quotes and expansions.
    pub(crate) fn plain(text: &str) -> ShellWord {
        let [raw, text, bare] = [text, text, text].map(owned);
        ShellWord { raw, text, bare, ..ShellWord::default() }
    }

    /// A word that is one expansion, and not split.
    pub(crate) fn expanding(source: &str) -> ShellWord {
        let mut word = ShellWord::default();
        word.expansion(source, true);
        word
    }

    /// A character that stands for itself.
    pub(crate) fn push(&mut self, c: char) {
        let is_name = self.last_name.take_if(|(_, end)| *end == self.text.len());
        if let Some((start, end)) = is_name
            && (c.is_ascii_alphanumeric() || c == '_')
        {
            // It is no part of the name before it.
            self.text.insert(end, '}');
            self.text.insert(start + 1, '{');
        }
        self.slash |= c == '/';
        self.text.push(c);
        self.bare.push(c);
    }

    /// An expansion, given as its source.
    pub(crate) fn expansion(&mut self, source: &str, is_quoted: bool) {
        // Escaped line feeds are nothing but in quotes.
        let joined = source.replace("\\\n", "");
        let source = if has_any(source, "'") { source } else { &joined };
        self.expands = true;
        self.splits |= !is_quoted;
        self.expansions += 1;
        self.variable = None;
        let start = self.text.len();
        self.text.push_str(source);
        let is_name = source.strip_prefix('$').is_some_and(is_identifier);
        self.last_name = is_name.then_some((start, self.text.len()));
    }

    /// Notes that a glob character or a brace expansion begins at this offset of `text`.
    pub(crate) fn mark_wild(&mut self, at: usize) {
        self.wild = Some(self.wild.map_or(at, |wild| wild.min(at)));
    }

    /// Is the word known as it stands, but for file names that a glob finds?
    pub(crate) fn is_literal(&self) -> bool {
        !self.expands && !self.braces
    }

    /// Is it one word that is known, whatever files there are?
    #[inline(never)]
    pub(crate) fn is_fixed(&self) -> bool {
        self.is_literal() && self.wild.is_none()
    }

    /// May it become several words, or none?
    #[inline(never)]
    pub(crate) fn may_be_several(&self) -> bool {
        self.splits || self.braces || self.wild.is_some()
    }

    /// May it be any word, once it is expanded? A number is none.
    pub(crate) fn may_be_word(&self) -> bool {
        self.unknown || self.braces || self.wild.is_some()
    }

    /// Is it a home directory, which may be any path?
    pub(crate) fn is_home(&self) -> bool {
        !self.quoted && begins(&self.text, "~") && !has_any(&self.text, "/")
    }

    /// Is it known what a command of this name is? (`[` alone is a name, not a glob.)
    pub(crate) fn is_known_name(&self) -> bool {
        self.is_literal() && (self.wild.is_none() || self.text == "[") && !self.is_home()
    }

    /// Is its text one of these, between which blanks stand?
    #[inline(never)]
    pub(crate) fn is(&self, list: &str) -> bool {
        is_listed(list, &self.text)
    }

    /// Is it an assignment, if it stands before a command's name?
    pub(crate) fn is_assignment(&self) -> bool {
        self.value.is_some()
    }
}

/// The words from this one on.
#[inline(never)]
pub(crate) fn rest_words(words: &[ShellWord], at: usize) -> &[ShellWord] {
    words.get(at..).unwrap_or_default()
}

/// The text of a word, if there is one.
#[inline(never)]
pub(crate) fn text_at(words: &[ShellWord], at: usize) -> &str {
    words.get(at).map_or("", |word| &word.text)
}

/// Words as one text, with one space between them: without quotes, or as in the source.
pub(crate) fn joined(words: &[ShellWord], is_raw: bool) -> String {
    let mut out = String::new();
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(if is_raw { &word.raw } else { &word.text });
    }
    out
}

/// Is it a variable's name?
pub(crate) fn is_identifier(text: &str) -> bool {
    !text.is_empty() && !begins(text, DIGITS) && is_made_of(text, "_")
}

/// Is it what may stand before the `=` of an assignment: `NAME`, `NAME+`, `NAME[…]`?
pub(crate) fn is_assignable(text: &str) -> bool {
    let text = text.strip_suffix('+').unwrap_or(text);
    let name = match text.split_once('[') {
        Some((name, index)) if ends(index, "]") => name,
        Some(_) => return false,
        None => text,
    };
    is_identifier(name)
}
