//! Indentation: how wide it is, and new text moved to fit.

use super::normal::split_indent;
use crate::lines::span::line_at;
use std::borrow::Cow;

/// The spaces for which a tab stands if nothing tells.
const USUAL_TAB: usize = 4;

/// How a file is indented.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndentStyle {
    /// The spaces for which a tab stands.
    pub(super) tab: usize,
    /// Whether more lines begin with a tab than with a space.
    pub(super) has_tabs: bool,
}

impl IndentStyle {
    /// The style of a file; if it is indented with tabs, the strings tell for how many spaces one stands.
    pub(super) fn detect(file: &[u8], old: &[u8], new: &[u8]) -> IndentStyle {
        let mut steps = IndentSteps::default();
        steps.add(file);
        let has_tabs = steps.tabs > steps.spaces;
        if has_tabs || steps.spaces == 0 {
            steps = IndentSteps::default();
            steps.add(old);
            steps.add(new);
        }
        IndentStyle { tab: steps.usual(), has_tabs }
    }

    /// The columns of an indentation.
    pub(super) fn width(&self, indent: &[u8]) -> usize {
        indent.iter().map(|byte| if *byte == b'\t' { self.tab } else { 1 }).sum()
    }

    fn write(&self, out: &mut Vec<u8>, width: usize, with_tabs: bool) {
        let tabs = if with_tabs { width / self.tab } else { 0 };
        out.resize(out.len() + tabs, b'\t');
        out.resize(out.len() + width - tabs * self.tab, b' ');
    }
}

/// By how many spaces lines are indented more than the line before.
#[derive(Default)]
struct IndentSteps {
    /// How often each step from 2 to 8 occurs.
    counts: [usize; 9],
    /// The least indentation.
    least: usize,
    tabs: usize,
    spaces: usize,
}

impl IndentSteps {
    fn add(&mut self, text: &[u8]) {
        let (mut at, mut before) = (0, None);
        while let Some(line) = line_at(text, at) {
            at = line.next;
            let (indent, rest) = split_indent(line.content(text));
            if rest.is_empty() {
                continue;
            }
            match indent.first() {
                Some(b'\t') => self.tabs += 1,
                Some(_) => self.spaces += 1,
                None => {}
            }
            if indent.contains(&b'\t') {
                before = None;
                continue;
            }
            let width = indent.len();
            let step = before.map_or(0, |before| width.saturating_sub(before));
            if step > 1
                && let Some(count) = self.counts.get_mut(step)
            {
                *count += 1;
            }
            if width > 1 && (self.least == 0 || width < self.least) {
                self.least = width;
            }
            before = Some(width);
        }
    }

    fn usual(&self) -> usize {
        let mut best = (0, USUAL_TAB);
        for (step, count) in self.counts.iter().enumerate() {
            if *count > best.0 {
                best = (*count, step);
            }
        }
        if best.0 == 0 && (2..=8).contains(&self.least) { self.least } else { best.1 }
    }
}

/// The indentations of a matched line: in the old text and in the file.
pub(super) type IndentPair<'t> = (&'t [u8], &'t [u8]);

/// The new text as it fits to the matched lines, none of which is blank, and whether it was changed.
///
/// If its first line is indented as the old text was, all lines move by the distance between the old text and
/// the file, and are indented with tabs or spaces as the file is. If its first line already is where the file's
/// is, or at neither place, it stays.
pub(super) fn fitted<'n>(
    new: &'n [u8],
    pairs: &[IndentPair<'_>],
    style: IndentStyle,
) -> (Cow<'n, [u8]>, bool) {
    let as_given = (Cow::Borrowed(new), false);
    let (Some((old_first, file_first)), Some(new_first)) = (pairs.first(), first_indent(new))
    else {
        return as_given;
    };
    let is_in_place = new_first == *file_first;
    let differs = pairs.iter().any(|(old, file)| old != file);
    if is_in_place && (!differs || new_first != *old_first) {
        return as_given;
    }
    let (new_width, old_width, file_width) =
        (style.width(new_first), style.width(old_first), style.width(file_first));
    let moves = new_width == old_width;
    if !moves && new_width != file_width {
        return as_given;
    }
    let mut files = pairs.iter().map(|(_, file)| *file).filter(|indent| !indent.is_empty());
    let with_tabs = match files.next() {
        Some(indent) => indent.contains(&b'\t') || files.any(|indent| indent.contains(&b'\t')),
        None => style.has_tabs,
    };
    let mut out = Vec::with_capacity(new.len());
    let mut at = 0;
    while let Some(line) = line_at(new, at) {
        let (indent, rest) = split_indent(line.content(new));
        if rest.is_empty() {
            out.extend_from_slice(indent);
        } else {
            let mut width = style.width(indent);
            if moves {
                width = (width + file_width).saturating_sub(old_width);
            }
            style.write(&mut out, width, with_tabs);
        }
        out.extend_from_slice(rest);
        out.extend_from_slice(new.get(line.end..line.next).unwrap_or_default());
        at = line.next;
    }
    let moved = out != new;
    (Cow::Owned(out), moved)
}

/// The indentation of the first line that is not blank.
fn first_indent(text: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    while let Some(line) = line_at(text, at) {
        at = line.next;
        let (indent, rest) = split_indent(line.content(text));
        if !rest.is_empty() {
            return Some(indent);
        }
    }
    None
}
