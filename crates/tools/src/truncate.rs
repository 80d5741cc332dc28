//! Cutting long output at whole lines.
//!
//! A line ends at a line feed; one at the end of the text ends its last line and begins no other. The note
//! that tells the model what is missing counts neither as lines nor as bytes, so a text that was cut and has
//! its note is not cut again under the same limits.

use apex_parts_model::{end_of, start_of};

/// The most lines that a tool's output keeps unless its options say otherwise.
pub const MAX_LINES: usize = 2_000;
/// The most bytes of UTF-8 that a tool's output keeps unless its options say otherwise.
pub const MAX_BYTES: usize = 51_200;
/// A longer path is not named in a note, so that a note is short.
const LONGEST_PATH: usize = 4_096;
/// The longest note, in bytes.
const LONGEST_NOTE: usize = LONGEST_PATH + 160;

/// The end of a text that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The beginning is kept.
    Head,
    /// The end is kept.
    Tail,
}

/// What [`truncate`] keeps of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncated<'t> {
    /// The part that is kept, a piece of the text. If something is left out, it ends without a line feed.
    pub kept: &'t str,
    /// Whether more than a final line feed is left out.
    pub truncated: bool,
    /// Lines of which nothing is kept.
    pub omitted_lines: usize,
    /// Bytes of UTF-8 that are not kept, line ends included; 0 if not `truncated`.
    pub omitted_bytes: usize,
}

/// Where the whole text can be read, for [`truncation_note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullOutput<'p> {
    /// It was not saved.
    Nowhere,
    /// All of it is at this path or URI.
    Whole(&'p str),
    /// Only its first 64 MiB are at this path or URI.
    First64MiB(&'p str),
}

/// Keeps at most `max_lines` lines and `max_bytes` bytes of a text, whole lines from its beginning or its end.
///
/// If the first line (with [`Direction::Tail`] the last) alone is longer than `max_bytes`, its beginning (its
/// end) is kept, cut at a character. A note of an earlier truncation in the same direction, at the place where
/// [`Truncated::with_note`] puts it, does not count.
///
/// ```
/// use apex_parts_tools::truncate::{Direction, truncate};
///
/// let cut = truncate("one\ntwo\nthree\n", 2, 100, Direction::Head);
/// assert_eq!((cut.kept, cut.omitted_lines, cut.omitted_bytes), ("one\ntwo", 1, 7));
/// let cut = truncate("one\ntwo\nthree\n", 2, 100, Direction::Tail);
/// assert_eq!((cut.kept, cut.omitted_lines), ("two\nthree", 1));
/// ```
pub fn truncate(
    text: &str,
    max_lines: usize,
    max_bytes: usize,
    direction: Direction,
) -> Truncated<'_> {
    let whole = Truncated { kept: text, truncated: false, omitted_lines: 0, omitted_bytes: 0 };
    if fits(text, max_lines, max_bytes) {
        return whole;
    }
    if let Some(before) = without_note(text, direction)
        && fits(before, max_lines, max_bytes)
    {
        return whole;
    }
    let body = text.strip_suffix('\n').unwrap_or(text);
    if fits(body, max_lines, max_bytes) {
        return Truncated { kept: body, ..whole };
    }
    let kept = match direction {
        Direction::Head => head(body, max_lines, max_bytes),
        Direction::Tail => tail(body, max_lines, max_bytes),
    };
    let rest = match direction {
        Direction::Head => body.get(kept.len()..),
        Direction::Tail => body.get(..body.len() - kept.len()),
    };
    // Each line that is left out has one line feed between it and what is kept; the rest of a line has none.
    let between = line_feeds(rest.unwrap_or_default());
    let omitted_lines = if kept.is_empty() { between + 1 } else { between };
    Truncated { kept, truncated: true, omitted_lines, omitted_bytes: text.len() - kept.len() }
}

impl Truncated<'_> {
    /// The text to show: what is kept, with the note after it (with [`Direction::Tail`] before it) and a blank
    /// line between them; without a note if nothing is left out.
    pub fn with_note(&self, direction: Direction, full: FullOutput<'_>) -> String {
        if !self.truncated {
            return self.kept.to_owned();
        }
        let note = truncation_note(self.omitted_lines, self.omitted_bytes, full);
        match direction {
            Direction::Head => [self.kept, "\n\n", &note].concat(),
            Direction::Tail => [&note, "\n\n", self.kept].concat(),
        }
    }
}

