//! Reads a schema once, so that checking a value reads nothing of it again.

use super::literal::Literal;
use super::node::{Bound, Others, SchemaNode, TYPE_NAMES, TypeSet};
use apex_parts_model::order;
use apex_parts_model::{Kind, View};

/// The most levels of schemas within each other.
const MAX_DEPTH: usize = 64;
/// The most schemas in a schema.
const MAX_NODES: usize = 10_000;

/// Keywords that say nothing of which values fit, or that this crate handles elsewhere.
const ANNOTATIONS: &[&str] = &[
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "contentEncoding",
    "contentMediaType",
];

/// A schema, ready to check values.
///
/// ```
/// use apex_parts_tools::schema::JsonSchema;
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"limit": {"type": "integer"}}});
/// let schema = JsonSchema::compile(&Some(&schema)).unwrap();
/// let issues = schema.check(&Some(&json!({"limit": "many"})), &mut |_, _| true);
/// assert_eq!(issues[0].message, "expected a whole number, got the string \"many\"");
/// ```
#[derive(Clone, Debug, Default)]
pub struct JsonSchema {
    /// The first is the schema itself.
    pub(super) nodes: Vec<SchemaNode>,
    unknown: Vec<String>,
}

/// A schema and the JSON Pointer to it.
type Located = (String, usize);

