//! Arguments of a Gemini call that come as values at JSON paths (`$.list[0].name`), streamed as the
//! text of one JSON object.
//!
//! A model that writes its arguments from front to back sends paths in document order, so the text
//! can be streamed. A value for a place that the text has already passed cannot be inserted: from
//! there on values are only collected, and at the end the top-level fields that they changed are
//! written again. If a name occurs twice the last one counts, in `JSON.parse` and in the assembler.

use crate::providers::output::emit_args;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved;
use apex_parts_json::saved::{Numbering, Saved, state};
use apex_parts_model::delta::ReaderOutput;
use serde_json::{Map, Value};

/// How many list elements all indices together may skip.
const MAX_GAPS: u64 = 1000;
/// How many steps a path may have.
const MAX_STEPS: usize = 128;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ArgumentPathStep {
    Field(String),
    Index(usize),
}

impl Saved for ArgumentPathStep {
    fn save(&self) -> Value {
        match self {
            ArgumentPathStep::Field(name) => Value::from(name.as_str()),
            ArgumentPathStep::Index(index) => Value::from(*index),
        }
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let step = match saved {
            Value::String(name) => Some(ArgumentPathStep::Field(name)),
            other => other
                .as_u64()
                .and_then(|index| usize::try_from(index).ok())
                .map(ArgumentPathStep::Index),
        };
        saved::replace(self, step)
    }
}

impl Default for ArgumentPathStep {
    fn default() -> Self {
        ArgumentPathStep::Index(0)
    }
}

/// The arguments of one call, so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartialArgs {
    id: String,
    /// The values collected so far.
    tree: Map<String, Value>,
    /// The path of the last value in the text, whose containers are open; empty before the first.
    path: Vec<ArgumentPathStep>,
    /// The text of the string at `path` has no closing quote yet.
    in_string: bool,
    /// The paths of strings that continue.
    open: Numbering,
    /// Top-level fields that have to be written again.
    dirty: Numbering,
    /// A value did not come in document order: nothing is streamed any more.
    astray: bool,
    /// The arguments came complete, as one object.
    whole: bool,
    /// How many list elements were skipped so far.
    gaps: u64,
    /// Bytes of the collected values.
    held: u64,
}

state!(PartialArgs { id, tree, path, in_string, open, dirty, astray, whole, gaps, held });

impl PartialArgs {
    /// No arguments yet.
    pub(crate) fn new(id: String) -> PartialArgs {
        PartialArgs { id, ..PartialArgs::default() }
    }

    /// Drops what was collected: values that come later are not collected either.
    pub(crate) fn drop_held(&mut self) {
        self.tree.clear();
        self.dirty.clear();
        (self.held, self.whole) = (0, true);
    }

    /// The bytes of the collected values.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// The id of the call.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Takes the arguments as one complete object, unless values were streamed before.
    pub(crate) fn add_whole(&mut self, json: &str, out: &mut Sink<'_>) {
        if self.path.is_empty() && !self.whole {
            self.whole = true;
            emit_args(out, &self.id, json);
        }
    }

