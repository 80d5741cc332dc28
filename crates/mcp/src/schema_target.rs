//! Schemas as a provider takes them. Anthropic and `OpenAI` refuse alternatives at the root: their properties are
//! merged, and required is what all of them require. Gemini moreover takes neither `$schema`, `additionalProperties`
//! nor `$ref`. What is lost is a restriction, never a property: the server checks the arguments itself.

use super::schema_tree::{SchemaTree, resolved};
use std::borrow::Cow;

/// What providers refuse at the root.
pub(crate) const ROOT_KEYWORDS: [&str; 5] = ["anyOf", "oneOf", "allOf", "not", "enum"];

/// References within references are followed this deep.
const MAX_REFERENCES: usize = 8;

/// The most values that references may add: they can double a schema at each level.
const MAX_ADDED: usize = 20_000;

/// The schema without what the provider refuses.
pub(crate) fn for_provider<'j>(schema: &SchemaTree<'j>, is_gemini: bool) -> SchemaTree<'j> {
    let mut root = merged_root(schema);
    if is_gemini {
        let mut inliner = Inliner { root: schema, added: 0 };
        root = inliner.schema(&root, 0);
        // Nothing refers to them any more.
        root.remove(&["$defs", "definitions"]);
    }
    root
}

/// The schema that a reference within the root means.
fn referred<'t, 'j>(
    root: &'t SchemaTree<'j>,
    schema: &SchemaTree<'j>,
) -> Option<&'t SchemaTree<'j>> {
    let reference = schema.get("$ref")?.string()?;
    let pointer = reference.strip_prefix('#')?;
    let mut at = root;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        at = match at {
            SchemaTree::Object(fields) => {
                fields.iter().find(|(key, _)| resolved(key) == step.as_str()).map(|(_, it)| it)?
            }
            SchemaTree::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    (pointer.is_empty() || pointer.starts_with('/')).then_some(at)
}

// ── The root ────────────────────────────────────────────────────────────────────────────────────

/// The properties of alternatives, each with the schemas that they have for it, and what is required.
#[derive(Clone, Default)]
struct Branch<'j> {
    properties: Vec<(Cow<'j, str>, Vec<SchemaTree<'j>>)>,
    required: Vec<Cow<'j, str>>,
}

impl<'j> Branch<'j> {
    #[allow(clippy::ptr_arg)] // it is cloned, and mostly borrowed from the text
    fn add_property(&mut self, name: &Cow<'j, str>, schemas: &[SchemaTree<'j>]) {
        let at = self.properties.iter().position(|(own, _)| own == name);
        let Some((_, own)) = at.and_then(|at| self.properties.get_mut(at)) else {
            return self.properties.push((name.clone(), schemas.to_vec()));
        };
        for schema in schemas {
            if !own.contains(schema) {
                own.push(schema.clone());
            }
        }
    }

    fn require(&mut self, names: impl IntoIterator<Item = Cow<'j, str>>) {
        for name in names {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
    }
}

fn merged_root<'j>(schema: &SchemaTree<'j>) -> SchemaTree<'j> {
    if ROOT_KEYWORDS.iter().all(|name| schema.get(name).is_none()) {
        return schema.clone();
    }
    let mut merged = schema.clone();
    let Branch { properties, required } = branch(schema, schema, 0).unwrap_or_default();
    let alternatives = |mut schemas: Vec<SchemaTree<'j>>| match schemas.len() {
        1 => schemas.remove(0),
        _ => SchemaTree::Object(vec![("anyOf".into(), SchemaTree::Array(schemas))]),
    };
    let fields = properties.into_iter().map(|(name, schemas)| (name, alternatives(schemas)));
    merged.set("properties", SchemaTree::Object(fields.collect()));
    if required.is_empty() {
        merged.remove(&["required"]);
    } else {
        let names = required.into_iter().map(SchemaTree::Text).collect();
        merged.set("required", SchemaTree::Array(names));
    }
    merged.remove(&ROOT_KEYWORDS);
    merged
}

