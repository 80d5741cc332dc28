//! A text with the same line end everywhere, and perhaps without blanks at the ends of lines.

use crate::lines::span::line_at;

/// A changed text, and where its bytes come from.
#[derive(Debug)]
pub(super) struct Normalised {
    pub(super) bytes: Vec<u8>,
    /// Places before which bytes were left out, and how many up to there.
    cuts: Vec<(usize, usize)>,
    trims: bool,
}

impl Normalised {
    /// All line ends become line feeds; with `trims`, spaces and tabs before them and at the end are left out.
    pub(super) fn new(text: &[u8], trims: bool) -> Normalised {
        let mut bytes = Vec::with_capacity(text.len());
        let mut cuts = Vec::new();
        let mut at = 0;
        while let Some(line) = line_at(text, at) {
            let mut content = line.content(text);
            if trims {
                content = trim_end(content);
            }
            bytes.extend_from_slice(content);
            let end = bytes.len();
            if line.has_end() {
                bytes.push(b'\n');
            }
            at = line.next;
            // The bytes before this place: those of the line feed are the last of the end.
            let left_out = at - bytes.len();
            if cuts.last().map_or(0, |(_, count)| *count) < left_out {
                cuts.push((end, left_out));
            }
        }
        Normalised { bytes, cuts, trims }
    }

    /// Where a place of the changed text is in the text that it was made of. At the end of a line it is before
    /// the line end and after the blanks that were left out.
    pub(super) fn original(&self, text: &[u8], at: usize) -> usize {
        let before = self.cuts.partition_point(|(place, _)| *place < at);
        let left_out = before.checked_sub(1).and_then(|i| self.cuts.get(i)).map_or(0, |cut| cut.1);
        let mut place = (at + left_out).min(text.len());
        let is_end = matches!(self.bytes.get(at), None | Some(b'\n'));
        if self.trims && is_end {
            let blanks = text.get(place..).unwrap_or_default();
            place += blanks.iter().take_while(|byte| is_blank(**byte)).count();
        }
        place
    }
}

/// A space or a tab.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Without the blanks at its end.
pub(super) fn trim_end(mut line: &[u8]) -> &[u8] {
    while let Some((last, rest)) = line.split_last()
        && is_blank(*last)
    {
        line = rest;
    }
    line
}

/// The blanks at the beginning of a line, and what follows them.
pub(super) fn split_indent(line: &[u8]) -> (&[u8], &[u8]) {
    let count = line.iter().take_while(|byte| is_blank(**byte)).count();
    line.split_at_checked(count).unwrap_or((line, &[]))
}
