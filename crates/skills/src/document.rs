//! What is read of a `SKILL.md`, and what is wrong with it.

use super::core_schema::YamlValue;
use apex_parts_model::invisible::{Controls, HiddenStretches, VisibleText};
use apex_parts_model::{Problem, Severity};

/// The most bytes of a `SKILL.md`, where the caller does not say.
pub const MAX_SKILL_BYTES: usize = 1 << 20;
/// Rules whose problems are warnings also when reading strictly.
const NEVER_ERRORS: [&str; 4] = ["SK-08", "SK-17", "SK-18", "SK-24"];

/// How the author of a skill wants it to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SkillMode {
    /// He does not say.
    #[default]
    Auto,
    /// Its text is given to the model.
    Direct,
    /// Its script is run.
    Sandbox,
}

impl SkillMode {
    /// `"auto"`, `"direct"` or `"sandbox"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SkillMode::Auto => "auto",
            SkillMode::Direct => "direct",
            SkillMode::Sandbox => "sandbox",
        }
    }
}

/// How a `SKILL.md` is read.
#[derive(Debug, Clone, Copy)]
pub struct SkillOptions<'o> {
    /// The name of its folder, with which its own is compared.
    pub dir_name: Option<&'o str>,
    /// Warnings are errors, as in the specification's own validator.
    pub strict: bool,
    /// The most bytes that are read.
    pub max_bytes: usize,
}

impl Default for SkillOptions<'_> {
    fn default() -> Self {
        SkillOptions { dir_name: None, strict: false, max_bytes: MAX_SKILL_BYTES }
    }
}

/// What is read of a `SKILL.md`.
///
/// ```
/// use apex_parts_skills::{SkillDocument, SkillOptions};
///
/// let text = b"---\nname: pdf\ndescription: Reads PDFs: all of them\n---\nOpen it.\n";
/// let skill = SkillDocument::parse(text, &SkillOptions::default(), &mut |a, b| a == b);
/// assert!(skill.valid);
/// assert_eq!(skill.description, "Reads PDFs: all of them");
/// assert_eq!(skill.body, "Open it.\n");
/// assert_eq!(skill.data[0].0, "name");
/// assert_eq!(skill.problems[0].rule, "SK-16");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SkillDocument {
    /// No problem is an error.
    pub valid: bool,
    /// Trimmed; empty where there is none.
    pub name: String,
    /// Trimmed, without what is not seen; empty where there is none.
    pub description: String,
    /// Under which terms it may be used.
    pub license: Option<String>,
    /// What it needs.
    pub compatibility: Option<String>,
    /// What it approves beforehand, as written.
    pub allowed_tools: Vec<String>,
    /// How its author wants it to run.
    pub mode: SkillMode,
    /// Values as written.
    pub metadata: Vec<(String, String)>,
    /// Every further field.
    pub extra: Vec<(String, YamlValue)>,
    /// Every field as it stands in the frontmatter.
    pub data: Vec<(String, YamlValue)>,
    /// All after the line of the closing fence, without what is not seen.
    pub body: String,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

impl SkillDocument {
    /// What is given for input that is not read at all.
    #[must_use]
    pub fn refused(why: &str, offset: Option<usize>) -> SkillDocument {
        let mut document = SkillDocument::default();
        document.report(false, Severity::Error, "SK-01", String::new(), offset, why.to_owned());
        document
    }

    /// Removes from the body, which begins at `start`, what a model would read and a person does not see.
    pub(super) fn clean_body(&mut self, start: usize) {
        let first = HiddenStretches::inside(&self.body, Controls::Keep).next();
        let offset = start + first.map_or(0, |first| first.range.start);
        let body = std::mem::take(&mut self.body);
        self.body = self.seen(body, "", offset);
    }

    /// The same of the description, which stands at `offset`.
    pub(super) fn clean_description(&mut self, offset: usize) {
        let description = std::mem::take(&mut self.description);
        self.description = self.seen(description, "/description", offset);
    }

    #[inline(never)]
    fn seen(&mut self, text: String, path: &str, offset: usize) -> String {
        let seen = VisibleText::inside(&text, Controls::Keep);
        if seen.removed() == 0 {
            return text;
        }
        let what = if path.is_empty() { "body" } else { "description" };
        let message =
            format!("the {what} had {} invisible characters, which were removed", seen.removed());
        self.report(false, Severity::Warning, "SK-24", path.to_owned(), Some(offset), message);
        seen.text.into_owned()
    }

    pub(super) fn report(
        &mut self,
        strict: bool,
        severity: Severity,
        rule: &str,
        path: String,
        offset: Option<usize>,
        message: String,
    ) {
        let is_error = severity == Severity::Error || (strict && !NEVER_ERRORS.contains(&rule));
        let severity = if is_error { Severity::Error } else { Severity::Warning };
        self.valid &= !is_error;
        #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
        let offset = offset.map(|offset| offset as f64);
        self.problems.push(Problem { severity, rule: rule.to_owned(), path, message, offset });
    }
}