    /// Takes an element of `partialArgs`.
    pub(crate) fn add(&mut self, element: Val<'_>, out: &mut Sink<'_>) {
        let [path, text, number, boolean, null, more] = element.fields(&[
            "jsonPath",
            "stringValue",
            "numberValue",
            "boolValue",
            "nullValue",
            "willContinue",
        ]);
        let name = path.text();
        if self.whole {
            return;
        }
        let Some(steps) = parse(&name) else { return warn_left_out("schema", &name, out) };
        let continues = self.open.contains_key(&*name);
        let (raw, is_text) = if text.is_string() {
            (text.token(), true)
        } else if number.is_number() {
            (number.raw(), false)
        } else if matches!(boolean.raw(), "true" | "false") {
            (boolean.raw(), false)
        } else if continues || more.is_true() {
            ("", true)
        } else if null.raw().is_empty() {
            return;
        } else {
            ("null", false)
        };
        let more = is_text && more.is_true();
        if more {
            self.open.insert(name.clone().into_owned(), 1);
        } else {
            self.open.remove(&*name);
        }
        // Computed first: it depends on what was collected before this value.
        let between = if continues { None } else { self.text_between(&steps) };
        if !self.collect(&steps, continues && is_text, is_text, text, raw) {
            return warn_left_out("limit", &name, out);
        }
        if self.astray {
            self.mark_for_rewrite(steps);
        } else if continues && is_text && self.in_string && steps == self.path {
            let tail = if more { "" } else { "\"" };
            self.in_string = more;
            emit_args(out, &self.id, &format!("{raw}{tail}"));
        } else if let Some(between) = between {
            let open = if is_text { "\"" } else { "" };
            let close = if is_text && !more { "\"" } else { "" };
            self.in_string = more;
            self.path = steps;
            emit_args(out, &self.id, &format!("{between}{open}{raw}{close}"));
        } else {
            self.astray = true;
            self.mark_for_rewrite(steps);
        }
    }

    /// The top-level field of this path has to be written again.
    fn mark_for_rewrite(&mut self, steps: Vec<ArgumentPathStep>) {
        if let Some(ArgumentPathStep::Field(field)) = steps.into_iter().next() {
            self.dirty.insert(field, 1);
        }
    }

    /// Puts the value into the tree, appended to a string if `append`; false if its place cannot be
    /// created.
    fn collect(
        &mut self,
        steps: &[ArgumentPathStep],
        append: bool,
        is_text: bool,
        text: Val<'_>,
        raw: &str,
    ) -> bool {
        let Some(slot) = slot_at(&mut self.tree, &mut self.gaps, steps) else { return false };
        self.held += (raw.len() + 1) as u64;
        match slot {
            Value::String(value) if append => value.push_str(&text.text()),
            _ if is_text => *slot = Value::String(text.text().into_owned()),
            _ => *slot = record::literal(raw),
        }
        true
    }

    /// The JSON text between the last value and the one at this path; `None` if the text has
    /// already passed that place, or the string at the last path is still open.
    fn text_between(&self, steps: &[ArgumentPathStep]) -> Option<String> {
        if self.in_string || self.astray {
            return None;
        }
        let mut text = String::new();
        let common = self.path.iter().zip(steps).take_while(|(a, b)| a == b).count();
        let begun = !self.path.is_empty();
        if begun {
            // Both paths are in the same container, and differ in the step below it.
            match (self.path.get(common)?, steps.get(common)?) {
                // Writing a field again would replace it, so nothing may be below it yet.
                (ArgumentPathStep::Field(_), ArgumentPathStep::Field(_)) => {
                    let again = steps.len() > common + 1;
                    if again && find(&self.tree, steps.get(..=common)?).is_some() {
                        return None;
                    }
                }
                (ArgumentPathStep::Index(old), ArgumentPathStep::Index(new))
                    if *new == *old + 1 => {}
                _ => return None,
            }
            for step in self.path.get(common + 1..)?.iter().rev() {
                text.push(closing(step));
            }
            text.push(',');
        }
        for (at, step) in steps.iter().enumerate().skip(common) {
            let opens = !begun || at > common;
            match step {
                ArgumentPathStep::Field(name) => {
                    text.push_str(if opens { "{" } else { "" });
                    text.push_str(&Value::String(name.clone()).to_string());
                    text.push(':');
                }
                ArgumentPathStep::Index(0) if opens => text.push('['),
                ArgumentPathStep::Index(_) if opens => return None,
                ArgumentPathStep::Index(_) => {}
            }
        }
        Some(text)
    }

