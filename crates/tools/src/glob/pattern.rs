//! One glob, read as a line of an ignore file.

use super::glob_error::GlobError;
use super::parser::Parser;
use super::program::Program;

/// The longest pattern in bytes: a match takes time in proportion to it.
const LONGEST: usize = 65_536;

/// A compiled glob.
///
/// ```
/// use apex_parts_tools::glob::Glob;
///
/// let glob = Glob::new("*.{ts,tsx}")?;
/// assert!(glob.matches("app.ts") && glob.matches("src/view.tsx"));
/// assert!(!Glob::new("/*.ts")?.matches("src/app.ts"));
/// assert_eq!(Glob::new("src/[a").unwrap_err().at, 4);
/// # Ok::<(), apex_parts_tools::glob::GlobError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Glob {
    program: Program,
    is_negated: bool,
    only_directories: bool,
    has_class: bool,
}

impl Glob {
    /// Reads a pattern as it is given to the glob tool, or to grep as `include`. An empty one matches all.
    ///
    /// # Errors
    /// A class or group that is not closed, a `}` without `{`, a range that runs backwards, a backslash at
    /// the end, more than 65,536 bytes.
    pub fn new(pattern: &str) -> Result<Glob, GlobError> {
        Glob::parse(if pattern.is_empty() { "**" } else { pattern }, false)
    }

    /// The same with `[` and `]` as they stand: what `[id].ts` means where the class finds nothing, as in
    /// folders whose names are routes. The other signs keep their meaning. Worth a try if
    /// [`Glob::has_class`], or if [`Glob::new`] refused a class.
    ///
    /// # Errors
    /// As [`Glob::new`], but for classes.
    pub fn literal(pattern: &str) -> Result<Glob, GlobError> {
        Glob::parse(if pattern.is_empty() { "**" } else { pattern }, true)
    }

    fn parse(pattern: &str, literal_brackets: bool) -> Result<Glob, GlobError> {
        if pattern.len() > LONGEST {
            let message = "the pattern is longer than 65,536 bytes";
            return Err(GlobError { at: LONGEST, message });
        }
        let mut line = pattern;
        let is_negated = line.starts_with('!');
        line = line.strip_prefix('!').unwrap_or(line);
        let is_anchored = line.starts_with('/');
        line = line.strip_prefix('/').unwrap_or(line);
        let offset = pattern.len() - line.len();
        let only_directories = line.ends_with('/');
        if let Some(shorter) = line.strip_suffix('/') {
            // A slash stays a slash when it is escaped.
            line = shorter.strip_suffix('\\').unwrap_or(shorter);
        }
        let at_any_depth = !is_anchored && !line.contains('/') && line != "**";
        let parser = Parser::new(line, offset, literal_brackets);
        let (program, has_class) = parser.parse(at_any_depth)?;
        Ok(Glob { program, is_negated, only_directories, has_class })
    }

    /// Does the glob take this file? `path` is relative to where the search begins, with `/` between names.
    /// With `!` in front it takes what the rest does not match. A glob with `/` at its end takes no file.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.covers(path, false) != self.is_negated
    }

    /// Does the glob tool list this file? As [`Glob::matches`], but a hidden file (its name begins with a
    /// dot) is listed only if the pattern itself matches it: `!*.txt` brings up none.
    #[must_use]
    pub fn lists(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.matches(path) && !(self.is_negated && name.starts_with('.'))
    }

    /// Has it a class, as `[a-z]`?
    #[must_use]
    pub fn has_class(&self) -> bool {
        self.has_class
    }

    /// Has it a `!` in front?
    #[must_use]
    pub fn is_negated(&self) -> bool {
        self.is_negated
    }

    /// Does the pattern behind the `!` match this entry?
    pub(super) fn covers(&self, path: &str, is_directory: bool) -> bool {
        (is_directory || !self.only_directories) && self.program.matches(path)
    }
}
