//! § 6 of the API: the files of a run.

use crate::wasm::api::transcript::{Transcript, end_of, push_to};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::logged;
use crate::wasm::limits::{bytes, bytes_of};
use apex_parts_model::{Error, Key, Kind, View};
use apex_parts_transcript::{SessionFiles, Transcript as Core};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// The longest beginning of a file that is looked at: its first line may hold the instructions of a model.
const LONGEST_HEAD: u32 = 1 << 20;
const LINE_FEED: u8 = 10;
const EXPECTED: &str = "expected an array of files {path: string, bytes: Uint8Array}";

/// A file that was given: its path, its bytes, and the beginning of them.
struct GivenFile {
    path: String,
    bytes: js_sys::Uint8Array,
    head: Vec<u8>,
}

fn error(message: &str) -> JsValue {
    logged(&Error::transcript("schema", message, 0))
}

/// The files of an array of `{path, bytes}`.
fn given(files: &JsValue) -> Result<Vec<GivenFile>, JsValue> {
    let _scope = Scope::new();
    let files = Js::hold(files);
    let mut made = Vec::new();
    let mut refused = (files.kind() != Kind::Array).then(|| error(EXPECTED));
    files.each(files.len(), &mut |_, file| {
        if refused.is_none() {
            match given_file(file) {
                Ok(file) => made.push(file),
                Err(thrown) => refused = Some(thrown),
            }
        }
    });
    refused.map_or(Ok(made), Err)
}

fn given_file(file: &Js) -> Result<GivenFile, JsValue> {
    let mut given = JsValue::UNDEFINED;
    file.each_field(&mut |name, value| {
        if name == "bytes" {
            given = value.take();
        }
    });
    let path = file.get(Key::Path).text().map(Cow::into_owned);
    let (Some(path), Some(bytes)) = (path, bytes(&given)) else { return Err(error(EXPECTED)) };
    let longest = bytes.length().min(LONGEST_HEAD);
    let line = bytes.subarray(0, longest).index_of(LINE_FEED, 0);
    // Only of records is the first line enough.
    let is_lines = path.ends_with(".jsonl");
    let end = u32::try_from(line).ok().filter(|_| is_lines).unwrap_or(longest);
    let head = bytes_of(&bytes.subarray(0, end)).map_err(|large| large.transcript())?;
    Ok(GivenFile { path, bytes, head })
}

/// The paths and beginnings of files.
fn heads(files: &[GivenFile]) -> Vec<(&str, &[u8])> {
    files.iter().map(|file| (&*file.path, &*file.head)).collect()
}

#[wasm_bindgen]
impl Transcript {
    /// Opens the files of one run as one transcript: a session, what it went on in after a part of it was taken back
    /// (Codex), and those of its sub-agents (Claude Code, Codex, Gemini CLI), which are its sessions of tasks. Which files
    /// are of one run, `runFiles` tells. What is wrong with a file of a sub-agent is among `problems()`, and begins with the
    /// path of the file. Throws `TranscriptError` if the files are of several runs, or no transcript can be read from those
    /// of the session itself.
    ///
    /// ```js
    /// const item = { type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] };
    /// const files = [{ id: "b", parent_thread_id: "a" }, { id: "a" }].map((payload) => {
    ///   const lines = [{ type: "session_meta", payload }, { type: "response_item", payload: item }];
    ///   const text = lines.map((line) => JSON.stringify(line)).join("\n");
    ///   return { path: `${payload.id}.jsonl`, bytes: new TextEncoder().encode(text) };
    /// });
    /// const run = Transcript.openFiles(files);
    /// run.sessions.map(({ id, kind }) => [id, kind]); // [["a", "main"], ["b", "task"]]
    /// run.free();
    /// ```
    ///
    /// @param files - The files, in any order; the steps of their paths are separated by `/`.
    /// @param options - As for `open`; `read` is not used.
    /// @returns The transcript.
    #[wasm_bindgen(js_name = openFiles)]
    pub fn open_files(
        #[wasm_bindgen(unchecked_param_type = "RunFile[]")] files: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "TranscriptOptions")] options: &JsValue,
    ) -> Result<Transcript, JsValue> {
        let given = given(files)?;
        let mut made = Transcript::new(options)?;
        let mut open = |session: &[usize]| {
            let mut core = made.another(options);
            for file in session.iter().filter_map(|index| given.get(*index)) {
                push_to(&mut core, &file.bytes, made.now)?;
                let length = file.bytes.length();
                if length > 0 && file.bytes.get_index(length - 1) != LINE_FEED {
                    push_to(&mut core, &js_sys::Uint8Array::from(&[LINE_FEED][..]), made.now)?;
                }
            }
            end_of(&mut core, made.now).map(|()| core)
        };
        made.core = Core::open_files(&heads(&given), &mut open).map_err(|error| logged(&error))?;
        Ok(made)
    }
}

/// Which files are of one run: of each run the paths, first those of the session itself, in order. Claude Code, Codex and
/// Gemini CLI write the sessions of sub-agents to files of their own; Codex goes on in a second file after a part of a
/// session was taken back. A file of anything else is a run of its own, also one that is no transcript.
///
/// ```js
/// const files = [{ id: "b", parent_thread_id: "a" }, { id: "a" }].map((payload) => {
///   const line = JSON.stringify({ type: "session_meta", payload });
///   return { path: `${payload.id}.jsonl`, bytes: new TextEncoder().encode(line) };
/// });
/// runFiles(files); // [["a.jsonl", "b.jsonl"]]
/// ```
///
/// @param files - The files, of each at least its first line; the steps of their paths are separated by `/`.
/// @returns The runs, in the order of their first files.
#[wasm_bindgen(js_name = runFiles, unchecked_return_type = "string[][]")]
pub fn run_files(
    #[wasm_bindgen(unchecked_param_type = "RunFile[]")] files: &JsValue,
) -> Result<JsValue, JsValue> {
    let given = given(files)?;
    let paths = |sessions: Vec<SessionFiles>| {
        let of = |session: SessionFiles| session.files.into_iter().chain(session.description);
        let paths = sessions.into_iter().flat_map(of).filter_map(|index| given.get(index));
        JsValue::from(paths.map(|file| JsValue::from_str(&file.path)).collect::<js_sys::Array>())
    };
    let runs = apex_parts_transcript::run_files(&heads(&given));
    Ok(runs.into_iter().map(paths).collect::<js_sys::Array>().into())
}