impl JsonSchema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence: it is not an object or a boolean, nests more than 64 levels
    /// deep, has more than 10,000 schemas, a type that does not exist, or a `$ref` that leads nowhere.
    pub fn compile<V: View>(schema: &V) -> Result<JsonSchema, String> {
        let mut compiled = JsonSchema::default();
        let mut located = Vec::new();
        compiled.read(schema, "#".to_owned(), MAX_DEPTH, &mut located)?;
        order::sort_by(&mut located, Ord::cmp);
        for node in &mut compiled.nodes {
            if let Some((pointer, index)) = &mut node.reference {
                let found = located.binary_search_by(|(other, _)| other.as_str().cmp(pointer));
                let found = found.ok().and_then(|at| located.get(at));
                let Some((_, found)) = found else {
                    return Err(format!("its $ref {pointer} does not lead to a schema"));
                };
                *index = *found;
            }
        }
        Ok(compiled)
    }

    /// The keywords that are not known and are ignored, each once.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    pub(super) fn node(&self, index: usize) -> Option<&SchemaNode> {
        self.nodes.get(index)
    }

    fn read<V: View>(
        &mut self,
        schema: &V,
        pointer: String,
        depth: usize,
        located: &mut Vec<Located>,
    ) -> Result<usize, String> {
        let index = self.nodes.len();
        if depth == 0 || index >= MAX_NODES {
            return Err(format!("at {pointer} it is too deep or too large"));
        }
        self.nodes.push(SchemaNode::default());
        located.push((pointer.clone(), index));
        let node = match schema.kind() {
            Kind::True => SchemaNode::default(),
            Kind::False => SchemaNode { is_never: true, ..SchemaNode::default() },
            Kind::Object => self.object(schema, &pointer, depth - 1, located)?,
            kind => return Err(format!("at {pointer} there is {}, not a schema", kind.describe())),
        };
        if let Some(place) = self.nodes.get_mut(index) {
            *place = node;
        }
        Ok(index)
    }

    fn object<V: View>(
        &mut self,
        schema: &V,
        pointer: &str,
        depth: usize,
        located: &mut Vec<Located>,
    ) -> Result<SchemaNode, String> {
        let mut node = SchemaNode::default();
        let mut result = Ok(());
        schema.each_field(&mut |keyword, value| {
            if result.is_ok() {
                result = self.keyword(&mut node, keyword, value, pointer, depth, located);
            }
        });
        order::sort_by(&mut node.required, Ord::cmp);
        node.required.dedup();
        result.map(|()| node)
    }

    fn keyword<V: View>(
        &mut self,
        node: &mut SchemaNode,
        keyword: &str,
        value: &V,
        pointer: &str,
        depth: usize,
        located: &mut Vec<Located>,
    ) -> Result<(), String> {
        let below = || format!("{pointer}/{}", escaped(keyword));
        match keyword {
            "type" => {
                node.types = types(value).ok_or_else(|| format!("{pointer}/type is not a type"))?
            }
            "enum" | "const" => {
                let mut literals = Vec::new();
                if keyword == "const" {
                    literals.extend(Literal::new(value));
                } else {
                    value.each(usize::MAX, &mut |_, one| literals.extend(Literal::new(one)));
                }
                if node.literals.is_none() {
                    node.literals = Some(literals);
                } else {
                    // `const` beside `enum`: both say what fits.
                    node.all_of.push(self.nodes.len());
                    let literals = Some(literals);
                    self.nodes.push(SchemaNode { literals, ..SchemaNode::default() });
                }
            }
            "required" => value.each(MAX_NODES, &mut |_, name| {
                node.required.extend(name.text().map(|name| name.into_owned()));
            }),
            "properties" => node.properties = self.named(value, &below(), depth, located)?,
            "$defs" | "definitions" => {
                self.named(value, &below(), depth, located)?;
            }
            "additionalProperties" => {
                node.other_fields = self.others(value, below(), depth, located)?
            }
            // Before 2020-12 the list was called `items`, and what comes after it `additionalItems`.
            "items" | "prefixItems" if value.kind() == Kind::Array => {
                node.prefix = self.list(value, &below(), depth, located)?;
            }
            "items" | "additionalItems" => {
                node.other_elements = self.others(value, below(), depth, located)?;
            }
            "allOf" => node.all_of.extend(self.list(value, &below(), depth, located)?),
            "anyOf" => node.any_of = self.list(value, &below(), depth, located)?,
            "oneOf" => node.one_of = self.list(value, &below(), depth, located)?,
            "not" => node.not = Some(self.read(value, below(), depth, located)?),
            "pattern" => node.pattern = value.text().map(|pattern| pattern.into_owned()),
            "$ref" if value.text().is_some_and(|to| to == "#" || to.starts_with("#/")) => {
                node.reference = value.text().map(|to| (to.into_owned(), 0));
            }
            _ => {
                let bound = Bound::ALL.iter().find(|(name, _, _)| *name == keyword);
                match bound {
                    Some((_, bound, _)) if value.kind() == Kind::Number => {
                        node.bounds.push((*bound, value.number()));
                    }
                    _ if ANNOTATIONS.contains(&keyword) => {}
                    _ if self.unknown.iter().any(|known| known == keyword) => {}
                    _ => self.unknown.push(keyword.to_owned()),
                }
            }
        }
        Ok(())
    }

    fn others<V: View>(
        &mut self,
        value: &V,
        pointer: String,
        depth: usize,
        located: &mut Vec<Located>,
    ) -> Result<Others, String> {
        Ok(match value.kind() {
            Kind::True => Others::Any,
            Kind::False => Others::None,
            _ => Others::Fit(self.read(value, pointer, depth, located)?),
        })
    }

    fn list<V: View>(
        &mut self,
        value: &V,
        pointer: &str,
        depth: usize,
        located: &mut Vec<Located>,
    ) -> Result<Vec<usize>, String> {
        let mut list = Ok(Vec::new());
        value.each(MAX_NODES, &mut |at, schema| {
            if let Ok(list_so_far) = &mut list {
                match self.read(schema, format!("{pointer}/{at}"), depth, located) {
                    Ok(index) => list_so_far.push(index),
                    Err(error) => list = Err(error),
                }
            }
        });
        list
    }

    fn named<V: View>(
        &mut self,
        value: &V,
        pointer: &str,
        depth: usize,
        located: &mut Vec<Located>,
    ) -> Result<Vec<(String, usize)>, String> {
        let mut list = Ok(Vec::new());
        value.each_field(&mut |name, schema| {
            if let Ok(list_so_far) = &mut list {
                match self.read(schema, format!("{pointer}/{}", escaped(name)), depth, located) {
                    Ok(index) => list_so_far.push((name.to_owned(), index)),
                    Err(error) => list = Err(error),
                }
            }
        });
        list
    }
}

fn types<V: View>(value: &V) -> Option<TypeSet> {
    let one = |value: &V| {
        let name = value.text()?;
        let bit = TYPE_NAMES.iter().position(|known| *known == name)?;
        Some(1 << bit)
    };
    if value.kind() != Kind::Array {
        return one(value);
    }
    let mut set = Some(0);
    value.each(TYPE_NAMES.len(), &mut |_, name| {
        set = set.and_then(|set: TypeSet| one(name).map(|bit: TypeSet| set | bit));
    });
    set.filter(|set| *set != 0)
}

/// A name as a step of a JSON Pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
