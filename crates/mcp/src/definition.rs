//! Definitions of tools, as servers list them: their schemas, mended where nothing would work otherwise, what is
//! wrong with them, and their fingerprints.
//!
//! ```
//! use apex_parts_mcp::definition::{SchemaDialect, read_definition};
//! let read = read_definition(r#"{"name":"now","inputSchema":null}"#, SchemaDialect::Keep);
//! assert_eq!(read.parameters, r#"{"type":"object","properties":{}}"#);
//! assert_eq!(read.problems[0].to_string(), "warning MT-2 at /inputSchema: the schema is not an object");
//! ```

use super::fingerprint::{fingerprint, sha256};
use super::schema_target::{ROOT_KEYWORDS, for_provider};
use super::schema_tree::{SchemaTree, resolved};
use super::seen_schema::without_hidden;
use apex_parts_model::invisible::{Controls, VisibleText};
use apex_parts_model::{Path, Problem, Severity};

/// Objects and arrays of a definition nest at most this deep.
pub const MAX_DEFINITION_DEPTH: usize = 32;

/// The bytes of JSON above which a definition is told to be large.
pub const LARGE_DEFINITION: usize = 64 * 1024;

/// For whom a schema is mended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SchemaDialect {
    /// Nobody: nothing that works is changed.
    #[default]
    Keep,
    /// Anthropic: no alternatives at the root.
    Anthropic,
    /// `OpenAI`: the same.
    OpenAi,
    /// Gemini: moreover neither `$ref` nor `additionalProperties`.
    Gemini,
}

impl SchemaDialect {
    /// The dialect of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<SchemaDialect> {
        Some(match name {
            "keep" => SchemaDialect::Keep,
            "anthropic" => SchemaDialect::Anthropic,
            "openai" => SchemaDialect::OpenAi,
            "gemini" => SchemaDialect::Gemini,
            _ => return None,
        })
    }
}

/// A definition that was read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReadDefinition {
    /// What it is for, without what is not seen.
    pub description: String,
    /// The schema of the arguments, as JSON; its descriptions are without what is not seen.
    pub parameters: String,
    /// SHA-256 of what the tool means.
    pub fingerprint: String,
    /// Whether it must be left out.
    pub is_left_out: bool,
    /// Whether it can only run as a task.
    pub needs_task: bool,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// Reads the JSON of a definition.
#[must_use]
pub fn read_definition(json: &str, dialect: SchemaDialect) -> ReadDefinition {
    let mut problems = Told::default();
    if json.len() > LARGE_DEFINITION {
        problems.warn("MT-6", "", format!("the definition has {} bytes of JSON", json.len()));
    }
    let Ok(definition) = SchemaTree::read(json, MAX_DEFINITION_DEPTH) else {
        let why = format!("the definition nests deeper than {MAX_DEFINITION_DEPTH} levels");
        problems.report(Severity::Error, "MT-7", "", why);
        return ReadDefinition {
            parameters: r#"{"type":"object","properties":{}}"#.to_owned(),
            fingerprint: sha256(json),
            is_left_out: true,
            problems: problems.0,
            ..ReadDefinition::default()
        };
    };
    let mut schema = mended(definition.get("inputSchema"), &mut problems);
    if let Some(keyword) = ROOT_KEYWORDS.iter().find(|name| schema.get(name).is_some()) {
        let end = match dialect {
            SchemaDialect::Keep => "which providers refuse",
            _ => "which was merged",
        };
        let why = format!("the schema has `{keyword}` at its root, {end}");
        problems.warn("MT-3", "/inputSchema", why);
    }
    tell_invisible(&definition, &mut problems);
    without_hidden(&mut schema, false);
    if dialect != SchemaDialect::Keep {
        schema = for_provider(&schema, dialect == SchemaDialect::Gemini);
    }
    let mut parameters = String::new();
    schema.write(&mut parameters, false);
    let support = definition.get("execution").and_then(|execution| execution.get("taskSupport"));
    let description = definition.get("description").and_then(SchemaTree::string);
    let description = description.unwrap_or_default();
    ReadDefinition {
        description: VisibleText::new(&description, Controls::Remove).text.into_owned(),
        parameters,
        fingerprint: fingerprint(&definition),
        is_left_out: false,
        needs_task: support.and_then(SchemaTree::string).is_some_and(|it| it == "required"),
        problems: problems.0,
    }
}

#[derive(Default)]
struct Told(Vec<Problem>);

impl Told {
    fn report(&mut self, severity: Severity, rule: &str, path: &str, message: impl Into<String>) {
        let problem = Problem::new(severity, rule, &Path::ROOT, message.into());
        self.0.push(Problem { path: path.to_owned(), ..problem });
    }

    fn warn(&mut self, rule: &str, path: &str, message: impl Into<String>) {
        self.report(Severity::Warning, rule, path, message);
    }
}

/// The schema with the least that makes it one of an object.
fn mended<'j>(given: Option<&SchemaTree<'j>>, problems: &mut Told) -> SchemaTree<'j> {
    let mut schema = match given {
        Some(schema) if schema.is_object() => schema.clone(),
        _ => {
            problems.warn("MT-2", "/inputSchema", "the schema is not an object");
            let mut schema = SchemaTree::Object(Vec::new());
            schema.set("type", SchemaTree::text("object"));
            schema
        }
    };
    if schema.get("type").and_then(SchemaTree::string).is_none_or(|it| it != "object") {
        problems.warn("MT-2", "/inputSchema/type", "the schema's type is not \"object\"");
        schema.set("type", SchemaTree::text("object"));
    }
    if !schema.get("properties").is_some_and(SchemaTree::is_object) {
        schema.set("properties", SchemaTree::Object(Vec::new()));
    }
    schema
}

/// Tells once, and where first, that a model reads what a person does not see.
fn tell_invisible(definition: &SchemaTree<'_>, problems: &mut Told) {
    for name in ["name", "description", "inputSchema"] {
        let Some(hides) = definition.get(name).and_then(hides) else { continue };
        let what = if hides { "cannot be seen" } else { "is shown in another order" };
        return problems.warn("MT-4", &format!("/{name}"), format!("it contains text that {what}"));
    }
}

/// Whether a text of the value, or one of its keys, hides something, or else changes the order of what is shown.
/// `None` if all of it is seen.
fn hides(value: &SchemaTree<'_>) -> Option<bool> {
    let of_text = |raw: &str| {
        let text = resolved(raw);
        let seen = VisibleText::new(&text, Controls::Remove);
        (seen.removed() > 0).then_some(seen.hidden > 0)
    };
    // `Some(true)` is the greatest.
    match value {
        SchemaTree::Object(fields) => {
            fields.iter().map(|(key, value)| of_text(key).max(hides(value))).max().flatten()
        }
        SchemaTree::Array(items) => items.iter().map(hides).max().flatten(),
        SchemaTree::Text(raw) => of_text(raw),
        SchemaTree::Word(_) => None,
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
