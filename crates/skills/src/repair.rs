//! Repairs frontmatter whose texts hold what YAML gives a meaning: most often `: ` without quotes.

use super::fences::line;
use super::yaml::read_yaml;
use apex_parts_json::writer;

/// The fields whose text may be taken literally.
pub(super) const TEXT_FIELDS: [&str; 5] =
    ["description", "license", "compatibility", "when_to_use", "argument-hint"];

/// Frontmatter in which texts have quotes.
pub(super) struct Repaired {
    pub(super) yaml: String,
    /// The fields that YAML reads otherwise, in the order of the file.
    pub(super) fields: Vec<&'static str>,
    /// From which byte of `yaml` on which byte of the original is read, and whether it moves along.
    pieces: Vec<(usize, usize, bool)>,
}

impl Repaired {
    /// `None` if there is no text to put into quotes.
    pub(super) fn new(original: &str) -> Option<Repaired> {
        let mut repaired = Repaired { yaml: String::new(), fields: Vec::new(), pieces: Vec::new() };
        let (mut at, mut copied) = (0, 0);
        while at < original.len() {
            let Some(field) = FieldText::at(original, at) else {
                at = line(original, at).1;
                continue;
            };
            at = field.end;
            if field.text.is_empty() || field.text.starts_with(['|', '>', '"', '\'']) {
                continue;
            }
            repaired.copy(original, copied, field.value);
            repaired.pieces.push((repaired.yaml.len(), field.value, false));
            if !original.get(..field.value).is_some_and(|before| before.ends_with([' ', '\t'])) {
                repaired.yaml.push(' ');
            }
            writer::string(&mut repaired.yaml, &field.text);
            repaired.yaml.push('\n');
            copied = field.end;
            if !field.is_read_so(original) && !repaired.fields.contains(&field.name) {
                repaired.fields.push(field.name);
            }
        }
        if copied == 0 {
            return None;
        }
        repaired.copy(original, copied, original.len());
        Some(repaired)
    }

    fn copy(&mut self, original: &str, from: usize, to: usize) {
        self.pieces.push((self.yaml.len(), from, true));
        self.yaml.push_str(original.get(from..to).unwrap_or_default());
    }

    /// The byte of the original for a byte of the repaired text.
    pub(super) fn original(&self, offset: usize) -> usize {
        let piece = self.pieces.partition_point(|(start, ..)| *start <= offset).checked_sub(1);
        let piece = piece.and_then(|piece| self.pieces.get(piece));
        piece.map_or(offset, |(start, from, moves)| from + if *moves { offset - start } else { 0 })
    }
}

/// A top-level field and its text as it stands there.
struct FieldText {
    name: &'static str,
    /// Where its line begins, where its value, and where its last line ends.
    start: usize,
    value: usize,
    end: usize,
    text: String,
}

impl FieldText {
    /// The field whose line begins at a byte.
    fn at(original: &str, start: usize) -> Option<FieldText> {
        let (first, mut end) = line(original, start);
        let name = TEXT_FIELDS.into_iter().find(|name| first.starts_with(name))?;
        let behind = first.get(name.len()..)?;
        let rest = behind.trim_start_matches([' ', '\t']).strip_prefix(':')?;
        if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
            return None;
        }
        let value = rest.trim_start_matches([' ', '\t']);
        let value_start = start + first.len() - value.len();
        let mut text = value.trim().to_owned();
        while end < original.len() {
            let (found, next) = line(original, end);
            let trimmed = found.trim();
            if trimmed.is_empty() {
                text.push('\n');
            } else if found.starts_with([' ', '\t']) {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push(' ');
                }
                text.push_str(trimmed);
            } else {
                break;
            }
            end = next;
        }
        let text = text.trim().to_owned();
        Some(FieldText { name, start, value: value_start, end, text })
    }

    /// Whether YAML alone reads the same text.
    fn is_read_so(&self, original: &str) -> bool {
        let lines = original.get(self.start..self.end).unwrap_or_default();
        let read = read_yaml(lines).ok();
        let entry = read.as_ref().and_then(|entries| entries.first());
        entry.and_then(|entry| entry.value.text()).is_some_and(|text| text.trim() == self.text)
    }
}
