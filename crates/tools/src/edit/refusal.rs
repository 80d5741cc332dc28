//! Why an edit is refused.

use super::closest::ClosestText;
use super::level::MatchLevel;

/// The most lines that a message lists.
pub(super) const MOST_LINES: usize = 10;

/// Why a file is not edited. In the order in which they are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditRefusal {
    /// The old and the new text are the same.
    Same,
    /// The old text is empty, and there is a file.
    EmptyOld,
    /// The file is binary.
    Binary {
        /// Its size in bytes.
        bytes: usize,
        /// What it looks like, as `PNG image`; `data` if that is unknown.
        kind: &'static str,
    },
    /// The old text is there more than once.
    Ambiguous {
        /// How often.
        count: usize,
        /// The lines at which it begins, from 1: the first few.
        lines: Vec<usize>,
        /// What had to be ignored to find it.
        level: MatchLevel,
    },
    /// All are to be replaced, but the old text is found only at a level that does not allow it.
    NotAllInexact {
        /// What has to be ignored to find it.
        level: MatchLevel,
        /// The lines at which it begins, from 1: the first few.
        lines: Vec<usize>,
    },
    /// With all places replaced, the file would be too large: more than 128 MiB.
    TooLarge {
        /// How often the old text is there.
        count: usize,
    },
    /// The old text is not there.
    NotFound {
        /// The text that is most like it, if any is like it enough.
        closest: Option<ClosestText>,
    },
}

impl EditRefusal {
    /// The sentences for the model. `path` is the file's as the model knows it.
    pub fn message(&self, path: &str) -> String {
        match self {
            EditRefusal::Same => {
                "oldString and newString are the same: there is nothing to change.".to_owned()
            }
            EditRefusal::EmptyOld => format!(
                "oldString is empty, but {path} exists. Give the text to replace, or use write for \
                 the whole file."
            ),
            EditRefusal::Binary { bytes, kind } => format!(
                "{path} is binary ({bytes} bytes, looks like {kind}); it cannot be edited as text."
            ),
            EditRefusal::Ambiguous { count, lines, level } => {
                let mut out = format!("oldString is in {path} {count} times (");
                write_lines(&mut out, lines);
                out.push(')');
                if *level > MatchLevel::Exact {
                    out.push_str(", matched ");
                    out.push_str(level.ignoring());
                }
                out.push_str(". Give more lines around the one you mean");
                if *level <= MatchLevel::TrailingSpace {
                    out.push_str(", or replaceAll");
                }
                out.push('.');
                out
            }
            EditRefusal::NotAllInexact { level, lines } => {
                let mut out = format!("oldString is not in {path} as it is written, only (");
                write_lines(&mut out, lines);
                out.push_str(") matched ");
                out.push_str(level.ignoring());
                out.push_str(" (level ");
                out.push_str(&level.number().to_string());
                out.push_str("). replaceAll needs the text exactly as it is in the file.");
                out
            }
            EditRefusal::TooLarge { count } => format!(
                "oldString is in {path} {count} times; with newString in all these places, the file \
                 would be larger than 128 MiB."
            ),
            EditRefusal::NotFound { closest: None } => format!("oldString is not in {path}."),
            EditRefusal::NotFound { closest: Some(closest) } => {
                let ClosestText { line, end_line, percent, diff } = closest;
                format!(
                    "oldString is not in {path}. The closest text is lines {line}-{end_line} \
                     ({percent}% alike), which differ so:\n{diff}"
                )
            }
        }
    }
}

fn write_lines(out: &mut String, lines: &[usize]) {
    out.push_str(if lines.len() == 1 { "line " } else { "lines " });
    for (index, line) in lines.iter().take(MOST_LINES).enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        out.push_str(&line.to_string());
    }
    if lines.len() > MOST_LINES {
        out.push_str(", …");
    }
}
