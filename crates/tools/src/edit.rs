//! Replacing text in a file: where the old text is, strictest match first.
//!
//! It works on bytes: what is not matched stays as it is, whether it is UTF-8 or not. The levels of
//! [`MatchLevel`] are tried in order; the first at which the old text is found decides, and if it is found
//! more than once there, that is an error and no reason to look further. Nothing is guessed from similarity.

mod closest;
mod exact;
mod indent;
mod level;
mod line_ends;
mod line_keys;
mod line_match;
mod normal;
mod refusal;
mod rewrite;
mod shown;

use super::lines::binary::{file_type, is_binary};
use super::lines::span::count_ends;
use apex_parts_model::invisible::{Controls, VisibleText};
pub use closest::ClosestText;
use exact::{Occurrences, occurrences};
pub use level::MatchLevel;
use line_ends::LineEnds;
pub use line_match::Compose;
use line_match::LineMatcher;
use normal::Normalised;
pub use refusal::EditRefusal;
use shown::ShownFile;
use std::borrow::Cow;
use std::ops::Range;

/// The most bytes of a file in which many places were replaced.
const LARGEST_RESULT: usize = 128 << 20;
const BOM: &[u8] = "\u{feff}".as_bytes();

/// A file after an edit, and what was matched in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The new bytes of the file.
    pub bytes: Vec<u8>,
    /// What had to be ignored to find the old text.
    pub level: MatchLevel,
    /// The first line that was matched, from 1, as lines were numbered before the edit; with `replace_all` that
    /// of the first match.
    pub line: usize,
    /// The last line that was matched, as they were numbered before the edit; with `replace_all` that of the
    /// last match.
    pub end_line: usize,
    /// How many places were replaced.
    pub count: usize,
    /// Whether the new text was indented otherwise than it was given.
    pub moved: bool,
}

impl Edited {
    /// The sentences for the model: "Edited P: lines A-B (+x -y).", and from level 2 on what was ignored.
    /// `additions` and `deletions` are those of the diff of the file.
    ///
    /// ```
    /// use apex_parts_tools::edit::edit;
    ///
    /// let edited = edit(b"  one\n  two\n", "one\ntwo", "one\n2", false).unwrap();
    /// assert_eq!(
    ///     edited.output("a.txt", 1, 1),
    ///     "Edited a.txt: lines 1-2 (+1 -1). Matched ignoring indentation; newString was moved to fit."
    /// );
    /// ```
    pub fn output(&self, path: &str, additions: usize, deletions: usize) -> String {
        let (line, end) = (self.line, self.end_line);
        let mut out = format!("Edited {path}: lines {line}-{end} (+{additions} -{deletions}).");
        if self.level > MatchLevel::Exact {
            out.push_str(" Matched ");
            out.push_str(self.level.ignoring());
            out.push_str(if self.moved { "; newString was moved to fit." } else { "." });
        }
        out
    }
}

/// Replaces `old` in a file by `new`, which is taken literally; with `replace_all` everywhere, else `old` must
/// be there once.
///
/// The file's own line ends are kept: each line of `new` takes the end of the matched line in its place, and
/// further lines that of the last one. The file is searched as `read` shows it: what is not seen in it need not be
/// in `old`, and goes where it stands within a match.
///
/// # Errors
/// See [`EditRefusal`]; the file is then not to be changed.
///
/// ```
/// use apex_parts_tools::edit::{MatchLevel, edit};
///
/// let edited = edit(b"a\r\nb\r\nc\r\n", "b\nc", "b\nx\nc", false).unwrap();
/// assert_eq!(edited.bytes, b"a\r\nb\r\nx\r\nc\r\n");
/// assert_eq!((edited.level, edited.line, edited.end_line), (MatchLevel::LineEnds, 2, 3));
///
/// let refused = edit(b"log(a);\nlog(a);\n", "log(a);", "", false).unwrap_err();
/// assert_eq!(
///     refused.message("a.js"),
///     "oldString is in a.js 2 times (lines 1, 2). Give more lines around the one you mean, or replaceAll."
/// );
/// ```
pub fn edit(file: &[u8], old: &str, new: &str, replace_all: bool) -> Result<Edited, EditRefusal> {
    edit_composed(file, old, new, replace_all, &|text| text.to_owned())
}

