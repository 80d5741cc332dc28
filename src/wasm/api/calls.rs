//! What the parts of tool calls say of them: what a call is about, and the diff that it wrote down.

use crate::json::tape::Tape;
use crate::model::{Key, Kind, View, Word};
use crate::transcript::{CallSubject, recorded_diff};
use crate::wasm::api::transcript::parse;
use crate::wasm::handle::{Js, Scope};
use serde_json::{Map, Value, json};
use wasm_bindgen::prelude::*;

/// Of longer arguments only so many bytes are read, and so many elements of a list: they are a line to be read.
const LONGEST: usize = 4096;
const MOST_ELEMENTS: usize = 100;
/// The most arguments that are looked at.
const MOST_ARGUMENTS: usize = 200;

/// What a tool call is about, told by its arguments, whatever the agent calls its tools: `command` (the command
/// of a shell, without the `bash -lc` around it), `change` (the file that it changes), `path` (another file or
/// folder), `question` (a person is asked), or `other` (a pattern, an address, a query …; `""` where nothing
/// tells it). Arguments count with their first 4,096 bytes. `undefined` for parts that are not tool calls.
///
/// ```js
/// const state = ToolStateTransition.createRunning({ command: ["bash", "-lc", "ls"] });
/// const part = PartFactory.createToolPart("s", "m", "c1", "shell", state);
/// callSubject(part); // { kind: "command", text: "ls" }
/// ```
#[wasm_bindgen(
    js_name = callSubject,
    unchecked_return_type = "{ kind: \"command\" | \"change\" | \"path\" | \"question\" | \"other\"; text: string } | undefined", return_description = "What it is about, or `undefined`.")]
pub fn call_subject_of(
    #[wasm_bindgen(
        unchecked_param_type = "Part",
        param_description = "The part; any value is accepted."
    )]
    part: &JsValue,
) -> JsValue {
    let _scope = Scope::new();
    let part = Js::hold(part);
    if part.get_word(Key::Type) != Some(Word::Tool) {
        return JsValue::UNDEFINED;
    }
    let input = sketch(&part.get(Key::State).get(Key::Input));
    let mut tape = Tape::default();
    if tape.read(input.as_bytes(), 0).is_err() {
        return JsValue::UNDEFINED;
    }
    let tool = part.get(Key::Tool).text_start(LONGEST).into_owned();
    let subject = CallSubject::of(&tool, tape.root(input.as_bytes()));
    let found = json!({"kind": subject.kind(), "text": subject.text()});
    parse(&serde_json::to_vec(&found).unwrap_or_default()).unwrap_or(JsValue::UNDEFINED)
}

/// The diff that the tool of a call wrote down of what it changed, wherever agents keep it in the call's metadata,
/// otherwise a patch in its arguments: a unified diff, one whose lines have their numbers, or a patch in the form
/// of `apply_patch`. `undefined` where there is none.
///
/// ```js
/// const state = ToolStateTransition.createRunning({ patch: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch" });
/// recordedDiff(PartFactory.createToolPart("s", "m", "c1", "apply_patch", state)); // "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"
/// ```
#[wasm_bindgen(js_name = recordedDiff, unchecked_return_type = "string | undefined", return_description = "The diff as it is written there, or `undefined`.")]
pub fn recorded_diff_of(
    #[wasm_bindgen(
        unchecked_param_type = "Part",
        param_description = "The part; any value is accepted."
    )]
    part: &JsValue,
) -> JsValue {
    let _scope = Scope::new();
    let part = Js::hold(part);
    if part.get_word(Key::Type) != Some(Word::Tool) {
        return JsValue::UNDEFINED;
    }
    let state = part.get(Key::State);
    let found = |key| {
        let value = state.get(key);
        let text = value.json_text()?;
        let mut tape = Tape::default();
        tape.read(text.as_bytes(), 0).ok()?;
        let node = Some(tape.root(text.as_bytes()));
        let is_input = key == Key::Input;
        let diff = recorded_diff(node.filter(|_| is_input), node.filter(|_| !is_input));
        diff.map(|diff| JsValue::from_str(&diff))
    };
    found(Key::Metadata).or_else(|| found(Key::Input)).unwrap_or(JsValue::UNDEFINED)
}

/// The arguments with the beginnings of their texts, so that a long one costs no more than a short one.
fn sketch(input: &Js) -> String {
    let mut fields = Map::new();
    input.each_field(&mut |name, value| {
        if fields.len() == MOST_ARGUMENTS {
            return;
        }
        let told = match value.kind() {
            Kind::EmptyString | Kind::String => Value::from(&*value.text_start(LONGEST)),
            Kind::Array => {
                let mut texts = Vec::new();
                value.each(MOST_ELEMENTS, &mut |_, element| {
                    let is_text = element.kind().is_string();
                    texts.push(is_text.then(|| element.text_start(LONGEST).into_owned()));
                });
                Value::from(texts)
            }
            Kind::Missing => return,
            _ => Value::Null,
        };
        fields.insert(name.to_owned(), told);
    });
    Value::Object(fields).to_string()
}
