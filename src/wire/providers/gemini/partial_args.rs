//! Arguments of a Gemini call that come as values at JSON paths (`$.list[0].name`): made into the
//! text of one JSON object as they come.
//!
//! The paths of a model that writes its arguments from front to back follow each other in the order
//! of the document, so the text can be streamed. A path that goes back to where the text has left
//! off cannot be inserted: from there on values are only collected, and in the end the top-level
//! fields that they touched are written once more. Of a name that comes twice the last one counts,
//! for `JSON.parse` as for the assembler.

use crate::json::record;
use crate::json::record::Val;
use crate::json::saved;
use crate::json::saved::{Numbering, Saved, state};
use crate::model::delta::ReaderOutput;
use crate::wire::providers::output::say_args;
use crate::wire::reader::Sink;
use serde_json::{Map, Value};

/// An index may leave out so many elements before it.
const MAX_GAPS: u64 = 1000;
/// So many steps a path may have.
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
    /// What was collected.
    tree: Map<String, Value>,
    /// The path of the last value in the text: its containers are open. Empty before the first.
    path: Vec<ArgumentPathStep>,
    /// The text of the string at `path` has no closing quote yet.
    in_string: bool,
    /// Strings that go on, by their paths.
    open: Numbering,
    /// Fields that have to be written once more.
    dirty: Numbering,
    /// The text left the order of the document.
    astray: bool,
    /// The arguments came whole.
    whole: bool,
    /// The places in lists that were left out so far.
    gaps: u64,
    /// The bytes of text that were collected.
    held: u64,
}

state!(PartialArgs { id, tree, path, in_string, open, dirty, astray, whole, gaps, held });

impl PartialArgs {
    /// No arguments yet.
    pub(crate) fn new(id: String) -> PartialArgs {
        PartialArgs { id, ..PartialArgs::default() }
    }

    /// Lets what was collected go: nothing that comes later is put in its place.
    pub(crate) fn let_go(&mut self) {
        self.tree.clear();
        self.dirty.clear();
        (self.held, self.whole) = (0, true);
    }

    /// The bytes of text that are held.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// The call.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The arguments came as one object after all.
    pub(crate) fn whole(&mut self, json: &str, out: &mut Sink<'_>) {
        if self.path.is_empty() && !self.whole {
            self.whole = true;
            say_args(out, &self.id, json);
        }
    }

    /// One element of `partialArgs`.
    pub(crate) fn add(&mut self, one: Val<'_>, out: &mut Sink<'_>) {
        let [path, text, number, boolean, null, more] = one.fields(&[
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
        let Some(steps) = parse(&name) else { return left_out("schema", &name, out) };
        let goes_on = self.open.contains_key(&*name);
        let (raw, is_text) = if text.is_string() {
            (text.token(), true)
        } else if number.is_number() {
            (number.raw(), false)
        } else if matches!(boolean.raw(), "true" | "false") {
            (boolean.raw(), false)
        } else if goes_on || more.is_true() {
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
        // Where the text goes is decided by what was there before.
        let way = if goes_on { None } else { self.way_to(&steps) };
        if !self.collect(&steps, goes_on && is_text, is_text, text, raw) {
            return left_out("limit", &name, out);
        }
        if self.astray {
            self.spoil(steps);
        } else if goes_on && is_text && self.in_string && steps == self.path {
            let tail = if more { "" } else { "\"" };
            self.in_string = more;
            say_args(out, &self.id, &format!("{raw}{tail}"));
        } else if let Some(way) = way {
            let open = if is_text { "\"" } else { "" };
            let close = if is_text && !more { "\"" } else { "" };
            self.in_string = more;
            self.path = steps;
            say_args(out, &self.id, &format!("{way}{open}{raw}{close}"));
        } else {
            self.astray = true;
            self.spoil(steps);
        }
    }

    /// The field that this path is in has to be written once more.
    fn spoil(&mut self, steps: Vec<ArgumentPathStep>) {
        if let Some(ArgumentPathStep::Field(field)) = steps.into_iter().next() {
            self.dirty.insert(field, 1);
        }
    }

    /// False where its place cannot be made.
    fn collect(
        &mut self,
        steps: &[ArgumentPathStep],
        append: bool,
        is_text: bool,
        text: Val<'_>,
        raw: &str,
    ) -> bool {
        let Some(slot) = reach(&mut self.tree, &mut self.gaps, steps) else { return false };
        self.held += (raw.len() + 1) as u64;
        match slot {
            Value::String(have) if append => have.push_str(&text.text()),
            _ if is_text => *slot = Value::String(text.text().into_owned()),
            _ => *slot = record::literal(raw),
        }
        true
    }

    /// The text that leads from the last value to the one at this path; `None` if the text has
    /// passed it, or the string at the old path goes on.
    fn way_to(&self, steps: &[ArgumentPathStep]) -> Option<String> {
        if self.in_string || self.astray {
            return None;
        }
        let mut way = String::new();
        let common = self.path.iter().zip(steps).take_while(|(a, b)| a == b).count();
        let begun = !self.path.is_empty();
        if begun {
            // The two paths part below a container that both are in.
            match (self.path.get(common)?, steps.get(common)?) {
                // To write a field again is to replace it: what is below it must be new.
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
                way.push(closing(step));
            }
            way.push(',');
        }
        for (at, step) in steps.iter().enumerate().skip(common) {
            let opens = !begun || at > common;
            match step {
                ArgumentPathStep::Field(name) => {
                    way.push_str(if opens { "{" } else { "" });
                    way.push_str(&Value::String(name.clone()).to_string());
                    way.push(':');
                }
                ArgumentPathStep::Index(0) if opens => way.push('['),
                ArgumentPathStep::Index(_) if opens => return None,
                ArgumentPathStep::Index(_) => {}
            }
        }
        Some(way)
    }

    /// Completes the text.
    pub(crate) fn close(&mut self, out: &mut Sink<'_>) {
        if self.whole {
            return;
        }
        let mut text = String::new();
        if self.path.is_empty() {
            if !self.tree.is_empty() {
                text = Value::Object(std::mem::take(&mut self.tree)).to_string();
            }
            return say_args(out, &self.id, &text);
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
        say_args(out, &self.id, &text);
    }
}

/// A value that has no place.
fn left_out(rule: &'static str, path: &str, out: &mut Sink<'_>) {
    let path: String = path.chars().take(60).collect();
    let message = format!("an argument at {path:?}, which is no place here, was left out");
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

/// The place of a path, made where it is not there yet.
fn reach<'t>(
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
