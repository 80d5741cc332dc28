//! § 13 of the API: what should not be shared, found and masked.

use crate::wasm::declarations::declared;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, set};
use crate::wasm::limits;
use crate::wasm::options::{REDACT, log_unknown};
use apex_parts_model::{Error, Kind, Path, View};
use apex_parts_redact::{ChosenText, RedactOptions, Redactor, SECRET_KINDS, SecretPlace, find};
use js_sys::{Array, Object, RegExp};
use std::ops::Range;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = declared(include_str!("../types/redact.d.ts"));

#[wasm_bindgen(module = "/src/wasm/api/redact.js")]
extern "C" {
    #[wasm_bindgen(js_name = everywhere)]
    fn everywhere(regex: &RegExp) -> RegExp;
    #[wasm_bindgen(js_name = allMatches)]
    fn all_matches(regex: &RegExp, text: &str) -> Vec<u32>;
}

/// The ranges in bytes of ranges in UTF-16 units, which are in order.
fn in_bytes(text: &str, units: &[u32]) -> Vec<Range<usize>> {
    let mut chars = text.char_indices();
    let mut at = 0;
    let mut offset = |unit: u32| {
        while at < unit {
            let Some((_, char)) = chars.next() else { break };
            at += if char.len_utf16() == 2 { 2 } else { 1 };
        }
        chars.offset()
    };
    let (pairs, _) = units.as_chunks::<2>();
    pairs.iter().map(|[start, end]| offset(*start)..offset(*end)).collect()
}

/// A text that is to be masked: a string, or a regular expression.
fn chosen(value: &JsValue) -> Result<ChosenText, String> {
    if let Some(regex) = value.dyn_ref::<RegExp>() {
        let regex = everywhere(regex);
        let find = move |text: &str| in_bytes(text, &all_matches(&regex, text));
        return Ok(ChosenText::matches(Box::new(find)));
    }
    let text = limits::text_of(value).map_err(|too_large| too_large.message().to_owned())?;
    let text = text.ok_or("`mask` must hold strings and regular expressions")?;
    ChosenText::literal(&text).ok_or_else(|| "a text of `mask` is empty".to_owned())
}

fn refused(message: String) -> JsValue {
    logged(&Error::rule("schema", &Path::ROOT, message))
}

#[allow(clippy::cast_precision_loss)] // no text has 2^53 characters
fn number(count: usize) -> JsValue {
    JsValue::from_f64(count as f64)
}

/// The most kinds that are read of a list: more than there are.
const MOST_KEPT: usize = 1000;

/// The most texts that are masked because they were chosen.
const MOST_CHOSEN: usize = 10_000;

