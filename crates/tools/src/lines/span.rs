//! Where the lines of a text are. A line ends at a line feed, at a carriage return with a line feed, or at a
//! carriage return alone.

/// A line's place: its content without its end, and where the next line begins. Offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its end ends; the same as `end` if it has none.
    pub(crate) next: usize,
}

impl LineSpan {
    pub(crate) fn content<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }

    pub(crate) fn has_end(&self) -> bool {
        self.next > self.end
    }
}

/// The line that begins at an offset; `None` at the end of the text.
pub(crate) fn line_at(text: &[u8], start: usize) -> Option<LineSpan> {
    let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
    Some(match memchr::memchr2(b'\n', b'\r', rest) {
        None => LineSpan { start, end: text.len(), next: text.len() },
        Some(at) => {
            let end = start + at;
            let is_crlf = text.get(end..end + 2) == Some(b"\r\n");
            LineSpan { start, end, next: end + 1 + usize::from(is_crlf) }
        }
    })
}

/// All lines. A line end at the end of the text begins no other line.
pub(crate) fn line_spans(text: &[u8]) -> Vec<LineSpan> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(line) = line_at(text, at) {
        at = line.next;
        spans.push(line);
    }
    spans
}

/// The number of line ends in a text.
pub(crate) fn count_ends(text: &[u8]) -> usize {
    let line_feeds = memchr::memchr_iter(b'\n', text).count();
    let lone = memchr::memchr_iter(b'\r', text).filter(|at| text.get(at + 1) != Some(&b'\n'));
    line_feeds + lone.count()
}