/// [`edit`] with a function that gives a text in Unicode's form C: then level 9 finds text in another form.
///
/// # Errors
/// As [`edit`].
///
/// ```
/// use apex_parts_tools::edit::{MatchLevel, edit_composed};
///
/// let compose = |text: &str| text.replace("e\u{301}", "é");
/// let file = "cafe\u{301} = 1\n".as_bytes();
/// let edited = edit_composed(file, "café = 1", "tea = 1", false, &compose).unwrap();
/// assert_eq!((edited.bytes.as_slice(), edited.level), (&b"tea = 1\n"[..], MatchLevel::UnicodeForm));
/// ```
pub fn edit_composed(
    file: &[u8],
    old: &str,
    new: &str,
    replace_all: bool,
    compose: Compose<'_>,
) -> Result<Edited, EditRefusal> {
    if old == new {
        return Err(EditRefusal::Same);
    }
    if old.is_empty() {
        return Err(EditRefusal::EmptyOld);
    }
    if is_binary(file) {
        let kind = file_type(file).map_or("data", |kind| kind.name);
        return Err(EditRefusal::Binary { bytes: file.len(), kind });
    }
    let find = |file: &[u8], old: &[u8]| find(file, old, new.as_bytes(), replace_all, compose);
    let given = || find(file, old.as_bytes());
    let found = match ShownFile::new(file) {
        None => given()?,
        Some(shown) => {
            let seen = VisibleText::new(old, Controls::Keep).text;
            // With what is not seen the file's own bytes are meant.
            let exact = if seen == old { None } else { given().ok() };
            match exact {
                Some(found) => found,
                None if seen.is_empty() => given()?,
                None => {
                    let mut found = find(&shown.bytes, seen.as_bytes())?;
                    found.places.each(|range| shown.original(range));
                    found
                }
            }
        }
    };
    found.apply(file, replace_all)
}

/// Where the old text is, and what is to stand there.
struct FoundPlaces<'n> {
    places: Occurrences,
    new: Cow<'n, [u8]>,
    is_literal: bool,
    level: MatchLevel,
    moved: bool,
}

impl FoundPlaces<'_> {
    fn apply(self, file: &[u8], replace_all: bool) -> Result<Edited, EditRefusal> {
        let FoundPlaces { places, new, is_literal, level, moved } = self;
        let edited = Splice { file, new: &new, is_literal, level }.apply(places, replace_all)?;
        Ok(Edited { moved, ..edited })
    }
}

/// Finds the old text, strictest match first.
fn find<'n>(
    file: &[u8],
    old: &[u8],
    new: &'n [u8],
    replace_all: bool,
    compose: Compose<'_>,
) -> Result<FoundPlaces<'n>, EditRefusal> {
    let inexact = |places, level| FoundPlaces {
        places,
        new: new.into(),
        is_literal: false,
        level,
        moved: false,
    };
    // Inside CRLF a text begins or ends in the middle of a line end: that is for level 2.
    let splits_crlf = (old.first() == Some(&b'\n') || old.last() == Some(&b'\r'))
        && memchr::memmem::find(file, b"\r\n").is_some();
    if !splits_crlf {
        let places = occurrences(file, old, replace_all);
        if places.count() > 0 {
            // Only line ends are to change: then they are what was asked for.
            let is_literal = LineEnds::differ_only(old, new);
            return Ok(FoundPlaces { is_literal, ..inexact(places, MatchLevel::Exact) });
        }
    }
    // From here on a byte order mark is no text, neither in the file nor in the strings.
    let start = if file.starts_with(BOM) { BOM.len() } else { 0 };
    let text = file.get(start..).unwrap_or_default();
    let had_bom = old.starts_with(BOM);
    let old = old.strip_prefix(BOM).unwrap_or(old);
    let new = if had_bom { new.strip_prefix(BOM).unwrap_or(new) } else { new };
    if !old.is_empty() {
        for level in [MatchLevel::LineEnds, MatchLevel::TrailingSpace] {
            let mut occurrences = normalised(text, old, level, replace_all);
            if occurrences.count() > 0 {
                occurrences.shift(start);
                return Ok(FoundPlaces { new: new.into(), ..inexact(occurrences, level) });
            }
        }
        let matcher = LineMatcher::new(text, old, new, compose);
        for level in MatchLevel::WHOLE_LINES {
            let Some(found) = matcher.find(level) else { continue };
            let lines = found.lines();
            if replace_all {
                return Err(EditRefusal::NotAllInexact { level, lines });
            }
            if found.starts.len() > 1 {
                return Err(EditRefusal::Ambiguous { count: lines.len(), lines, level });
            }
            let Some(place) = found.place() else { continue };
            let (new, moved) = found.fit();
            let range = place.start + start..place.end + start;
            let result = inexact(Occurrences::once(range), level);
            return Ok(FoundPlaces { new: Cow::Owned(new.into_owned()), moved, ..result });
        }
    }
    Err(EditRefusal::NotFound { closest: closest::closest(text, old) })
}

