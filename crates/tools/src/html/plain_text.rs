//! The text of a page: a line for each block, a tab between cells.

use super::attributes::Attributes;
use super::sink::Sink;
use super::tag::{BLOCK, Tag};

/// What stands between the text so far and the next.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Between {
    Nothing,
    Space,
    Tab,
    Line,
}

/// Writes the text.
pub(super) struct PlainText {
    pub(super) out: String,
    between: Between,
    /// The place is in a cell of which nothing was written.
    in_cell: bool,
    is_first_cell: bool,
    /// How many elements are open that keep white space.
    pre: u32,
}

impl PlainText {
    pub(super) fn new() -> PlainText {
        PlainText {
            out: String::new(),
            between: Between::Nothing,
            in_cell: false,
            is_first_cell: false,
            pre: 0,
        }
    }

    fn apart(&mut self, between: Between) {
        if between > self.between && !(self.in_cell && self.between == Between::Tab) {
            self.between = between;
        }
    }

    fn write(&mut self, c: char) {
        if self.between != Between::Nothing {
            let is_start = self.out.is_empty() || self.out.ends_with(['\n', '\t']);
            match self.between {
                Between::Line if !self.out.is_empty() && !self.out.ends_with('\n') => {
                    self.out.push('\n');
                }
                Between::Tab if !self.out.is_empty() => self.out.push('\t'),
                Between::Space if !is_start => self.out.push(' '),
                _ => {}
            }
            self.between = Between::Nothing;
        }
        self.in_cell = false;
        self.out.push(c);
    }

    /// A line break that is one however many there are.
    fn break_line(&mut self) {
        self.between = Between::Line;
        self.in_cell = false;
    }
}

impl Sink for PlainText {
    fn start(&mut self, tag: Tag, _: &Attributes<'_>) {
        match tag {
            Tag::Br if self.pre > 0 => self.text("\n"),
            Tag::Br => self.break_line(),
            Tag::Tr => {
                self.break_line();
                self.is_first_cell = true;
            }
            // Blocks at the end of the cell before do not put the next one on a line of its own.
            Tag::Td | Tag::Th => {
                let is_first = std::mem::take(&mut self.is_first_cell);
                self.between = if is_first { self.between } else { Between::Tab };
                self.in_cell |= !is_first;
            }
            Tag::Button | Tag::Select | Tag::Textarea => self.apart(Between::Space),
            tag if tag.is(BLOCK) => self.apart(Between::Line),
            _ => {}
        }
        self.pre += u32::from(keeps_space(tag));
    }

    fn end(&mut self, tag: Tag) {
        self.pre = self.pre.saturating_sub(u32::from(keeps_space(tag)));
        match tag {
            Tag::Button | Tag::Select | Tag::Textarea => self.apart(Between::Space),
            tag if tag.is(BLOCK) || tag == Tag::Tr => self.apart(Between::Line),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            let is_space = matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}');
            if self.pre > 0 || !is_space {
                self.write(c);
            } else {
                self.apart(Between::Space);
            }
        }
    }
}

fn keeps_space(tag: Tag) -> bool {
    matches!(tag, Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext)
}
