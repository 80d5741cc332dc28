//! A page of a file's lines, with their numbers.
//!
//! [`PageReader`] takes a file's bytes in pieces and keeps only what is shown; [`FilePage`] is what a reader of
//! the file is told. [`binary`] tells text from other files, [`directory`] lists folders.

pub mod binary;
mod decoder;
pub mod directory;
pub(crate) mod span;

use decoder::Decoder;
pub use decoder::Encoding;

/// The lines of a page unless the caller says otherwise.
pub const DEFAULT_LIMIT: usize = 2_000;
/// A longer line is cut, in UTF-16 units.
pub const MAX_LINE_UNITS: usize = 2_000;
/// The most bytes of a page: the texts of its lines and the line feeds between them.
pub const MAX_PAGE_BYTES: usize = 51_200;
/// The lines of [`FilePage::preview`].
const PREVIEW_LINES: usize = 20;

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eol {
    /// All with a line feed.
    Lf,
    /// All with a carriage return and a line feed.
    CrLf,
    /// All with a carriage return.
    Cr,
    /// Not all in the same way.
    Mixed,
}

impl Eol {
    /// The word for it: `lf`, `crlf`, `cr` or `mixed`.
    pub fn name(self) -> &'static str {
        match self {
            Eol::Lf => "lf",
            Eol::CrLf => "crlf",
            Eol::Cr => "cr",
            Eol::Mixed => "mixed",
        }
    }
}

/// An offset past the last line of a file, or past the last entry of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastEnd {
    /// The offset that was asked for, from 1.
    pub offset: usize,
    /// The lines or entries that there are.
    pub total: usize,
    /// Whether it is a directory.
    pub is_directory: bool,
}

impl PastEnd {
    /// The sentence for the model.
    pub fn message(&self) -> String {
        let what = if self.is_directory { "directory" } else { "file" };
        let unit = if self.is_directory { "entries" } else { "lines" };
        let (offset, total) = (self.offset, self.total);
        format!("offset {offset} is past the end: the {what} has {total} {unit}.")
    }
}

/// Reads a page of a file from pieces of its bytes, cut anywhere. It holds the page and one line at most.
///
/// ```
/// use apex_parts_tools::lines::PageReader;
///
/// let mut reader = PageReader::new(2, 2);
/// reader.push(b"one\r");
/// reader.push(b"\ntwo\r\nthree\r\nfour");
/// let page = reader.finish().unwrap();
/// assert_eq!(page.numbered(), "2: two\n3: three");
/// assert_eq!(page.note(), "(Lines 2-3 of 4. Go on with offset=4.)");
/// assert_eq!(page.eol.unwrap().name(), "crlf");
/// ```
#[derive(Debug)]
pub struct PageReader {
    decoder: Decoder,
    lines: LineCollector,
}

impl PageReader {
    /// A reader that shows at most `limit` lines from line `offset` on (from 1; 0 is read as 1).
    pub fn new(offset: usize, limit: usize) -> PageReader {
        let lines = LineCollector { offset: offset.max(1), limit, ..LineCollector::default() };
        PageReader { decoder: Decoder::default(), lines }
    }

