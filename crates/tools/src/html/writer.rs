//! Lines of Markdown in nested containers: what stands in front of each line, and what between blocks.

/// The most bytes in front of a line. Deeper containers have no mark of their own, so the output stays in
/// proportion to the page.
const WIDEST: usize = 32;

/// No break, a line, a blank line.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Gap {
    None,
    Line,
    Blank,
}

/// What stands in front of the next line, and between it and the last.
#[derive(Clone)]
pub(super) struct Margin {
    /// In front of the next line: as `prefix`, but with the marks of containers that begin there.
    lead: String,
    pub(super) gap: Gap,
    /// How much of the prefix has been open since the last line: that much stands on a blank line.
    common: usize,
}

/// Writes Markdown.
pub(super) struct Writer {
    pub(super) out: String,
    /// In front of every line of the open containers.
    pub(super) prefix: String,
    pub(super) margin: Margin,
    /// A `br` or white space that counts only if text follows.
    br: bool,
    space: bool,
    /// Nothing but marks stands on the line so far.
    pub(super) at_start: bool,
}

impl Writer {
    pub(super) fn new() -> Writer {
        Writer {
            out: String::new(),
            prefix: String::new(),
            margin: Margin { lead: String::new(), gap: Gap::Line, common: 0 },
            br: false,
            space: false,
            at_start: true,
        }
    }

    /// A block begins or ends here. The first block of a container begins where the container does.
    pub(super) fn block(&mut self, gap: Gap) {
        if gap > self.margin.gap && self.margin.lead == self.prefix {
            self.margin.gap = gap;
        }
        (self.br, self.space) = (false, false);
    }

    /// Opens a container: `mark` in front of its first line, as many spaces (or `> `) in front of the others.
    pub(super) fn push(&mut self, mark: &str, is_quote: bool) {
        if self.prefix.len() + mark.len() > WIDEST {
            return;
        }
        self.margin.lead.push_str(mark);
        if is_quote {
            self.prefix.push_str(mark);
        } else {
            self.prefix.extend(mark.bytes().map(|_| ' '));
        }
    }

    /// Closes containers, back to this length of the prefix.
    pub(super) fn pop(&mut self, length: usize) {
        self.prefix.truncate(length);
        self.margin.lead.truncate(length);
        self.margin.common = self.margin.common.min(length);
    }

    pub(super) fn space(&mut self) {
        self.space = true;
    }

    /// A line break; a second one in a row ends the block.
    pub(super) fn br(&mut self) -> bool {
        let is_second = self.br;
        self.br = self.margin.gap == Gap::None && !self.at_start;
        self.space = false;
        is_second
    }

    /// Is the place at the start of a line or block, where white space is not shown?
    pub(super) fn is_before_line(&self) -> bool {
        self.margin.gap != Gap::None || self.br || self.at_start
    }

    /// Writes what stands before the next character.
    pub(super) fn begin(&mut self) {
        if self.margin.gap != Gap::None {
            if !self.out.is_empty() {
                self.out.push('\n');
                if self.margin.gap == Gap::Blank {
                    let common = self.prefix.get(..self.margin.common).unwrap_or_default();
                    self.out.push_str(common.trim_end());
                    self.out.push('\n');
                }
            }
            self.start_line();
        } else if self.br {
            self.out.push_str("  \n");
            self.start_line();
        } else if self.space && !self.at_start {
            self.out.push(' ');
        }
        (self.br, self.space) = (false, false);
    }

    fn start_line(&mut self) {
        self.out.push_str(&self.margin.lead);
        self.margin.lead.clone_from(&self.prefix);
        self.margin.gap = Gap::None;
        self.margin.common = self.prefix.len();
        self.at_start = true;
    }

    /// Ends the line and writes the prefix of the next, without spaces at its end if it stays blank.
    pub(super) fn line(&mut self, is_blank: bool) {
        self.out.push('\n');
        let prefix = if is_blank { self.prefix.trim_end() } else { &self.prefix };
        self.out.push_str(prefix);
    }

    /// A line of a table cell without what stood in front of it.
    pub(super) fn without_prefix<'l>(&self, line: &'l str, margin: &Margin) -> &'l str {
        let inner = line.strip_prefix(&*self.prefix).or_else(|| line.strip_prefix(&*margin.lead));
        inner.unwrap_or_else(|| line.strip_prefix(self.prefix.trim_end()).unwrap_or(line)).trim()
    }
}

/// The longest run of backticks.
pub(super) fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
