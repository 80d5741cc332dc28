//! [`LineMarks`]: what is noted of lines while their paths are looked for.

/// Marks of lines, by their indexes.
#[derive(Default)]
pub(super) struct LineMarks {
    /// Another line follows it.
    pub(super) is_followed: Vec<bool>,
    /// It was looked at for the last message.
    pub(super) is_seen: Vec<bool>,
    /// A branch goes on behind it.
    pub(super) goes_on: Vec<bool>,
}

impl LineMarks {
    /// Those of so many lines, none of which is marked.
    pub(super) fn new(lines: usize) -> LineMarks {
        let none = || vec![false; lines];
        LineMarks { is_followed: none(), is_seen: none(), goes_on: none() }
    }
}

/// Marks the line with an index. Was it marked before? What is not there counts as marked.
pub(super) fn mark(marks: &mut [bool], index: usize) -> bool {
    marks.get_mut(index).is_none_or(|mark| std::mem::replace(mark, true))
}

/// Is the line with an index marked?
pub(super) fn is_marked(marks: &[bool], index: usize) -> bool {
    marks.get(index).copied().unwrap_or(true)
}
