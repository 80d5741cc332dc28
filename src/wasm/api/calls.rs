//! What the parts of tool calls say of them: what a call is about, and the diff that it wrote down.

use crate::wasm::api::transcript::parse;
use crate::wasm::handle::{Js, Scope};
use apex_parts_json::tape::Tape;
use apex_parts_model::view::start_of;
use apex_parts_model::{Key, Kind, View, Word};
use apex_parts_transcript::{
    CallSubject, DiffPlace, IN_INPUT, IN_METADATA, PATCH_BEGIN, patched_files, recorded_diff,
};
use serde_json::{Map, Value, json};
use wasm_bindgen::prelude::*;

/// Of longer arguments only so many bytes are read, where no other length is asked for, and so many elements of a
/// list: they are a line to be read.
const LONGEST: usize = 4096;
const MOST_ELEMENTS: usize = 1000;
/// Of a patch so much is read for the names of its files.
const LONGEST_PATCH: usize = 100_000;
/// The most arguments that are looked at.
const MOST_ARGUMENTS: usize = 200;

/// What a tool call is about, told by its arguments, whatever the agent calls its tools: `command` (the command
/// of a shell, without the `bash -lc` around it), `change` (the file that it changes), `path` (another file or
/// folder), `question` (a person is asked), or `other` (a pattern, an address, a query …; `""` where nothing
/// tells it). `files` are those of a patch in the form of `apply_patch`, which may stand in the command of a shell.
/// Arguments count with their first 4,096 bytes, a patch with 100,000. `undefined` for parts that are not tool calls.
///
/// ```js
/// const state = ToolStateTransition.createRunning({ command: ["bash", "-lc", "ls"] });
/// const part = PartFactory.createToolPart("s", "m", "c1", "shell", state);
/// callSubject(part); // { kind: "command", text: "ls" }
/// callSubject(part, 1); // { kind: "command", text: "l" }
/// ```
///
/// @param part - The part; any value is accepted.
/// @param longest - How many bytes of each argument are read. Default: 4,096.
/// @returns What it is about, or `undefined`.
#[wasm_bindgen(js_name = callSubject, unchecked_return_type = "{ kind: \"command\" | \"change\" | \"path\" | \"question\" | \"other\"; text: string; files?: string[] } | undefined")]
pub fn call_subject_of(
    #[wasm_bindgen(unchecked_param_type = "Part")] part: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] longest: &JsValue,
) -> JsValue {
    let _scope = Scope::new();
    let part = Js::hold(part);
    if part.get_word(Key::Type) != Some(Word::Tool) {
        return JsValue::UNDEFINED;
    }
    let longest = length_of(longest).unwrap_or(LONGEST);
    let input = sketch(&part.get(Key::State).get(Key::Input), longest);
    let mut tape = Tape::default();
    if tape.read(input.as_bytes(), 0).is_err() {
        return JsValue::UNDEFINED;
    }
    let tool = part.get(Key::Tool).text_start(LONGEST).into_owned();
    let input = tape.root_of(&input);
    let subject = CallSubject::new(&tool, input);
    let text = start_of(subject.text(), longest);
    let files = patched_files(input, &subject);
    let found = if files.is_empty() {
        json!({"kind": subject.kind(), "text": text})
    } else {
        json!({"kind": subject.kind(), "text": text, "files": files})
    };
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
///
/// @param part - The part; any value is accepted.
/// @returns The diff as it is written there, or `undefined`.
#[wasm_bindgen(js_name = recordedDiff, unchecked_return_type = "string | undefined")]
pub fn recorded_diff_of(#[wasm_bindgen(unchecked_param_type = "Part")] part: &JsValue) -> JsValue {
    let _scope = Scope::new();
    let part = Js::hold(part);
    if part.get_word(Key::Type) != Some(Word::Tool) {
        return JsValue::UNDEFINED;
    }
    let state = part.get(Key::State);
    let found = |is_input: bool| {
        let text = if is_input {
            picked(&state.get(Key::Input), &IN_INPUT)
        } else {
            picked(&state.get(Key::Metadata), &IN_METADATA)
        };
        let mut tape = Tape::default();
        tape.read(text.as_bytes(), 0).ok()?;
        let node = Some(tape.root_of(&text));
        let diff = recorded_diff(node.filter(|_| is_input), node.filter(|_| !is_input));
        diff.map(|diff| JsValue::from_str(&diff))
    };
    found(false).or_else(|| found(true)).unwrap_or(JsValue::UNDEFINED)
}

/// The fields of these places as JSON, and no others: beside a diff may stand the whole file.
fn picked(object: &Js, places: &[DiffPlace]) -> String {
    let mut fields = Vec::new();
    object.each_field(&mut |name, value| {
        let Some((_, inner)) = places.iter().find(|(place, _)| *place == name) else { return };
        let Some(inner) = inner else {
            let json = Some(value).filter(|value| value.kind().is_string());
            fields.extend(json.and_then(Js::json_text).map(|json| format!("\"{name}\":{json}")));
            return;
        };
        value.each_field(&mut |part, value| {
            if part == *inner {
                let json = value.json_text();
                fields.extend(json.map(|json| format!("\"{name}\":{{\"{inner}\":{json}}}")));
            }
        });
    });
    format!("{{{}}}", fields.join(","))
}

/// A length that was asked for.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
pub(super) fn length_of(value: &JsValue) -> Option<usize> {
    let number = Js::hold(value);
    let number = Some(number.number()).filter(|_| number.kind() == Kind::Number)?;
    (number >= 0.0).then_some(number as usize)
}

/// The arguments with the beginnings of their texts, so that a long one costs no more than a short one.
fn sketch(input: &Js, longest: usize) -> String {
    let mut fields = Map::new();
    input.each_field(&mut |name, value| {
        if fields.len() == MOST_ARGUMENTS {
            return;
        }
        let told = match value.kind() {
            Kind::EmptyString | Kind::String => Value::from(beginning(value, longest)),
            Kind::Array => {
                let mut texts = Vec::new();
                value.each(MOST_ELEMENTS, &mut |_, element| {
                    texts.push(element.kind().is_string().then(|| beginning(element, longest)));
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

/// The beginning of a text; of a patch there is more, for its files.
fn beginning(text: &Js, longest: usize) -> String {
    let start = text.text_start(longest.max(LONGEST));
    if longest < LONGEST_PATCH && start.contains(PATCH_BEGIN) {
        return text.text_start(LONGEST_PATCH).into_owned();
    }
    start.into_owned()
}
