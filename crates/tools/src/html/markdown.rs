//! A page as Markdown.

use super::attributes::Attributes;
use super::code_block::CodeBlock;
use super::escape::{Place, is_markup};
use super::link::{Target, target};
use super::marks::{MarkKind, Marks, fence};
use super::sink::Sink;
use super::table::Table;
use super::tag::{BLOCK, Tag};
use super::writer::{Gap, Writer};

/// A list that is open.
struct List {
    /// The number of the next item; none without numbers.
    number: Option<u32>,
    /// How long the output was when it began.
    from: usize,
}

/// Writes Markdown.
pub(super) struct Markdown<'r> {
    writer: Writer,
    marks: Marks,
    resolve: &'r mut dyn FnMut(&str) -> Option<String>,
    /// For each open container the length of the prefix around it.
    containers: Vec<usize>,
    lists: Vec<List>,
    code: CodeBlock,
    /// How many headings are open: in them blocks are white space. And the level of one not written yet.
    headings: u32,
    level: usize,
    tables: Vec<Table>,
    /// Tables within headings and code, which are none.
    flat_tables: u32,
    /// Only digits stand on the line so far.
    after_number: bool,
}

impl<'r> Markdown<'r> {
    pub(super) fn new(resolve: &'r mut dyn FnMut(&str) -> Option<String>) -> Markdown<'r> {
        Markdown {
            writer: Writer::new(),
            marks: Marks::new(),
            resolve,
            containers: Vec::new(),
            lists: Vec::new(),
            code: CodeBlock::default(),
            headings: 0,
            level: 0,
            tables: Vec::new(),
            flat_tables: 0,
            after_number: false,
        }
    }

    pub(super) fn finish(self) -> String {
        self.writer.out
    }

    /// A block begins or ends.
    fn block(&mut self, gap: Gap) {
        if self.code.depth > 0 {
            if !self.code.text.is_empty() && !self.code.text.ends_with('\n') {
                self.code.text.push('\n');
            }
        } else if self.headings > 0 {
            self.writer.space();
        } else {
            self.marks.end_block(&mut self.writer);
            self.writer.block(gap);
        }
    }

    /// Writes what stands before text.
    fn begin(&mut self) {
        self.writer.begin();
        if self.level > 0 {
            let sign = "######".get(..self.level).unwrap_or_default();
            self.writer.out.push_str(sign);
            self.writer.out.push(' ');
            self.level = 0;
            self.writer.at_start = false;
        }
        self.marks.write(&mut self.writer);
    }

    fn br(&mut self) {
        if self.code.depth > 0 {
            self.code.text.push('\n');
        } else if self.headings > 0 || self.marks.is_open(MarkKind::Code) {
            self.writer.space();
        } else if self.writer.br() {
            self.block(Gap::Blank);
        }
    }

    fn open(&mut self, mark: &str, is_quote: bool) {
        self.containers.push(self.writer.prefix.len());
        self.writer.push(mark, is_quote);
    }

    fn close(&mut self) {
        if let Some(length) = self.containers.pop() {
            self.writer.pop(length);
        }
    }

    fn item(&mut self, attributes: &Attributes<'_>) {
        self.block(Gap::Line);
        let mut mark = String::from("- ");
        if let Some(list) = self.lists.last_mut() {
            // Items stand close together.
            if self.code.depth == 0 && self.headings == 0 && self.writer.out.len() > list.from {
                self.writer.margin.gap = Gap::Line;
            }
            if let Some(number) = &mut list.number {
                let value = attributes.get("value").and_then(|v| v.trim().parse().ok());
                *number = value.unwrap_or(*number).min(999_999_999);
                mark = number.to_string();
                mark.push_str(". ");
                *number += 1;
            }
        }
        self.open(&mark, false);
    }

    fn list(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        self.block(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
        let number = (tag == Tag::Ol).then(|| {
            let start = attributes.get("start").and_then(|v| v.trim().parse().ok());
            start.unwrap_or(1)
        });
        self.lists.push(List { number, from: self.writer.out.len() });
    }

    fn image(&mut self, attributes: &Attributes<'_>) {
        if self.code.depth > 0 || self.marks.is_open(MarkKind::Code) {
            return;
        }
        let alt = attributes.get("alt").unwrap_or_default();
        let source = attributes.get("src").filter(|source| !source.trim().is_empty());
        let source = source.and_then(|raw| target(&raw, Target::Image, &mut *self.resolve));
        let Some(source) = source else { return self.text(&alt) };
        self.begin();
        self.writer.at_start = false;
        self.after_number = false;
        self.writer.out.push_str("![");
        let words: Vec<&str> = alt.split_ascii_whitespace().collect();
        let alt = words.join(" ");
        let mut rest = alt.chars();
        while let Some(c) = rest.next() {
            let before = Some('a');
            let place = Place { before, at_start: false, after_number: false, in_link: true };
            if is_markup(c, rest.as_str(), &place) {
                self.writer.out.push('\\');
            }
            self.writer.out.push(c);
        }
        self.writer.out.push_str("](");
        self.writer.out.push_str(&source);
        self.writer.out.push(')');
    }

    fn start_code(&mut self, attributes: &Attributes<'_>) {
        if self.code.depth == 0 {
            if self.headings == 0 {
                self.block(Gap::Blank);
            }
            self.code.text.clear();
            self.code.language.clear();
        }
        self.code.depth += 1;
        self.code.find_language(attributes);
    }

    fn end_code(&mut self) {
        self.code.depth -= 1;
        if self.code.depth > 0 {
            return;
        }
        let code = std::mem::take(&mut self.code.text);
        let text = code.trim_end_matches('\n');
        if self.headings > 0 {
            return self.text(text);
        }
        if text.trim().is_empty() {
            return;
        }
        if !self.tables.is_empty() && !text.contains('\n') {
            self.begin();
            let from = self.writer.out.len();
            self.writer.out.push_str(text);
            fence(from, &mut self.writer);
        } else {
            if let Some(table) = self.tables.last_mut() {
                table.is_layout = true;
            }
            self.code.write(text, &mut self.writer);
        }
        self.writer.at_start = false;
        self.block(Gap::Blank);
    }

    fn start_table(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if self.code.depth > 0 || self.headings > 0 || self.flat_tables > 0 {
            self.flat_tables += u32::from(tag == Tag::Table);
            return self.block(Gap::Line);
        }
        self.block(Gap::Blank);
        let at = self.writer.out.len();
        if tag == Tag::Table {
            self.tables.push(Table::new(attributes, &self.writer));
        } else if let Some(table) = self.tables.last_mut() {
            match tag {
                Tag::Thead => table.head(true),
                Tag::Tr => table.start_row(),
                Tag::Td | Tag::Th => table.start_cell(tag == Tag::Td, attributes, at),
                _ => {}
            }
        }
    }

    fn end_table(&mut self, tag: Tag) {
        if self.flat_tables > 0 {
            self.flat_tables -= u32::from(tag == Tag::Table);
            return self.block(Gap::Line);
        }
        self.block(Gap::Blank);
        let at = self.writer.out.len();
        if tag == Tag::Table {
            if let Some(table) = self.tables.pop() {
                table.finish(&mut self.writer);
            }
            if let Some(outer) = self.tables.last_mut() {
                outer.is_layout = true;
            }
        } else if let Some(table) = self.tables.last_mut() {
            match tag {
                Tag::Thead => table.head(false),
                Tag::Td | Tag::Th => table.end_cell(at),
                _ => {}
            }
        }
    }

    /// Writes a character that is no white space.
    fn character(&mut self, c: char, behind: &str) {
        if c == '\u{a0}' && self.writer.is_before_line() {
            return;
        }
        if self.marks.is_open(MarkKind::Code) {
            self.writer.at_start = false;
            self.writer.out.push(c);
            return;
        }
        let at_start = self.writer.at_start;
        let place = Place {
            before: self.writer.out.chars().next_back().filter(|_| !at_start),
            at_start,
            after_number: self.after_number,
            in_link: self.marks.is_open(MarkKind::Link),
        };
        if is_markup(c, behind, &place) {
            self.writer.out.push('\\');
        }
        self.writer.out.push(c);
        self.after_number = c.is_ascii_digit() && (at_start || self.after_number);
        self.writer.at_start = false;
    }
}

fn mark(tag: Tag) -> Option<MarkKind> {
    Some(match tag {
        Tag::Strong | Tag::B => MarkKind::Strong,
        Tag::Em | Tag::I => MarkKind::Emphasis,
        Tag::Del | Tag::S | Tag::Strike => MarkKind::Deleted,
        Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp => MarkKind::Code,
        _ => return None,
    })
}

impl Sink for Markdown<'_> {
    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if let Some(kind) = mark(tag) {
            if kind == MarkKind::Code {
                self.code.find_language(attributes);
            }
            return self.marks.start(kind, &mut self.writer);
        }
        match tag {
            Tag::Br => self.br(),
            Tag::A => {
                let raw = attributes.get("href");
                let target = raw.and_then(|raw| target(&raw, Target::Page, &mut *self.resolve));
                self.marks.start_link(target, &mut self.writer);
            }
            Tag::Img => self.image(attributes),
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => self.start_code(attributes),
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => self.list(tag, attributes),
            Tag::Li => self.item(attributes),
            Tag::Dd => {
                self.block(Gap::Line);
                self.open(": ", false);
            }
            Tag::Blockquote => {
                self.block(Gap::Blank);
                self.open("> ", true);
            }
            Tag::Hr => {
                self.block(Gap::Blank);
                if self.code.depth == 0 && self.headings == 0 {
                    self.writer.begin();
                    self.writer.out.push_str("---");
                    self.block(Gap::Blank);
                }
            }
            Tag::Table | Tag::Thead | Tag::Tbody | Tag::Tfoot | Tag::Tr | Tag::Td | Tag::Th => {
                self.start_table(tag, attributes);
            }
            Tag::Option => self.block(Gap::Line),
            Tag::Button | Tag::Select | Tag::Textarea => self.writer.space(),
            tag => {
                if let Some(level) = tag.heading() {
                    self.block(Gap::Blank);
                    if self.headings == 0 && self.code.depth == 0 {
                        self.level = level;
                    }
                    self.headings += 1;
                } else if tag.is(BLOCK) {
                    self.block(Gap::Blank);
                }
            }
        }
    }