    /// Takes the next bytes of the file. Returns whether more are of use: after the limit of bytes is reached,
    /// nothing of the file counts any more.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        if !self.lines.is_full {
            let lines = &mut self.lines;
            self.decoder.push(bytes, &mut |text| lines.take(text));
        }
        !self.lines.is_full
    }

    /// The page, after all bytes were pushed.
    ///
    /// # Errors
    /// If the offset is past the last line. (Line 1 of an empty file is not.)
    pub fn finish(mut self) -> Result<FilePage, PastEnd> {
        let lines = &mut self.lines;
        if !lines.is_full {
            self.decoder.finish(&mut |text| lines.take(text));
        }
        let mut lines = self.lines;
        let is_open = lines.is_open && !lines.is_full;
        if is_open {
            lines.end_line();
        }
        if lines.after_cr && !lines.is_full {
            lines.ends.cr = true;
        }
        let (offset, total) = (lines.offset, lines.ended);
        if offset > total.max(1) {
            return Err(PastEnd { offset, total, is_directory: false });
        }
        let ends = lines.ends;
        let eol = match (ends.lf, ends.crlf, ends.cr) {
            (false, false, false) => None,
            (true, false, false) => Some(Eol::Lf),
            (false, true, false) => Some(Eol::CrLf),
            (false, false, true) => Some(Eol::Cr),
            _ => Some(Eol::Mixed),
        };
        let line_end = offset - 1 + lines.shown;
        Ok(FilePage {
            text: lines.page,
            line_start: offset,
            line_end,
            line_count: lines.shown,
            total_lines: total,
            truncated: lines.is_full || line_end < total,
            stopped_at_bytes: lines.is_full,
            eol,
            final_newline: (!lines.is_full).then_some(total > 0 && !is_open),
            bom: self.decoder.has_bom(),
            encoding: self.decoder.encoding(),
        })
    }
}

/// The lines of a page and what is known about their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePage {
    /// The lines that are shown, with line feeds between them and no numbers; long ones are cut.
    pub text: String,
    /// The number of the first line, from 1.
    pub line_start: usize,
    /// The number of the last line that is shown; `line_start - 1` if none is.
    pub line_end: usize,
    /// How many lines are shown.
    pub line_count: usize,
    /// All lines of the file; if `stopped_at_bytes`, those that were read.
    pub total_lines: usize,
    /// Whether lines follow those that are shown.
    pub truncated: bool,
    /// Whether the page ends before its limit because the next line would make it larger than
    /// [`MAX_PAGE_BYTES`].
    pub stopped_at_bytes: bool,
    /// How lines end, as far as they were read; `None` if there is no line end.
    pub eol: Option<Eol>,
    /// Whether the last line has an end; `None` if the file was not read to its end.
    pub final_newline: Option<bool>,
    /// Whether the file begins with a byte order mark. It is not shown.
    pub bom: bool,
    /// How the text is encoded, as far as it was read.
    pub encoding: Encoding,
}

impl FilePage {
    /// The lines as `N: line`, with line feeds between them.
    pub fn numbered(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 8 * self.line_count);
        for (index, line) in self.text.split('\n').take(self.line_count).enumerate() {
            if index > 0 {
                out.push('\n');
            }
            out.push_str(&(self.line_start + index).to_string());
            out.push_str(": ");
            out.push_str(line);
        }
        out
    }

    /// The closing note, in parentheses.
    pub fn note(&self) -> String {
        let (first, last, total) = (self.line_start, self.line_end, self.total_lines);
        let next = last + 1;
        if self.stopped_at_bytes {
            format!("(Cut at 50 KB after line {last}. Go on with offset={next}.)")
        } else if self.truncated {
            format!("(Lines {first}-{last} of {total}. Go on with offset={next}.)")
        } else {
            format!("(End of file: {total} lines)")
        }
    }

    /// What the model is shown: the path, the numbered lines and the note, in tags.
    pub fn output(&self, path: &str) -> String {
        let open = "</path>\n<type>file</type>\n<content>\n";
        let parts = ["<path>", path, open, &self.numbered(), "\n\n", &self.note(), "\n</content>"];
        parts.concat()
    }

    /// The first 20 lines that are shown.
    pub fn preview(&self) -> &str {
        let end = memchr::memchr_iter(b'\n', self.text.as_bytes()).nth(PREVIEW_LINES - 1);
        end.and_then(|end| self.text.get(..end)).unwrap_or(&self.text)
    }
}

/// The kinds of line ends that occur.
#[derive(Debug, Default)]
struct EndKinds {
    lf: bool,
    crlf: bool,
    cr: bool,
}