/// Finds the old text in the file as a level sees both.
fn normalised(text: &[u8], old: &[u8], level: MatchLevel, replace_all: bool) -> Occurrences {
    let trims = level == MatchLevel::TrailingSpace;
    let mut needle = Normalised::new(old, trims).bytes;
    let is_blank = needle.iter().all(u8::is_ascii_whitespace);
    // A space at the end of the old text stands for the end of its line.
    let ends_line = trims && matches!(old.last(), Some(b' ' | b'\t'));
    if needle.is_empty() || (trims && is_blank) {
        return Occurrences::default();
    }
    let mut file = Normalised::new(text, trims);
    if ends_line {
        needle.push(b'\n');
        if file.bytes.last() != Some(&b'\n') {
            file.bytes.push(b'\n');
        }
    }
    let mut found = occurrences(&file.bytes, &needle, replace_all);
    found.each(|range| {
        let end = range.end - usize::from(ends_line);
        file.original(text, range.start)..file.original(text, end)
    });
    found
}

/// The places of a match and what stands there afterwards.
struct Splice<'t> {
    file: &'t [u8],
    new: &'t [u8],
    /// Whether line ends of `new` are taken as they are.
    is_literal: bool,
    level: MatchLevel,
}

impl Splice<'_> {
    fn apply(&self, found: Occurrences, replace_all: bool) -> Result<Edited, EditRefusal> {
        let Splice { file, new, is_literal, level } = *self;
        if !replace_all && found.count() > 1 {
            let lines = line_numbers(file, &found.ranges);
            return Err(EditRefusal::Ambiguous { count: found.count(), lines, level });
        }
        let range = found.first_to_last();
        let line = 1 + count_ends(file.get(..range.start).unwrap_or_default());
        let matched = file.get(range.clone()).unwrap_or_default();
        let ended = matched.ends_with(b"\n") || matched.ends_with(b"\r");
        let end_line = line + count_ends(matched) - usize::from(ended);
        let size = new.len().saturating_mul(found.ranges.len()).saturating_add(file.len());
        if size > LARGEST_RESULT.max(file.len() + new.len()) {
            return Err(EditRefusal::TooLarge { count: found.ranges.len() });
        }
        let mut ends = LineEnds::new(file, is_literal, level > MatchLevel::Exact);
        let mut bytes = Vec::with_capacity(size);
        let mut from = 0;
        for range in &found.ranges {
            bytes.extend_from_slice(file.get(from..range.start).unwrap_or_default());
            ends.write_fitted(&mut bytes, range, new);
            from = range.end;
        }
        bytes.extend_from_slice(file.get(from..).unwrap_or_default());
        let count = found.ranges.len();
        Ok(Edited { bytes, level, line, end_line, count, moved: false })
    }
}

/// The lines at which ranges begin, from 1, for a message.
fn line_numbers(file: &[u8], ranges: &[Range<usize>]) -> Vec<usize> {
    let (mut line, mut from) = (1, 0);
    let mut found = Vec::new();
    for range in ranges.iter().take(refusal::MOST_LINES + 1) {
        line += count_ends(file.get(from..range.start).unwrap_or_default());
        from = range.start;
        found.push(line);
    }
    found
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
