//! The line ends of new text: those of the file.

use crate::lines::span::line_at;
use std::ops::Range;

/// How the lines of a file end, as far as an edit needs it.
#[derive(Debug)]
pub(super) struct LineEnds<'t> {
    file: &'t [u8],
    kind: Kinds<'t>,
    /// Whether a carriage return alone ends a line of the new text.
    takes_cr: bool,
    /// The line end that was found last: where the search began, where it is, where it ends.
    last_found: Option<(usize, usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kinds<'t> {
    /// Not known yet.
    Unknown,
    /// There are none, or those of the new text are taken literally.
    AsGiven,
    /// All are the same.
    Same(&'t [u8]),
    /// They differ; this is the last one of the file.
    Mixed(&'t [u8]),
}

impl<'t> LineEnds<'t> {
    /// With `is_literal` the new text stays as it is. With `takes_cr` a carriage return alone is a line end of
    /// the new text; it is one anyway if the file has such ends.
    pub(super) fn new(file: &'t [u8], is_literal: bool, takes_cr: bool) -> LineEnds<'t> {
        let kind = if is_literal { Kinds::AsGiven } else { Kinds::Unknown };
        LineEnds { file, kind, takes_cr, last_found: None }
    }

    /// Whether two texts have the same lines, and only their ends differ.
    pub(super) fn differ_only(a: &[u8], b: &[u8]) -> bool {
        let (mut at_a, mut at_b) = (0, 0);
        loop {
            match (line_at(a, at_a), line_at(b, at_b)) {
                (None, None) => return true,
                (Some(line_a), Some(line_b)) => {
                    if line_a.content(a) != line_b.content(b)
                        || line_a.has_end() != line_b.has_end()
                    {
                        return false;
                    }
                    (at_a, at_b) = (line_a.next, line_b.next);
                }
                _ => return false,
            }
        }
    }

    /// Writes the new text for a range of the file. Ranges come in order.
    pub(super) fn write_fitted(&mut self, out: &mut Vec<u8>, range: &Range<usize>, new: &[u8]) {
        let has_ends = memchr::memchr2(b'\n', b'\r', new).is_some();
        if has_ends && self.kind == Kinds::Unknown {
            self.look();
        }
        if !has_ends || matches!(self.kind, Kinds::AsGiven | Kinds::Unknown) {
            out.extend_from_slice(new);
            return;
        }
        let mut place = range.start;
        let mut used: &[u8] = &[];
        let mut at = 0;
        while let Some(line) = line_at(new, at) {
            out.extend_from_slice(line.content(new));
            let own = new.get(line.end..line.next).unwrap_or_default();
            at = line.next;
            if own.is_empty() || (own == b"\r" && !self.takes_cr) {
                out.extend_from_slice(own);
                continue;
            }
            match self.kind {
                Kinds::Same(end) => used = end,
                Kinds::Mixed(last) if used.is_empty() || place < range.end => {
                    let (next, end) = self.end_from(place).unwrap_or((range.end, last));
                    (place, used) = (next, end);
                }
                _ => {}
            }
            out.extend_from_slice(used);
        }
    }

    /// The first line end from a place on, and where it ends.
    fn end_from(&mut self, place: usize) -> Option<(usize, &'t [u8])> {
        if self.last_found.is_none_or(|(from, at, _)| !(from..=at).contains(&place)) {
            // Without one to the end of the file, it is empty and at the end.
            let end = self.file.len();
            let (at, next) = line_at(self.file, place).map_or((end, end), |l| (l.end, l.next));
            self.last_found = Some((place, at, next));
        }
        let (_, at, next) = self.last_found?;
        Some((next, self.file.get(at..next)?)).filter(|_| next > at)
    }

    fn look(&mut self) {
        let file = self.file;
        let found = |kind: &'static [u8]| kind;
        if memchr::memchr(b'\r', file).is_none() {
            let has_any = memchr::memchr(b'\n', file).is_some();
            self.kind = if has_any { Kinds::Same(found(b"\n")) } else { Kinds::AsGiven };
            return;
        }
        let (mut lf, mut crlf, mut cr) = (false, false, false);
        let mut last: &[u8] = b"\n";
        for at in memchr::memchr2_iter(b'\n', b'\r', file) {
            let next = file.get(at + 1) == Some(&b'\n');
            match file.get(at) {
                Some(b'\r') if next => (crlf, last) = (true, b"\r\n"),
                Some(b'\r') => (cr, last) = (true, b"\r"),
                _ if at > 0 && file.get(at - 1) == Some(&b'\r') => {}
                _ => (lf, last) = (true, b"\n"),
            }
        }
        self.takes_cr |= cr;
        let is_mixed = usize::from(lf) + usize::from(crlf) + usize::from(cr) > 1;
        self.kind = if is_mixed { Kinds::Mixed(last) } else { Kinds::Same(last) };
    }
}