/// Cuts decoded text into lines, counts them, keeps those of the page.
#[derive(Debug, Default)]
struct LineCollector {
    offset: usize,
    limit: usize,
    /// Lines whose end was read.
    ended: usize,
    /// Whether something of a line was read whose end was not.
    is_open: bool,
    /// Whether the last character was a carriage return: a line feed after it is the same line end.
    after_cr: bool,
    ends: EndKinds,
    /// What is kept of the open line, if it is of the page.
    line: String,
    /// The open line's UTF-16 units and characters.
    units: usize,
    characters: usize,
    page: String,
    shown: usize,
    /// A line did not fit into the page any more.
    is_full: bool,
}

impl LineCollector {
    fn take(&mut self, mut text: &str) {
        if self.pass_over(text) {
            return;
        }
        while !text.is_empty() && !self.is_full {
            if self.after_cr {
                self.after_cr = false;
                if let Some(rest) = text.strip_prefix('\n') {
                    self.ends.crlf = true;
                    text = rest;
                    continue;
                }
                self.ends.cr = true;
            }
            let Some(at) = memchr::memchr2(b'\n', b'\r', text.as_bytes()) else {
                self.add(text);
                return;
            };
            let (line, rest) = text.split_at_checked(at).unwrap_or((text, ""));
            if !line.is_empty() {
                self.add(line);
            }
            self.end_line();
            match rest.as_bytes().first() {
                Some(b'\r') => self.after_cr = true,
                _ => self.ends.lf = true,
            }
            text = rest.get(1..).unwrap_or_default();
        }
    }

    /// Counts the lines of a text of which none is shown, all at once; false if some are, or if it may have
    /// carriage returns.
    fn pass_over(&mut self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let is_behind = self.shown >= self.limit;
        if self.is_full || self.after_cr || !(is_behind || self.ended < self.offset - 1) {
            return false;
        }
        if memchr::memchr(b'\r', bytes).is_some() {
            return false;
        }
        let count = memchr::memchr_iter(b'\n', bytes).count();
        if !is_behind && self.ended + count >= self.offset - 1 {
            return false;
        }
        self.ended += count;
        self.ends.lf |= count > 0;
        if !bytes.is_empty() {
            self.is_open = bytes.last() != Some(&b'\n');
        }
        true
    }

    fn is_shown(&self) -> bool {
        self.ended >= self.offset - 1 && self.shown < self.limit
    }

    /// Adds a piece of the open line.
    fn add(&mut self, text: &str) {
        self.is_open = true;
        if !self.is_shown() {
            return;
        }
        let mut rest = text;
        if self.units <= MAX_LINE_UNITS {
            let mut end = 0;
            for c in text.chars() {
                self.units += c.len_utf16();
                self.characters += 1;
                if self.units <= MAX_LINE_UNITS {
                    end += c.len_utf8();
                } else {
                    break;
                }
            }
            let (kept, more) = text.split_at_checked(end).unwrap_or((text, ""));
            self.line.push_str(kept);
            // The character at which it was cut is counted.
            rest = more.get(more.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        }
        self.characters = self.characters.saturating_add(rest.chars().count());
    }

    fn end_line(&mut self) {
        let is_shown = self.is_shown();
        self.ended = self.ended.saturating_add(1);
        self.is_open = false;
        if !is_shown {
            return;
        }
        if self.units > MAX_LINE_UNITS {
            self.line.push_str("… (line cut, ");
            self.line.push_str(&self.characters.to_string());
            self.line.push_str(" characters)");
        }
        let between = usize::from(self.shown > 0);
        if self.page.len() + between + self.line.len() > MAX_PAGE_BYTES {
            self.is_full = true;
            return;
        }
        if between > 0 {
            self.page.push('\n');
        }
        self.page.push_str(&self.line);
        self.shown += 1;
        self.line.clear();
        (self.units, self.characters) = (0, 0);
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
