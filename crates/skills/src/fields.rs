//! The fields of frontmatter: what they are for, and what is wrong with them.

use super::allowed_tools::{is_balanced, split_tools};
use super::core_schema::{YamlValue, json_text};
use super::document::{SkillDocument, SkillMode, SkillOptions};
use super::name::{reserved_word, unusable_name, unusual_name};
use super::repair::TEXT_FIELDS;
use super::yaml_tree::{YamlContent, YamlEntry, YamlNode, pointer, pointer_step};
use apex_parts_model::Severity;

/// The names of the field that approves tools, the one that counts first.
const ALLOWED_TOOLS: [&str; 3] = ["allowed-tools", "allowedTools", "allowed_tools"];
/// The fields of the specification.
const SPECIFIED: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
/// The fields of known clients.
const OF_CLIENTS: [&str; 24] = [
    "allowedTools",
    "allowed_tools",
    "mode",
    "version",
    "tags",
    "category",
    "author",
    "when_to_use",
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "model",
    "effort",
    "context",
    "agent",
    "hooks",
    "paths",
    "shell",
    "parameters",
    "tools",
    "dependencies",
    "requires",
    "level",
];
const MAX_DESCRIPTION: usize = 1_024;
const MAX_COMPATIBILITY: usize = 500;

/// Whether two names are the same in normal form C, which the host knows.
pub(super) type SameName<'s> = &'s mut dyn FnMut(&str, &str) -> bool;

/// Fills a document from the fields of its frontmatter.
pub(super) struct FieldReader<'f, 's> {
    pub(super) entries: &'f [YamlEntry],
    pub(super) options: &'f SkillOptions<'f>,
    /// The byte of the file for a byte of the frontmatter that was read.
    pub(super) place: &'f dyn Fn(usize) -> usize,
    pub(super) same_name: SameName<'s>,
    pub(super) document: &'f mut SkillDocument,
}