/// The sentence that says how much is left out and where it can be read. If only a piece of a line is left
/// out (`lines` is 0), it counts bytes. A path of more than 4,096 bytes is not named.
///
/// ```
/// use apex_parts_tools::truncate::{FullOutput, truncation_note};
///
/// assert_eq!(truncation_note(7, 90, FullOutput::Nowhere), "[7 more lines left out.]");
/// assert_eq!(
///     truncation_note(7, 90, FullOutput::Whole("/tmp/out")),
///     "[7 more lines left out. Whole output: /tmp/out: read it with offset and limit, or grep it.]",
/// );
/// ```
pub fn truncation_note(lines: usize, bytes: usize, full: FullOutput<'_>) -> String {
    let mut note = String::from("[");
    let (count, unit) = if lines == 0 { (bytes, BYTES_OUT) } else { (lines, LINES_OUT) };
    note.push_str(&count.to_string());
    note.push_str(unit);
    let (name, path) = match full {
        FullOutput::Nowhere => ("", ""),
        FullOutput::Whole(path) => (" Whole output: ", path),
        FullOutput::First64MiB(path) => (" The first 64 MiB of the output: ", path),
    };
    if !path.is_empty() && path.len() <= LONGEST_PATH {
        note.push_str(name);
        note.push_str(path);
        note.push_str(": read it with offset and limit, or grep it.");
    }
    note.push(']');
    note
}

const LINES_OUT: &str = " more lines left out.";
const BYTES_OUT: &str = " more bytes left out.";

fn line_feeds(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

fn fits(text: &str, max_lines: usize, max_bytes: usize) -> bool {
    if text.is_empty() {
        return true;
    }
    let open_line = usize::from(!text.ends_with('\n'));
    text.len() <= max_bytes && line_feeds(text) + open_line <= max_lines
}

/// The text without the note of a truncation and the blank line beside it.
fn without_note(text: &str, direction: Direction) -> Option<&str> {
    let (note, rest) = match direction {
        Direction::Head => {
            let at = memchr::memrchr(b'\n', text.as_bytes())?;
            (text.get(at + 1..)?, text.get(..at)?.strip_suffix('\n')?)
        }
        Direction::Tail => {
            let at = memchr::memchr(b'\n', text.as_bytes())?;
            (text.get(..at)?, text.get(at + 1..)?.strip_prefix('\n')?)
        }
    };
    let count = note.strip_prefix('[')?;
    let said = count.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_note = note.len() <= LONGEST_NOTE
        && said.len() < count.len()
        && (said.starts_with(LINES_OUT) || said.starts_with(BYTES_OUT))
        && said.ends_with(".]");
    is_note.then_some(rest)
}

fn head(text: &str, max_lines: usize, max_bytes: usize) -> &str {
    if max_lines == 0 {
        return "";
    }
    let bytes = text.as_bytes();
    // One byte more than the limit: a line may end right there.
    let within = bytes.get(..max_bytes.saturating_add(1)).unwrap_or(bytes);
    if let Some(end) = memchr::memchr_iter(b'\n', within).nth(max_lines - 1) {
        return text.get(..end).unwrap_or_default();
    }
    if within.len() == bytes.len() && bytes.len() <= max_bytes {
        return text;
    }
    match memchr::memrchr(b'\n', within) {
        Some(end) => text.get(..end).unwrap_or_default(),
        None => start_of(text, max_bytes),
    }
}

fn tail(text: &str, max_lines: usize, max_bytes: usize) -> &str {
    if max_lines == 0 {
        return "";
    }
    let bytes = text.as_bytes();
    // The first byte that may be kept, and one before it: a line feed there ends a line that is left out.
    let first = bytes.len().saturating_sub(max_bytes);
    let from = first.saturating_sub(1);
    let within = bytes.get(from..).unwrap_or_default();
    if let Some(end) = memchr::memrchr_iter(b'\n', within).nth(max_lines - 1) {
        return text.get(from + end + 1..).unwrap_or_default();
    }
    if first == 0 {
        return text;
    }
    match memchr::memchr(b'\n', within) {
        Some(end) => text.get(from + end + 1..).unwrap_or_default(),
        None => end_of(text, max_bytes),
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
