//! The lines of one ignore file.

use super::pattern::Glob;

/// A `.gitignore`, `.ignore` or `.rgignore`, compiled.
///
/// As in ripgrep `{a,b}` is a group (git reads braces as they stand), and a line that is no glob is passed
/// over.
///
/// ```
/// use apex_parts_tools::glob::IgnoreFile;
///
/// let file = IgnoreFile::parse("*.log\n!keep.log\n/dist/\n");
/// assert_eq!(file.decision("a/debug.log", false), Some(true));
/// assert_eq!(file.decision("a/keep.log", false), Some(false));
/// assert_eq!(file.decision("dist", true), Some(true));
/// assert_eq!(file.decision("a/dist", true), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct IgnoreFile {
    lines: Vec<Glob>,
}

impl IgnoreFile {
    /// Reads the text of an ignore file. Line ends may be CRLF; a byte order mark is passed over.
    #[must_use]
    pub fn parse(text: &str) -> IgnoreFile {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.split('\n').filter_map(|line| {
            let line = without_end(line.strip_suffix('\r').unwrap_or(line));
            if line.is_empty() || line.starts_with('#') {
                return None;
            }
            Glob::new(line).ok()
        });
        IgnoreFile { lines: lines.collect() }
    }

    /// What the last line that matches says: `Some(true)` ignored, `Some(false)` taken back in by a `!`,
    /// `None` no line matches. `path` is relative to the file's folder. Folders above the path are not
    /// looked at: a walk does not enter what is ignored.
    #[must_use]
    pub fn decision(&self, path: &str, is_directory: bool) -> Option<bool> {
        let line = self.lines.iter().rev().find(|line| line.covers(path, is_directory))?;
        Some(!line.is_negated())
    }

    /// Is there no line?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// The line without spaces at its end, but for one after a backslash.
fn without_end(line: &str) -> &str {
    let shorter = line.trim_end_matches(' ');
    let slashes = shorter.len() - shorter.trim_end_matches('\\').len();
    let is_escaped = shorter.len() < line.len() && slashes % 2 == 1;
    line.get(..shorter.len() + usize::from(is_escaped)).unwrap_or(line)
}
