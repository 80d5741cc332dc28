//! The text of frontmatter for the parser. Its own input refuses a value with only tabs before it
//! (`name:<tab>pdf`), which YAML 1.2 allows.

use saphyr_parser::input::{Input, SkipTabs, is_breakz};

/// The rest of the text.
pub(super) struct YamlInput<'y> {
    rest: &'y str,
    /// The last character that was read is a colon.
    is_after_colon: bool,
}

/// As many characters as the parser may ask for at once: all are there.
const LOOKAHEAD: usize = 128;

impl<'y> YamlInput<'y> {
    pub(super) fn new(yaml: &'y str) -> YamlInput<'y> {
        YamlInput { rest: yaml, is_after_colon: false }
    }
}

impl Input for YamlInput<'_> {
    fn lookahead(&mut self, _count: usize) {}

    fn buflen(&self) -> usize {
        LOOKAHEAD
    }

    fn bufmaxlen(&self) -> usize {
        LOOKAHEAD
    }

    #[inline]
    fn raw_read_ch(&mut self) -> char {
        let mut chars = self.rest.chars();
        let read = chars.next().unwrap_or('\0');
        self.rest = chars.as_str();
        self.is_after_colon = read == ':';
        read
    }

    #[inline]
    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        let read = self.peek();
        if is_breakz(read) || read == '\u{feff}' { None } else { Some(self.raw_read_ch()) }
    }

    #[inline]
    fn skip(&mut self) {
        let _ = self.raw_read_ch();
    }

    #[inline]
    fn skip_n(&mut self, count: usize) {
        for _ in 0..count {
            self.skip();
        }
    }

    #[inline]
    fn peek(&self) -> char {
        self.peek_opt().unwrap_or('\0')
    }

    #[inline]
    fn peek_nth(&self, n: usize) -> char {
        self.rest.chars().nth(n).unwrap_or('\0')
    }

    #[inline]
    fn peek_opt(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Skips blanks and a comment; says what was skipped, and whether there were tabs and spaces.
    fn skip_ws_to_eol(&mut self, skip_tabs: SkipTabs) -> (usize, Result<SkipTabs, &'static str>) {
        let is_after_colon = self.is_after_colon;
        let (mut skipped, mut tabs, mut spaces) = (0, false, false);
        loop {
            match self.peek() {
                ' ' => spaces = true,
                '\t' if skip_tabs != SkipTabs::No => tabs = true,
                '#' if !tabs && !spaces => {
                    return (
                        skipped,
                        Err("comments must be separated from other tokens by whitespace"),
                    );
                }
                '#' => {
                    while self.raw_read_non_breakz_ch().is_some() {
                        skipped += 1;
                    }
                    break;
                }
                _ => break,
            }
            self.skip();
            skipped += 1;
        }
        (skipped, Ok(SkipTabs::Result(tabs, spaces || (tabs && is_after_colon))))
    }
}
