//! Reads a `SKILL.md`: its bytes, its fences, its frontmatter as it is or repaired, its body.

use super::core_schema::YamlValue;
use super::document::{SkillDocument, SkillOptions};
use super::fences::{Fences, NoFences};
use super::fields::FieldReader;
use super::repair::Repaired;
use super::yaml::read_yaml;
use super::yaml_fault::YamlFault;
use super::yaml_tree::YamlEntry;
use apex_parts_model::Severity;

const MAX_BODY_LINES: usize = 500;
const MAX_BODY_UNITS: usize = 20_000;

impl SkillDocument {
    /// Reads a `SKILL.md`. `same_name` says whether two names are the same in Unicode's normal form C.
    #[must_use]
    pub fn parse(
        bytes: &[u8],
        options: &SkillOptions<'_>,
        same_name: &mut dyn FnMut(&str, &str) -> bool,
    ) -> SkillDocument {
        let mut document = SkillDocument { valid: true, ..SkillDocument::default() };
        if bytes.len() > options.max_bytes {
            return SkillDocument::refused(&too_large(bytes.len(), options.max_bytes), None);
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let offset = error.valid_up_to();
                return SkillDocument::refused(NOT_UTF8, Some(offset));
            }
        };
        let whole = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mark = text.len() - whole.len();
        let fences = match Fences::find(whole) {
            Ok(fences) => fences,
            Err(none) => {
                let message = match none {
                    NoFences::Unopened { message } => {
                        whole.clone_into(&mut document.body);
                        document.clean_body(mark);
                        message
                    }
                    NoFences::Unclosed => {
                        "no line of exactly --- closes the frontmatter".to_owned()
                    }
                };
                document.report(
                    false,
                    Severity::Error,
                    "SK-02",
                    String::new(),
                    Some(mark),
                    message,
                );
                return document;
            }
        };
        whole.get(fences.body..).unwrap_or_default().clone_into(&mut document.body);
        let (start, body) = (mark + fences.yaml.start, mark + fences.body);
        let yaml = whole.get(fences.yaml).unwrap_or_default();
        document.frontmatter(yaml, start, options, same_name);
        document.clean_body(body);
        document
    }

    fn frontmatter(
        &mut self,
        yaml: &str,
        start: usize,
        options: &SkillOptions<'_>,
        same_name: &mut dyn FnMut(&str, &str) -> bool,
    ) {
        let (entries, repaired) = match read_or_repair(yaml) {
            Ok(read) => read,
            Err(fault) => {
                let offset = Some(start + fault.offset);
                self.report(false, Severity::Error, fault.rule, fault.path, offset, fault.message);
                return;
            }
        };
        let place = |offset: usize| {
            start + repaired.as_ref().map_or(offset, |repaired| repaired.original(offset))
        };
        if let Some(repaired) = &repaired {
            self.report_repair(repaired, &entries, &place, options.strict);
        }
        let field = |entry: &YamlEntry| (entry.key.clone(), YamlValue::from_node(&entry.value));
        self.data = entries.iter().map(field).collect();
        FieldReader { entries: &entries, options, place: &place, same_name, document: self }.read();
        if let Some(entry) = entries.iter().find(|entry| entry.key == "description") {
            self.clean_description(place(entry.value.offset));
        }
        self.check_body(options.strict, start + yaml.len());
    }

    fn report_repair(
        &mut self,
        repaired: &Repaired,
        entries: &[YamlEntry],
        place: &dyn Fn(usize) -> usize,
        strict: bool,
    ) {
        let first = repaired.fields.first().copied().unwrap_or_default();
        let entry = entries.iter().find(|entry| entry.key == first);
        let offset = Some(place(entry.map_or(0, |entry| entry.value.offset)));
        let message = format!(
            "the text of {} is not valid YAML without quotes, and was read literally: put it in \
             quotes",
            repaired.fields.join(", ")
        );
        let path = super::yaml_tree::pointer(first);
        self.report(strict, Severity::Warning, "SK-16", path, offset, message);
    }

    fn check_body(&mut self, strict: bool, offset: usize) {
        let lines = count_lines(&self.body);
        let units = self.body.chars().map(char::len_utf16).sum::<usize>();
        let message = if self.body.trim().is_empty() {
            "the skill has no instructions".to_owned()
        } else if lines > MAX_BODY_LINES {
            format!(
                "the body has {lines} lines, more than {MAX_BODY_LINES}: move details to other files"
            )
        } else if units > MAX_BODY_UNITS {
            format!(
                "the body has {units} characters, more than {MAX_BODY_UNITS}: move details to other files"
            )
        } else {
            return;
        };
        self.report(strict, Severity::Warning, "SK-17", String::new(), Some(offset), message);
    }
}

const NOT_UTF8: &str = "the file is not UTF-8: save it as UTF-8";

fn too_large(bytes: usize, most: usize) -> String {
    format!("the file has {bytes} bytes, and at most {most} are read: move text to other files")
}

/// The fields, and how their text was repaired. If that does not help, the first fault counts.
fn read_or_repair(yaml: &str) -> Result<(Vec<YamlEntry>, Option<Repaired>), YamlFault> {
    let fault = match read_yaml(yaml) {
        Ok(entries) => return Ok((entries, None)),
        Err(fault) if !fault.is_syntax => return Err(fault),
        Err(fault) => fault,
    };
    let Some(repaired) = Repaired::new(yaml) else { return Err(fault) };
    match read_yaml(&repaired.yaml) {
        Ok(entries) => Ok((entries, Some(repaired))),
        Err(_) => Err(fault),
    }
}

/// A line break at the end begins no line.
fn count_lines(text: &str) -> usize {
    let mut at = 0;
    let mut lines = 0;
    while at < text.len() {
        at = super::fences::line(text, at).1;
        lines += 1;
    }
    lines
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