    /// Completes the JSON text.
    pub(crate) fn close(&mut self, out: &mut Sink<'_>) {
        if self.whole {
            return;
        }
        let mut text = String::new();
        if self.path.is_empty() {
            if !self.tree.is_empty() {
                text = Value::Object(std::mem::take(&mut self.tree)).to_string();
            }
            return emit_args(out, &self.id, &text);
        }
        if self.in_string {
            text.push('"');
        }
        for step in self.path.iter().skip(1).rev() {
            text.push(closing(step));
        }
        for name in self.dirty.keys() {
            let value = self.tree.get(name).unwrap_or(&Value::Null);
            text.push_str(&format!(",{}:{value}", Value::String(name.clone())));
        }
        text.push('}');
        emit_args(out, &self.id, &text);
    }
}

/// Warns of a value that was left out because its path is not usable.
fn warn_left_out(rule: &'static str, path: &str, out: &mut Sink<'_>) {
    let path: String = path.chars().take(60).collect();
    let message = format!("an argument at {path:?}, which is not a usable path, was left out");
    out(ReaderOutput::Warning { rule, message: message.into() });
}

const fn closing(step: &ArgumentPathStep) -> char {
    match step {
        ArgumentPathStep::Field(_) => '}',
        ArgumentPathStep::Index(_) => ']',
    }
}

/// The steps of `$.a.b[0]['c']`. The first is a field: arguments are an object.
fn parse(path: &str) -> Option<Vec<ArgumentPathStep>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() && steps.len() < MAX_STEPS {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, next) = after.split_at_checked(end)?;
            steps.push(ArgumentPathStep::Field(name.to_owned()));
            rest = next;
        } else {
            let after = rest.strip_prefix('[')?;
            let quote = after.chars().next().filter(|c| matches!(c, '\'' | '"'));
            let (step, next) = match quote {
                Some(quote) => {
                    let (name, next) = after.get(1..)?.split_once(&format!("{quote}]"))?;
                    (ArgumentPathStep::Field(name.to_owned()), next)
                }
                None => {
                    let (index, next) = after.split_once(']')?;
                    (ArgumentPathStep::Index(index.parse().ok()?), next)
                }
            };
            steps.push(step);
            rest = next;
        }
    }
    let fits = rest.is_empty() && matches!(steps.first(), Some(ArgumentPathStep::Field(_)));
    fits.then_some(steps)
}

/// The value at a path.
fn find<'t>(tree: &'t Map<String, Value>, steps: &[ArgumentPathStep]) -> Option<&'t Value> {
    let (first, rest) = steps.split_first()?;
    let ArgumentPathStep::Field(first) = first else { return None };
    rest.iter().try_fold(tree.get(first)?, |at, step| match (at, step) {
        (Value::Object(map), ArgumentPathStep::Field(name)) => map.get(name),
        (Value::Array(list), ArgumentPathStep::Index(index)) => list.get(*index),
        _ => None,
    })
}

/// The value at a path, created if it does not exist; `None` if that would skip too many elements.
fn slot_at<'t>(
    tree: &'t mut Map<String, Value>,
    gaps: &mut u64,
    steps: &[ArgumentPathStep],
) -> Option<&'t mut Value> {
    let (first, rest) = steps.split_first()?;
    let ArgumentPathStep::Field(first) = first else { return None };
    let mut at = tree.entry(first.clone()).or_insert(Value::Null);
    for step in rest {
        at = match step {
            ArgumentPathStep::Field(name) => {
                if !at.is_object() {
                    *at = Value::Object(Map::new());
                }
                at.as_object_mut()?.entry(name.clone()).or_insert(Value::Null)
            }
            ArgumentPathStep::Index(index) => {
                if !at.is_array() {
                    *at = Value::Array(Vec::new());
                }
                let list = at.as_array_mut()?;
                let gap = index.saturating_sub(list.len());
                let all = gaps.saturating_add(gap as u64);
                if all > MAX_GAPS {
                    return None;
                }
                *gaps = all;
                if *index >= list.len() {
                    list.resize(index + 1, Value::Null);
                }
                list.get_mut(*index)?
            }
        };
    }
    Some(at)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