fn options(given: &JsValue) -> Result<(RedactOptions, Vec<ChosenText>), JsValue> {
    let _scope = Scope::new();
    let given = Js::hold(given);
    log_unknown(&given, "Redactor", REDACT);
    let mut options = RedactOptions::default();
    let mut wrong = None;
    let mut texts = Vec::new();
    let is_read = given.each_field(&mut |name, value| match name {
        "keep" if value.kind() == Kind::Array => value.each(MOST_KEPT, &mut |_, kind| {
            let kind = kind.text().map(std::borrow::Cow::into_owned).unwrap_or_default();
            if SECRET_KINDS.iter().any(|known| known.name == kind) {
                options.keep.push(kind);
            } else {
                wrong.get_or_insert_with(|| unknown_kind(&kind));
            }
        }),
        "keep" if !value.kind().is_nullish() => {
            wrong =
                Some(format!("`keep` must be an array of kinds, not {}", value.kind().describe()));
        }
        "mask" if value.kind() == Kind::Array => {
            value.each(MOST_CHOSEN, &mut |_, text| match chosen(&text.take()) {
                Ok(text) => texts.push(text),
                Err(why) => drop(wrong.get_or_insert(why)),
            })
        }
        "mask" if !value.kind().is_nullish() => {
            let what = "an array of strings and regular expressions";
            wrong = Some(format!("`mask` must be {what}, not {}", value.kind().describe()));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
        "places" if value.kind() == Kind::Number && value.number() >= 0.0 => {
            options.places = value.number() as usize;
        }
        "places" if !value.kind().is_nullish() => {
            wrong = Some("`places` must be a number, 0 or more".to_owned());
        }
        _ => {}
    });
    if !is_read || given.kind() == Kind::Unreadable {
        wrong = Some("the options throw when they are read".to_owned());
    }
    wrong.map_or(Ok((options, texts)), |wrong| Err(refused(wrong)))
}

fn unknown_kind(kind: &str) -> String {
    let names: Vec<&str> = SECRET_KINDS.iter().map(|kind| kind.name).collect();
    let kind = apex_parts_model::shorten(kind);
    format!("unknown kind of secret {kind:?}; the kinds are {}", names.join(", "))
}

/// The kinds of secrets that are found, in the order of their rank.
///
/// ```js
/// secretKinds().some(({ kind }) => kind === "github-token"); // true
/// ```
///
/// @returns The name of each kind, and what it is.
#[wasm_bindgen(js_name = secretKinds, unchecked_return_type = "SecretKind[]")]
#[must_use]
pub fn secret_kinds() -> JsValue {
    let kinds = SECRET_KINDS.iter().map(|kind| {
        let entry = Object::new();
        set(&entry, "kind", &kind.name.into());
        set(&entry, "what", &kind.what.into());
        JsValue::from(entry)
    });
    kinds.collect::<Array>().into()
}

/// Masks what should not be shared in parts, messages and any other JSON values: keys, tokens, passwords, cookies,
/// private keys, mail addresses, names in paths of home folders. Equal secrets get equal masks over all that one
/// `Redactor` is given, as `[redacted github-token 1]`; a mask says nothing of the secret. Names of fields, numbers
/// and pictures are not masked, and a secret that is cut over two parts is not found.
///
/// ```js
/// const redactor = new Redactor();
/// redactor.redact({ text: "write to ann@acme.io" }).text.includes("ann"); // false
/// redactor.findings.map(({ count }) => count); // [1]
/// redactor.free();
/// ```
#[wasm_bindgen(js_name = Redactor)]
#[derive(Debug)]
pub struct JsRedactor {
    core: Redactor,
}

#[wasm_bindgen(js_class = Redactor)]
impl JsRedactor {
    /// Begins a session. Throws `PartValidationError` if an option has the wrong type or names no kind.
    ///
    /// @param options - What is left unmasked, what is masked as well, and how many places are listed.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "RedactOptions")] options: &JsValue,
    ) -> Result<JsRedactor, JsValue> {
        let (options, texts) = self::options(options)?;
        Ok(JsRedactor { core: Redactor::new(&options).with_texts(texts) })
    }

    /// Masks the secrets of one value and of nothing else: of a file, give it the messages of each of its `sessions`.
    /// Returns a new value, or the given one if it has no secrets. A string is masked as a text. Throws `PartValidationError` if it cannot be written as JSON.
    ///
    /// @param value - A text, or any value that JSON can hold.
    /// @returns A value of the same shape.
    #[wasm_bindgen(skip_typescript)] // Declared above: it has a type parameter.
    pub fn redact(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "unknown")] value: &JsValue,
    ) -> Result<JsValue, JsValue> {
        if value.is_string() {
            let text = limits::text_of(value).map_err(|too_large| too_large.invalid())?;
            let masked = text.and_then(|text| self.core.redact_text(&text));
            return Ok(masked.map_or_else(|| value.clone(), JsValue::from));
        }
        let scope = Scope::new();
        let text = Js::hold(value).json_text().map(std::borrow::Cow::into_owned);
        drop(scope);
        let unwritable = || refused("it cannot be written as JSON".to_owned());
        let text = text.ok_or_else(unwritable)?;
        let masked = self.core.redact_json(text.as_bytes()).map_err(|_| unwritable())?;
        let Some(masked) = masked else { return Ok(value.clone()) };
        js_sys::JSON::parse(&String::from_utf8_lossy(&masked)).map_err(|_| unwritable())
    }

    /// The secrets in a text, in order; nothing is counted. An empty list if it is no string.
    ///
    /// @param text - The text.
    /// @returns The secrets, with offsets in UTF-16 units.
    #[wasm_bindgen(unchecked_return_type = "SecretInText[]")]
    pub fn find(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let text = limits::text_of(text).map_err(|too_large| too_large.invalid())?;
        let text = text.unwrap_or_default();
        let list = Array::new();
        let (mut bytes, mut units) = (0, 0);
        // Offsets in bytes as offsets in UTF-16 units, in one walk.
        let mut unit_at = |offset: usize| {
            let between = text.get(bytes..offset).unwrap_or_default();
            let characters = between.chars().count();
            // Those of four bytes are two units.
            units += characters;
            if characters < between.len() {
                units += between.bytes().filter(|byte| *byte >= 0xf0).count();
            }
            bytes = offset;
            units
        };
        for found in find(&text) {
            let entry = Object::new();
            set(&entry, "kind", &found.kind.name.into());
            set(&entry, "start", &number(unit_at(found.start)));
            set(&entry, "end", &number(unit_at(found.end)));
            list.push(&entry);
        }
        Ok(list.into())
    }

    /// Looks through a file as it stands, after its messages were masked: what was not found in these is counted and
    /// listed in `findings`, with `inCopy: false` and its line, or with the pointer in a file that is one JSON value.
    /// Nothing is masked. Returns `false` if the file is no text, as an archive: then nothing was looked through.
    ///
    /// ```js
    /// const redactor = new Redactor();
    /// redactor.findInFile(new TextEncoder().encode('{"to":"ann@acme.io"}\n{"cc":"bob@acme.io"}\n')); // true
    /// redactor.findings[0]?.places[1]?.line; // 2
    /// redactor.free();
    /// ```
    ///
    /// @param bytes - The file.
    /// @param note - What a copy of the file says beside its messages, from `copyNote`: what is in it is in the copy.
    /// @returns Whether it was looked through.
    #[wasm_bindgen(js_name = findInFile)]
    pub fn find_in_file(
        &mut self,
        #[wasm_bindgen(js_name = bytes, unchecked_param_type = "Uint8Array")] file: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, unknown>")] note: &JsValue,
    ) -> Result<bool, JsValue> {
        let file = bytes_of(file, "findInFile")?;
        if note.is_object() {
            let scope = Scope::new();
            let text = Js::hold(note).json_text().map(std::borrow::Cow::into_owned);
            drop(scope);
            let text = text.ok_or_else(|| refused("it cannot be written as JSON".to_owned()))?;
            self.core.find_in_note(text.as_bytes());
        }
        Ok(self.core.find_in_file(&file))
    }

    /// Would a copy of this file be the file itself? It is one JSON value with nothing before and behind it, no object in
    /// it has a name twice, and none of its strings would be masked. Nothing is counted.
    ///
    /// ```js
    /// const redactor = new Redactor();
    /// redactor.isClean(new TextEncoder().encode('[{"text":"nothing here"}]')); // true
    /// redactor.free();
    /// ```
    ///
    /// @param bytes - The file.
    /// @returns Whether it would.
    #[wasm_bindgen(js_name = isClean)]
    pub fn is_clean(
        &mut self,
        #[wasm_bindgen(js_name = bytes, unchecked_param_type = "Uint8Array")] file: &JsValue,
    ) -> Result<bool, JsValue> {
        Ok(self.core.is_clean(&bytes_of(file, "isClean")?))
    }

    /// The indexes in `mask` of the texts that were nowhere so far.
    #[wasm_bindgen(getter, js_name = unusedMasks, unchecked_return_type = "number[]")]
    #[must_use]
    pub fn unused_masks(&self) -> JsValue {
        self.core.unused_texts().map(number).collect::<Array>().into()
    }

    /// What was found so far, kind by kind, in the order of `secretKinds()`; chosen texts last.
    #[wasm_bindgen(getter, unchecked_return_type = "SecretFinding[]")]
    #[must_use]
    pub fn findings(&self) -> JsValue {
        let findings = self.core.findings().map(|found| {
            let entry = Object::new();
            set(&entry, "kind", &found.kind.name.into());
            set(&entry, "what", &found.kind.what.into());
            #[allow(clippy::cast_precision_loss)] // nothing is counted so far
            set(&entry, "count", &JsValue::from_f64(found.count as f64));
            set(&entry, "distinct", &number(found.distinct));
            set(&entry, "masked", &found.masked.into());
            set(&entry, "places", &found.places.iter().map(place).collect::<Array>());
            JsValue::from(entry)
        });
        findings.collect::<Array>().into()
    }
}

/// The bytes that are given.
fn bytes_of(given: &JsValue, name: &str) -> Result<Vec<u8>, JsValue> {
    let what = || refused(format!("{name} takes a Uint8Array or an ArrayBuffer"));
    let given = limits::bytes(given).ok_or_else(what)?;
    limits::bytes_of(&given).map_err(|too_large| refused(too_large.message().to_owned()))
}

fn place(place: &SecretPlace) -> JsValue {
    let entry = Object::new();
    let text = |name: &str, text: Option<&str>| {
        if let Some(text) = text {
            set(&entry, name, &text.into());
        }
    };
    text("message", place.message.as_deref());
    text("part", place.part.as_deref());
    text("pointer", Some(&place.pointer));
    if let Some(line) = place.line {
        set(&entry, "line", &number(line));
    }
    if place.is_beside {
        set(&entry, "inCopy", &JsValue::FALSE);
    }
    text("shown", Some(&place.shown));
    if let Some(of) = place.number {
        set(&entry, "number", &number(of));
    }
    entry.into()
}
