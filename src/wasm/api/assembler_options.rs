//! Reads and checks the options of a `DeltaAssembler`.

use crate::wasm::handle::{Js, Scope};
use crate::wasm::options::{ASSEMBLER, log_unknown};
use crate::wasm::violation::refused;
use apex_parts_assemble::{OnDuplicate, OnProblem, StreamOptions};
use apex_parts_model::{Key, Kind, View, shorten};
use apex_parts_wire::{ThinkTags, WireFormat};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// The upper bound of `maxBytes` and of a snapshot, in bytes: the module has at most 4 GB of memory.
pub(crate) const MOST: u32 = 1 << 30;

fn limit(value: &Js, name: &str) -> Result<Option<usize>, JsValue> {
    match value.kind() {
        Kind::Missing => Ok(None),
        Kind::Number if value.number() >= 0.0 => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
            Ok(Some(value.number() as usize))
        }
        Kind::Number => Err(refused("schema", format!("`{name}` must not be negative"))),
        kind => {
            Err(refused("schema", format!("`{name}` must be a number, not {}", kind.describe())))
        }
    }
}

/// A string, or `None` if the value is `undefined`.
pub(crate) fn string(value: &Js, name: &str) -> Result<Option<String>, JsValue> {
    match value.text() {
        None if value.kind() == Kind::Missing => Ok(None),
        None => {
            let got = value.kind().describe();
            Err(refused("schema", format!("`{name}` must be a string, not {got}")))
        }
        text => Ok(text.map(Cow::into_owned)),
    }
}

fn word<T>(value: &Js, name: &str, words: &[(&str, T)]) -> Result<Option<T>, JsValue>
where
    T: Copy,
{
    let Some(text) = string(value, name)? else { return Ok(None) };
    match words.iter().find(|(word, _)| *word == text) {
        Some((_, meaning)) => Ok(Some(*meaning)),
        None => {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Err(refused("schema", format!("`{name}` must be one of {}", names.join(", "))))
        }
    }
}

/// The tag around reasoning: `true` is `think`, a string another one.
fn think_tags(value: &Js) -> Result<Option<ThinkTags>, JsValue> {
    const DEFAULT: &str = "think";
    let (tag, open) = match value.kind() {
        Kind::Missing | Kind::False => return Ok(None),
        Kind::True => (None, false),
        Kind::Object => {
            let open = value.get(Key::Open).kind();
            if open != Kind::Missing && !open.is_bool() {
                let got = open.describe();
                let message = format!("`thinkTags.open` must be a boolean, not {got}");
                return Err(refused("schema", message));
            }
            (string(&value.get(Key::Tag), "thinkTags.tag")?, open == Kind::True)
        }
        _ => (string(value, "thinkTags")?, false),
    };
    let tag = tag.unwrap_or_else(|| DEFAULT.to_owned());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if tag.is_empty() || !tag.chars().all(is_name) {
        let message =
            format!("`thinkTags` must name a tag, such as {DEFAULT:?}, not {:?}", shorten(&tag));
        return Err(refused("schema", message));
    }
    Ok(Some(ThinkTags { tag, open }))
}

pub(crate) fn options(given: &JsValue) -> Result<StreamOptions, JsValue> {
    let _scope = Scope::new();
    let given = Js::hold(given);
    if !matches!(given.kind(), Kind::Missing | Kind::Null | Kind::Object) {
        let got = given.kind().describe();
        return Err(refused("schema", format!("options must be an object, not {got}")));
    }
    log_unknown(&given, "DeltaAssembler", ASSEMBLER);
    let format = given.get(Key::Format);
    Ok(StreamOptions {
        format: match format.kind() {
            Kind::Missing => None,
            _ => Some(wire_format(&format)?),
        },
        run_id: string(&given.get(Key::RunId), "runId")?,
        on_problem: word(
            &given.get(Key::OnProblem),
            "onProblem",
            &[("throw", OnProblem::Throw), ("collect", OnProblem::Collect)],
        )?,
        on_duplicate: word(
            &given.get(Key::OnDuplicate),
            "onDuplicate",
            &[("error", OnDuplicate::Error), ("ignore", OnDuplicate::Ignore)],
        )?,
        max_bytes: limit(&given.get(Key::MaxBytes), "maxBytes")?.map(|max| max.min(MOST as usize)),
        max_depth: limit(&given.get(Key::MaxDepth), "maxDepth")?,
        think_tags: think_tags(&given.get(Key::ThinkTags))?,
    })
}

pub(crate) fn wire_format(format: &Js) -> Result<WireFormat, JsValue> {
    let name = format.text();
    let known = name.as_deref().and_then(WireFormat::parse);
    if let (false, Some(WireFormat::Provider(other))) = (cfg!(feature = "providers"), known) {
        let message = format!(
            "`format` {:?} is read by apex-parts, not by apex-parts/core, which reads deltas",
            other.as_str()
        );
        return Err(refused("schema", message));
    }
    known.ok_or_else(|| {
        let names = WireFormat::NAMES.join(", ");
        let got = name
            .map_or(format.kind().describe().to_owned(), |name| format!("{:?}", shorten(&name)));
        refused("schema", format!("`format` must be one of {names}, not {got}"))
    })
}
