//! What a schema wants and what a value is, in words.

use super::compile::JsonSchema;
use super::node::{Bound, Others, SchemaNode, TYPE_NAMES, TypeSet};
use apex_parts_json::writer;
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, View};

/// The types in words, in the order of their bits.
const TYPE_WORDS: [&str; 7] =
    ["null", "true or false", "a whole number", "a number", "a string", "an array", "an object"];
/// References and branches are followed this deep.
const MAX_DEPTH: usize = 4;
/// The most characters of a value that are shown.
const SHOWN: usize = 80;

impl JsonSchema {
    /// What the schema with this index wants: "a whole number of at least 1".
    pub(super) fn expected(&self, index: usize) -> String {
        self.words(index, MAX_DEPTH)
    }

    fn words(&self, index: usize, depth: usize) -> String {
        let Some(node) = self.node(index).filter(|_| depth > 0) else {
            return "a value".to_owned();
        };
        if node.is_never {
            return "nothing".to_owned();
        }
        if let Some(literals) = &node.literals {
            let texts = literals.iter().map(|literal| {
                let mut text = String::new();
                literal.write(&mut text);
                text
            });
            let texts: Vec<String> = texts.collect();
            let one_of = if texts.len() == 1 { "" } else { "one of " };
            return format!("{one_of}{}", texts.join(", "));
        }
        let branches = if node.any_of.is_empty() { &node.one_of } else { &node.any_of };
        let mut kinds: Vec<String> = match (&node.reference, types_of(node)) {
            (Some((_, target)), _) => vec![self.words(*target, depth - 1)],
            (None, 0) => branches.iter().map(|branch| self.words(*branch, depth - 1)).collect(),
            (None, types) => set(types, &TYPE_WORDS).map(str::to_owned).collect(),
        };
        kinds.dedup();
        let mut words = if kinds.is_empty() { "a value".to_owned() } else { kinds.join(" or ") };
        let mut link = " ";
        for (_, bound, how) in Bound::ALL {
            if let Some((_, limit)) = node.bounds.iter().find(|(own, _)| *own == bound)
                && types_of(node) & bound.of_type() != 0
            {
                words.push_str(link);
                words.push_str(how);
                words.push_str(&number_text(*limit));
                words.push_str(bound.unit());
                link = " and ";
            }
        }
        if let Some(pattern) = &node.pattern {
            words.push_str(link);
            words.push_str("that matches ");
            words.push_str(&cut(pattern));
        }
        words
    }

    /// The parameters of a tool: `filePath string, replaceAll? boolean`.
    #[must_use]
    pub fn signature(&self) -> String {
        let mut root = self.node(0);
        for _ in 0..MAX_DEPTH {
            match root.and_then(|node| node.reference.as_ref()) {
                Some((_, target)) => root = self.node(*target),
                None => break,
            }
        }
        let Some(node) = root else { return String::new() };
        let parameters = node.properties.iter().map(|(name, schema)| {
            let optional = if node.required.binary_search(name).is_ok() { "" } else { "?" };
            format!("{name}{optional} {}", self.short(*schema, MAX_DEPTH))
        });
        parameters.collect::<Vec<_>>().join(", ")
    }

    /// A type in short: `string`, `string[]`, `"a"|"b"`, `any`.
    fn short(&self, index: usize, depth: usize) -> String {
        let Some(node) = self.node(index).filter(|_| depth > 0) else { return "any".to_owned() };
        if let Some(literals) = &node.literals {
            let mut text = String::new();
            for literal in literals {
                if !text.is_empty() {
                    text.push('|');
                }
                literal.write(&mut text);
            }
            return cut(&text);
        }
        if let Some((_, target)) = node.reference {
            return self.short(target, depth - 1);
        }
        let types = types_of(node);
        let branches = if node.any_of.is_empty() { &node.one_of } else { &node.any_of };
        let mut names: Vec<String> = set(types, &TYPE_NAMES).map(str::to_owned).collect();
        if types == 0 {
            names = branches.iter().map(|branch| self.short(*branch, depth - 1)).collect();
        }
        if let (Others::Fit(element), Some(name)) =
            (node.other_elements, names.iter_mut().find(|name| *name == "array"))
        {
            *name = format!("{}[]", self.short(element, depth - 1));
        }
        names.dedup();
        if names.is_empty() { "any".to_owned() } else { names.join("|") }
    }
}

/// The first characters of a text, with a mark if there are more.
fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The types that a schema names, or that its keywords imply.
fn types_of(node: &SchemaNode) -> TypeSet {
    use super::node::{ARRAY, OBJECT};
    match node.types {
        0 if !node.properties.is_empty() || !node.required.is_empty() => OBJECT,
        0 if !node.prefix.is_empty() || node.other_elements != Others::Any => ARRAY,
        types => types,
    }
}

fn set<'n>(
    types: TypeSet,
    names: &'n [&'static str; 7],
) -> impl Iterator<Item = &'static str> + 'n {
    names.iter().enumerate().filter(move |(bit, _)| types & (1 << bit) != 0).map(|(_, name)| *name)
}

/// What a value is: `the string "maybe"`, `the number 5`, `an array`.
pub(super) fn received<V: View>(value: &V) -> String {
    match value.kind() {
        Kind::True => "true".to_owned(),
        Kind::False => "false".to_owned(),
        Kind::Number => format!("the number {}", number_text(value.number())),
        Kind::String => {
            let mut text = "the string ".to_owned();
            let value = value.text().unwrap_or_default();
            writer::string(&mut text, &cut(&value));
            text
        }
        kind => kind.describe().to_owned(),
    }
}
