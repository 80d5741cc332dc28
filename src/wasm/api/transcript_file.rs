//! § 6 of the API: what the file of a transcript is.

use crate::wasm::api::assembler::copied;
use crate::wasm::api::transcript::{Transcript, parse};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::set;
use crate::wasm::limits::bytes;
use apex_parts_model::{Build, Key};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Transcript {
    /// The format of the file; `undefined` until it is detected, and if it is recognised but not read (then a
    /// problem says what it looks like).
    #[wasm_bindgen(getter, unchecked_return_type = "TranscriptFormat | undefined")]
    #[must_use]
    pub fn format(&self) -> Option<String> {
        self.core.format().map(|format| format.as_str().to_owned())
    }

    /// What the file looks like, if it is recognised but not read, as "an OpenTelemetry trace"; `undefined` otherwise.
    #[wasm_bindgen(getter, js_name = looksLike, unchecked_return_type = "string | undefined")]
    #[must_use]
    pub fn looks_like(&self) -> Option<String> {
        self.core.looks_like().map(str::to_owned)
    }

    /// Whether a file of this format also has what the tools returned. The stream of a provider has none: a call in
    /// it is requested, and stays `running`. True until the format is detected.
    #[wasm_bindgen(getter, js_name = holdsResults)]
    #[must_use]
    pub fn holds_results(&self) -> bool {
        self.core.holds_results()
    }

    /// Whether so many records of the file are of other programs that it is hardly one of its format: what is shown is only
    /// a part of it, and `problems()` has an error that says so.
    #[wasm_bindgen(getter, js_name = isForeign)]
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.core.is_foreign()
    }

    /// The session object of the file, if it has one. Throws `TranscriptError` if it cannot be read.
    #[wasm_bindgen(getter, unchecked_return_type = "Record<string, unknown> | undefined")]
    pub fn session(&self) -> Result<JsValue, JsValue> {
        self.core.session().map_or(Ok(JsValue::UNDEFINED), parse)
    }

    /// The sessions in the file, the main one first: `task` those of sub-agents, `branch` what was left when a person
    /// went back or the history was compacted, `replay` the copy of its parent with which a fork begins, `other` the
    /// rest, as further samples. In a transcript of `openFiles`, those of a sub-agent's file have its path as `file`, and the
    /// type of the sub-agent as `agent`, if a file describes it.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "{ id: string; parentID?: string; title?: string; kind: SessionKind; file?: string; agent?: string }[]"
    )]
    #[must_use]
    pub fn sessions(&self) -> JsValue {
        let _scope = Scope::new();
        let list = js_sys::Array::new();
        for session in self.core.sessions() {
            let mut object = Js::object();
            let fields = [
                (Key::Id, Some(session.id)),
                (Key::ParentID, session.parent_id),
                (Key::Title, session.title),
                (Key::Kind, Some(session.kind.as_str().to_owned())),
                (Key::Agent, session.agent),
            ];
            for (key, text) in fields {
                if let Some(text) = text {
                    object.put(key, &Js::string(&text));
                }
            }
            let object = js_sys::Object::from(object.take());
            if let Some(file) = session.file {
                set(&object, "file", &JsValue::from_str(&file));
            }
            list.push(&object);
        }
        list.into()
    }
}

/// What bytes are that are recognised, but no stream: the name of a form that is not read, such as `Cursor stream-json`, or
/// the title of a transcript format. `undefined` where `streamFormat` gives a format, and for what is not recognised.
/// Throws `DeltaContractError` (`limit`) if there are more bytes than the module can take.
///
/// ```js
/// looksLike(new TextEncoder().encode('{"type":"thread.started","thread_id":"t"}\n')); // "Codex exec --json"
/// ```
///
/// @param bytes - The file, or its beginning.
/// @returns The name, or `undefined`.
#[wasm_bindgen(js_name = looksLike, unchecked_return_type = "string | undefined")]
pub fn looks_like(
    #[wasm_bindgen(js_name = bytes, unchecked_param_type = "Uint8Array")] file: &JsValue,
) -> Result<Option<String>, JsValue> {
    if bytes(file).is_none() {
        return Ok(None);
    }
    let file = copied(file, "looksLike takes a Uint8Array or an ArrayBuffer")?;
    Ok(apex_parts_transcript::looks_like(&file).map(str::to_owned))
}