impl<'f> FieldReader<'f, '_> {
    pub(super) fn read(mut self) {
        self.name();
        self.description();
        self.document.license = self.optional_text("license");
        self.document.compatibility = self.optional_text("compatibility");
        self.limit_compatibility();
        self.metadata();
        self.allowed_tools();
        self.mode();
        self.others();
    }

    fn entry(&self, key: &str) -> Option<&'f YamlEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Reports a problem at a field, or at the start of the frontmatter if it is not there.
    fn report(&mut self, severity: Severity, rule: &str, field: &str, message: impl Into<String>) {
        let offset = self.entry(field).map_or(0, |entry| entry.value.offset);
        self.report_at(severity, rule, pointer(field), offset, message.into());
    }

    fn report_at(
        &mut self,
        severity: Severity,
        rule: &str,
        path: String,
        offset: usize,
        message: String,
    ) {
        let offset = (self.place)(offset);
        self.document.report(self.options.strict, severity, rule, path, Some(offset), message);
    }

    fn warn(&mut self, rule: &str, field: &str, message: impl Into<String>) {
        self.report(Severity::Warning, rule, field, message);
    }

    /// Why a field has no text.
    fn absence(&self, field: &str) -> String {
        match self.entry(field) {
            None => format!("{field} is missing"),
            Some(entry) if matches!(entry.value.content, YamlContent::Scalar(_)) => {
                format!("the {field} is empty")
            }
            Some(entry) => format!("the {field} is {}, not a string", entry.value.kind()),
        }
    }

    fn trimmed(&self, field: &str) -> &'f str {
        self.entry(field).and_then(|entry| entry.value.text()).unwrap_or_default().trim()
    }

    fn name(&mut self) {
        let folder = self.options.dir_name.filter(|name| !name.is_empty());
        let mut name = self.trimmed("name");
        if name.is_empty() {
            let absence = self.absence("name");
            let Some(folder) = folder else {
                let message = format!("{absence}: add a line such as name: my-skill");
                return self.report(Severity::Error, "SK-05", "name", message);
            };
            let message = format!("{absence}: the name of the folder is used");
            self.warn("SK-05", "name", message);
            name = folder;
        }
        name.clone_into(&mut self.document.name);
        if let Some(why) = unusable_name(name) {
            self.report(Severity::Error, "SK-06", "name", format!("{why}: choose another"));
        } else if let Some(why) = unusual_name(name) {
            self.warn("SK-06", "name", why);
        }
        if let Some(folder) = folder
            && folder != name
            && !(self.same_name)(folder, name)
        {
            let message = format!(
                "the name is {:?} and the folder is {:?}: they should be the same",
                apex_parts_model::shorten(name),
                apex_parts_model::shorten(folder)
            );
            self.warn("SK-07", "name", message);
        }
        if let Some(word) = reserved_word(name) {
            let message = format!("the name contains {word}: Anthropic's upload refuses it");
            self.warn("SK-08", "name", message);
        }
    }

    fn description(&mut self) {
        let description = self.trimmed("description");
        if description.is_empty() {
            let absence = self.absence("description");
            let message = format!("{absence}: say what the skill does and when it is useful");
            return self.report(Severity::Error, "SK-10", "description", message);
        }
        description.clone_into(&mut self.document.description);
        if let Some(tag) = first_tag(description) {
            let message =
                format!("the description contains the tag {tag:?}: write it without < and >");
            self.warn("SK-09", "description", message);
        }
        let chars = description.chars().count();
        if chars > MAX_DESCRIPTION {
            let message = format!(
                "the description has {chars} characters, and at most {MAX_DESCRIPTION} are allowed"
            );
            self.warn("SK-11", "description", message);
        }
    }

    fn optional_text(&mut self, field: &'static str) -> Option<String> {
        self.entry(field)?;
        let text = self.trimmed(field);
        if text.is_empty() {
            let message = format!("{}: give a string, or leave the field out", self.absence(field));
            self.warn("SK-12", field, message);
            return None;
        }
        Some(text.to_owned())
    }

    fn limit_compatibility(&mut self) {
        let chars = self.document.compatibility.as_deref().map_or(0, |text| text.chars().count());
        if chars > MAX_COMPATIBILITY {
            let message = format!(
                "compatibility has {chars} characters, and at most {MAX_COMPATIBILITY} are allowed"
            );
            self.warn("SK-12", "compatibility", message);
        }
    }

    fn metadata(&mut self) {
        let Some(entry) = self.entry("metadata").filter(|entry| !entry.value.is_null()) else {
            return;
        };
        let YamlContent::Map(fields) = &entry.value.content else {
            let message =
                format!("metadata is {}, not a mapping: it is kept in extra", entry.value.kind());
            self.warn("SK-13", "metadata", message);
            self.document.extra.push(("metadata".to_owned(), YamlValue::from_node(&entry.value)));
            return;
        };
        for field in fields {
            let value = if let YamlContent::Scalar(scalar) = &field.value.content {
                if scalar.is_null() { String::new() } else { scalar.text.clone() }
            } else {
                let message =
                    format!("a value of metadata is {}: its JSON is kept", field.value.kind());
                let mut path = pointer("metadata");
                pointer_step(&mut path, &field.key);
                self.report_at(Severity::Warning, "SK-13", path, field.value.offset, message);
                json_text(&field.value)
            };
            self.document.metadata.push((field.key.clone(), value));
        }
    }

    fn allowed_tools(&mut self) {
        let entries: Vec<_> =
            ALLOWED_TOOLS.into_iter().filter_map(|name| self.entry(name)).collect();
        let Some((first, others)) = entries.split_first() else { return };
        for again in others {
            let message =
                format!("{} is present too, and takes precedence: this one is not read", first.key);
            self.warn("SK-14", &again.key, message);
        }
        match &first.value.content {
            YamlContent::Scalar(_) => {
                let text = first.value.text().unwrap_or_default();
                let (tools, is_balanced) = split_tools(text);
                self.document.allowed_tools = tools;
                if !is_balanced {
                    self.warn(
                        "SK-14",
                        &first.key,
                        "parentheses do not match: it is split at white space",
                    );
                }
            }
            YamlContent::List(items) => self.tool_items(first, items),
            YamlContent::Map(_) => {
                self.warn(
                    "SK-14",
                    &first.key,
                    "it is a mapping: a list of tools, or a string, is expected",
                );
            }
        }
    }

    fn tool_items(&mut self, entry: &YamlEntry, items: &[YamlNode]) {
        for (index, item) in items.iter().enumerate() {
            let text = item.text().unwrap_or_default().trim();
            let message = if text.is_empty() {
                let kind = if item.text().is_some() { "empty" } else { item.kind() };
                format!("an element is {kind}: it is left out")
            } else {
                self.document.allowed_tools.push(text.to_owned());
                if is_balanced(text) {
                    continue;
                }
                "the parentheses of an element do not match".to_owned()
            };
            let mut path = pointer(&entry.key);
            pointer_step(&mut path, &index.to_string());
            self.report_at(Severity::Warning, "SK-14", path, item.offset, message);
        }
    }

    fn mode(&mut self) {
        let Some(entry) = self.entry("mode") else { return };
        let value = YamlValue::from_node(&entry.value);
        let text = entry.value.text().map(str::trim);
        match (value, text) {
            (value @ YamlValue::Bool(_), _) => self.document.extra.push(("mode".to_owned(), value)),
            (_, Some("direct")) => self.document.mode = SkillMode::Direct,
            (_, Some("sandbox")) => self.document.mode = SkillMode::Sandbox,
            (YamlValue::Null, _) | (_, Some("")) => {}
            _ => self.warn("SK-18", "mode", "mode is neither direct nor sandbox: it is ignored"),
        }
    }

    fn others(&mut self) {
        for entry in self.entries {
            let key = entry.key.as_str();
            let is_specified = SPECIFIED.contains(&key);
            let is_of_clients = OF_CLIENTS.contains(&key);
            if !is_specified && (self.options.strict || !is_of_clients) {
                let message = format!(
                    "the field {:?} is not one of the specification{}: is it misspelt? Put your own data under metadata",
                    apex_parts_model::shorten(key),
                    if is_of_clients { "" } else { " or of a known client" },
                );
                self.report_at(Severity::Warning, "SK-15", pointer(key), entry.offset, message);
            }
            if is_specified || ALLOWED_TOOLS.contains(&key) || key == "mode" {
                continue;
            }
            if TEXT_FIELDS.contains(&key)
                && let YamlContent::Scalar(scalar) = &entry.value.content
            {
                if !scalar.is_null() && !scalar.text.trim().is_empty() {
                    let text = YamlValue::Text(scalar.text.clone());
                    self.document.extra.push((entry.key.clone(), text));
                }
                continue;
            }
            self.document.extra.push((entry.key.clone(), YamlValue::from_node(&entry.value)));
        }
    }
}

/// The first tag of HTML or XML in a text.
fn first_tag(text: &str) -> Option<String> {
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at + 1..)?;
        let end = rest.find(['<', '>'])?;
        let (inside, after) = rest.split_at_checked(end)?;
        let name = inside.strip_prefix('/').unwrap_or(inside);
        if after.starts_with('>') && name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some(apex_parts_model::shorten(&format!("<{inside}>")));
        }
    }
    None
}