/// What a schema and its alternatives have together; `None` if nothing fits it. A property that the schema has
/// itself stays as it is: the alternatives only restrict it.
fn branch<'j>(
    root: &SchemaTree<'j>,
    schema: &SchemaTree<'j>,
    references: usize,
) -> Option<Branch<'j>> {
    let mut made = Branch::default();
    if matches!(schema, SchemaTree::Word("false")) {
        return None;
    }
    for (name, property) in schema.get("properties").map(SchemaTree::fields).unwrap_or_default() {
        made.add_property(name, std::slice::from_ref(property));
    }
    let required = schema.get("required").map(SchemaTree::items).unwrap_or_default();
    made.require(required.iter().filter_map(|item| match item {
        SchemaTree::Text(raw) => Some(raw.clone()),
        _ => None,
    }));
    let own = made.properties.len();
    let add = |made: &mut Branch<'j>, found: &Branch<'j>| {
        for (name, schemas) in &found.properties {
            let is_own = made.properties.iter().take(own).any(|(it, _)| it == name);
            if !is_own {
                made.add_property(name, schemas);
            }
        }
    };
    let list = |name: &str| schema.get(name).map(SchemaTree::items).unwrap_or_default();
    if references < MAX_REFERENCES
        && let Some(found) = referred(root, schema)
    {
        let found = branch(root, found, references + 1)?;
        add(&mut made, &found);
        made.require(found.required);
    }
    for item in list("allOf") {
        let found = branch(root, item, references)?;
        add(&mut made, &found);
        made.require(found.required);
    }
    for name in ["anyOf", "oneOf"] {
        let found: Vec<_> =
            list(name).iter().filter_map(|item| branch(root, item, references)).collect();
        for one in &found {
            add(&mut made, one);
        }
        let Some((first, others)) = found.split_first() else { continue };
        let in_all = |name: &Cow<'j, str>| others.iter().all(|one| one.required.contains(name));
        made.require(first.required.iter().filter(|name| in_all(name)).cloned());
    }
    Some(made)
}

// ── References ──────────────────────────────────────────────────────────────────────────────────

const DROPPED: [&str; 3] = ["$schema", "additionalProperties", "$ref"];
const SCHEMAS_BY_NAME: [&str; 4] =
    ["properties", "patternProperties", "dependentSchemas", "dependencies"];
const LISTS_OF_SCHEMAS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SCHEMAS: [&str; 9] = [
    "items",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "additionalItems",
    "unevaluatedItems",
];

/// Writes the schemas that are referred to in the place of the references.
struct Inliner<'t, 'j> {
    root: &'t SchemaTree<'j>,
    /// The values that references have added.
    added: usize,
}

impl<'j> Inliner<'_, 'j> {
    fn schema(&mut self, schema: &SchemaTree<'j>, references: usize) -> SchemaTree<'j> {
        let SchemaTree::Object(fields) = schema else { return schema.clone() };
        if references > 0 {
            self.added += fields.len() + 1;
        }
        let mut object = SchemaTree::Object(Vec::new());
        let is_followed = references < MAX_REFERENCES && self.added < MAX_ADDED;
        if let (true, Some(found)) = (is_followed, referred(self.root, schema)) {
            object = self.schema(found, references + 1);
            object.remove(&["$defs", "definitions"]);
        }
        // What is beside a reference counts more than what it refers to.
        let mut own = Vec::with_capacity(fields.len());
        for (key, value) in fields {
            let name = resolved(key);
            if !DROPPED.contains(&&*name) {
                own.push((key.clone(), self.keyword(&name, value, references)));
            }
        }
        let SchemaTree::Object(into) = &mut object else { return SchemaTree::Object(own) };
        into.retain(|(key, _)| !own.iter().any(|(name, _)| name == key));
        into.extend(own);
        object
    }

    fn keyword(&mut self, name: &str, value: &SchemaTree<'j>, references: usize) -> SchemaTree<'j> {
        match value {
            // Left out at the end; what refers to them reads them from the root.
            _ if name == "$defs" || name == "definitions" => value.clone(),
            SchemaTree::Object(fields) if SCHEMAS_BY_NAME.contains(&name) => {
                let each =
                    fields.iter().map(|(key, it)| (key.clone(), self.schema(it, references)));
                SchemaTree::Object(each.collect())
            }
            SchemaTree::Array(items) if LISTS_OF_SCHEMAS.contains(&name) || name == "items" => {
                SchemaTree::Array(items.iter().map(|it| self.schema(it, references)).collect())
            }
            _ if SCHEMAS.contains(&name) => self.schema(value, references),
            _ => value.clone(),
        }
    }
}