    fn end(&mut self, tag: Tag) {
        if let Some(kind) = mark(tag) {
            return self.marks.end(kind, &mut self.writer);
        }
        match tag {
            Tag::A => self.marks.end_link(&mut self.writer),
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => self.end_code(),
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => {
                self.lists.pop();
                self.block(Gap::Blank);
            }
            Tag::Li | Tag::Dd => {
                self.block(Gap::Line);
                self.close();
            }
            Tag::Blockquote => {
                self.block(Gap::Blank);
                self.close();
            }
            Tag::Table | Tag::Thead | Tag::Tbody | Tag::Tfoot | Tag::Tr | Tag::Td | Tag::Th => {
                self.end_table(tag);
            }
            Tag::Option | Tag::Dt => self.block(Gap::Line),
            Tag::Button | Tag::Select | Tag::Textarea => self.writer.space(),
            tag => {
                if tag.heading().is_some() {
                    self.headings -= 1;
                    self.level = 0;
                }
                if tag.is(BLOCK) {
                    self.block(Gap::Blank);
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.code.depth > 0 {
            self.code.text.push_str(text);
            return;
        }
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}') {
                self.writer.space();
                continue;
            }
            if c == '\u{a0}' && self.writer.is_before_line() {
                continue;
            }
            self.begin();
            if self.writer.at_start {
                self.after_number = false;
            }
            self.character(c, rest.as_str());
        }
    }
}
