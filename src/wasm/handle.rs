//! A handle to a JavaScript value, through which the rules read it (see `bridge.js`).

use crate::wasm::limits;
use apex_parts_model::{Build, Key, Kind, View, Word, is_uuid};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/bridge.js")]
extern "C" {
    #[wasm_bindgen(js_name = setNames)]
    fn set_names(keys: &str, words: &str);
    fn hold(value: &JsValue) -> u32;
    fn take(slot: u32) -> JsValue;
    fn mark() -> u32;
    fn release(to: u32);
    fn get(slot: u32, key: u8) -> u32;
    #[wasm_bindgen(js_name = getNamed)]
    fn get_named(slot: u32, name: u32) -> u32;
    fn length(slot: u32) -> u32;
    fn at(slot: u32, index: u32) -> u32;
    #[wasm_bindgen(js_name = namesOf)]
    fn names_of(slot: u32) -> u32;
    fn number(slot: u32) -> f64;
    fn word(slot: u32) -> i32;
    fn text(slot: u32) -> String;
    #[wasm_bindgen(js_name = longText)]
    fn long_text(slot: u32) -> String;
    #[wasm_bindgen(js_name = textPiece)]
    fn text_piece(slot: u32, from: i32, to: i32) -> String;
    #[wasm_bindgen(js_name = textLength)]
    fn text_length(slot: u32) -> u32;
    #[wasm_bindgen(js_name = jsonText)]
    fn json_text(slot: u32) -> u32;
    #[wasm_bindgen(js_name = jsonLength)]
    fn json_length(slot: u32) -> u32;
    #[wasm_bindgen(js_name = isBlank)]
    fn is_blank(slot: u32) -> bool;
    fn same(a: u32, b: u32) -> bool;
    #[wasm_bindgen(js_name = newSet)]
    fn new_set() -> u32;
    fn note(set: u32, slot: u32) -> bool;
    fn object() -> u32;
    fn list() -> u32;
    fn put(slot: u32, key: u8, value: u32);
    #[wasm_bindgen(js_name = putWord)]
    fn put_word(slot: u32, key: u8, word: u8);
    #[wasm_bindgen(js_name = putNumber)]
    fn put_number(slot: u32, key: u8, value: f64);
    #[wasm_bindgen(js_name = putBool)]
    fn put_bool(slot: u32, key: u8, value: bool);
    #[wasm_bindgen(js_name = putJoined)]
    fn put_joined(slot: u32, key: u8, before: u8, middle: u32, after: u8);
    #[wasm_bindgen(js_name = objectWith)]
    fn object_with(key: u8, word: u8) -> u32;
    #[wasm_bindgen(js_name = getWord)]
    fn get_word(slot: u32, key: u8) -> i32;
    fn copy(slot: u32, key: u8, from: u32, from_key: u8);
    fn push(slot: u32, value: u32);
    fn carry(slot: u32, from: u32, known: &[u8]);
}

/// Gives the bridge the names that rules refer to by number.
pub(crate) fn start() {
    let keys: Vec<&str> = Key::ALL.iter().map(|k| k.as_str()).collect();
    let words: Vec<&str> = Word::ALL.iter().map(|w| w.as_str()).collect();
    set_names(&keys.join(","), &words.join(","));
}

/// A handle to a JavaScript value. It is valid until the [`Scope`] in which it was created ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Js {
    slot: u32,
    kind: Kind,
}

impl Js {
    fn new(packed: u32) -> Js {
        let kind = Kind::ALL.get((packed & 15) as usize).copied().unwrap_or(Kind::Unreadable);
        Js { slot: packed >> 4, kind }
    }

    /// Creates a handle to a value.
    pub(crate) fn hold(value: &JsValue) -> Js {
        Js::new(hold(value))
    }

    /// The value of the handle.
    pub(crate) fn take(self) -> JsValue {
        take(self.slot)
    }

    /// The slot in the table of the bridge, for its other functions.
    pub(crate) fn slot(self) -> u32 {
        self.slot
    }

    /// The names of its own fields, at most `most` of them; an empty list if it cannot be read.
    pub(crate) fn names(self, most: usize) -> Vec<String> {
        let mut names = Vec::new();
        Js::new(names_of(self.slot)).each(most, &mut |_, name| {
            names.extend(name.text().map(Cow::into_owned));
        });
        names
    }

    /// Whether fields can be read from it. (Functions and dates have fields too.)
    fn has_fields(self) -> bool {
        matches!(self.kind, Kind::Object | Kind::Exotic | Kind::Function)
    }

    /// A long text. If it is too long, this gives "" and the current call fails when it ends.
    #[cold]
    fn long_text(self) -> String {
        let units = text_length(self.slot);
        if limits::takes_text(units) {
            return long_text(self.slot);
        }
        limits::refuse_text(units);
        String::new()
    }

    /// The characters of a string between two places, as `String.prototype.slice` counts them.
    fn piece(self, from: i32, to: i32) -> Cow<'static, str> {
        match self.kind {
            Kind::String => Cow::Owned(text_piece(self.slot, from, to)),
            _ => Cow::Borrowed(""),
        }
    }

    /// `undefined`
    pub(crate) const MISSING: Js = Js { slot: 0, kind: Kind::Missing };
}

/// The word with this number; `None` for a negative number.
fn numbered(word: i32) -> Option<Word> {
    usize::try_from(word).ok().and_then(|w| Word::ALL.get(w).copied())
}

/// Frees the handles that were created after it, when it is dropped.
pub(crate) struct Scope(u32);

impl Scope {
    pub(crate) fn new() -> Scope {
        Scope(mark())
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        release(self.0);
    }
}

/// The ids that a rule has seen: a `Set` in the bridge. It is created before the elements are read, so
/// that their handles are freed first.
pub(crate) struct IdSet(Js);

impl Default for IdSet {
    fn default() -> Self {
        IdSet(Js::new(new_set()))
    }
}

impl View for Js {
    type Ids = IdSet;

    fn kind(&self) -> Kind {
        self.kind
    }
    fn get(&self, key: Key) -> Self {
        if self.has_fields() { Js::new(get(self.slot, key as u8)) } else { Js::MISSING }
    }
    fn len(&self) -> usize {
        if self.kind == Kind::Array { length(self.slot) as usize } else { 0 }
    }
    fn at(&self, index: usize) -> Self {
        match u32::try_from(index) {
            Ok(index) if self.kind == Kind::Array => Js::new(at(self.slot, index)),
            _ => Js::MISSING,
        }
    }
    fn number(&self) -> f64 {
        if self.kind == Kind::Number { number(self.slot) } else { f64::NAN }
    }
    fn word(&self) -> Option<Word> {
        if self.kind != Kind::String {
            return None;
        }
        numbered(word(self.slot))
    }
    fn get_word(&self, key: Key) -> Option<Word> {
        if self.has_fields() { numbered(get_word(self.slot, key as u8)) } else { None }
    }
    fn text(&self) -> Option<Cow<'_, str>> {
        match self.kind {
            Kind::String => Some(Cow::Owned(match text(self.slot) {
                // The kind says that it is not empty, so the bridge left it out because it is long.
                none if none.is_empty() => self.long_text(),
                text => text,
            })),
            Kind::EmptyString => Some(Cow::Borrowed("")),
            _ => None,
        }
    }
    fn text_start(&self, most: usize) -> Cow<'_, str> {
        self.piece(0, i32::try_from(most).unwrap_or(i32::MAX))
    }
    fn text_end(&self, most: usize) -> Cow<'_, str> {
        self.piece(i32::try_from(most).map_or(0, |most| -most), i32::MAX)
    }
    fn units(&self) -> usize {
        if self.kind == Kind::String { text_length(self.slot) as usize } else { 0 }
    }
    fn json_text(&self) -> Option<Cow<'_, str>> {
        let text = Js::new(json_text(self.slot));
        text.text().map(|text| Cow::Owned(text.into_owned()))
    }
    fn json_units(&self) -> usize {
        json_length(self.slot) as usize
    }
    fn is_blank(&self) -> bool {
        self.kind == Kind::EmptyString || (self.kind == Kind::String && is_blank(self.slot))
    }
    fn is_uuid(&self) -> bool {
        // Only a text of the right length is worth copying.
        self.kind == Kind::String && text_length(self.slot) == 36 && is_uuid(&text(self.slot))
    }
    fn same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.kind.is_string() && same(self.slot, other.slot)
    }
    fn each_field(&self, look: &mut dyn FnMut(&str, &Self)) -> bool {
        if !self.has_fields() {
            return true;
        }
        let names = Js::new(names_of(self.slot));
        names.each(usize::MAX, &mut |_, name| {
            let value = Js::new(get_named(self.slot, name.slot));
            look(name.text().as_deref().unwrap_or_default(), &value);
        });
        names.kind != Kind::Unreadable
    }
    fn note(&self, ids: &mut IdSet) -> bool {
        !self.kind.is_string() || note(ids.0.slot, self.slot)
    }
    fn mark() -> u32 {
        mark()
    }
    fn release(to: u32) {
        release(to);
    }
}

impl Build for Js {
    fn object() -> Self {
        Js::new(object())
    }
    fn list() -> Self {
        Js::new(list())
    }
    fn string(text: &str) -> Self {
        Js::hold(&JsValue::from_str(text))
    }
    fn of_number(number: f64) -> Self {
        Js::hold(&JsValue::from_f64(number))
    }
    fn put(&mut self, key: Key, value: &Self) {
        if !matches!(value.kind, Kind::Missing | Kind::Unreadable) {
            put(self.slot, key as u8, value.slot);
        }
    }
    fn put_word(&mut self, key: Key, word: Word) {
        put_word(self.slot, key as u8, word as u8);
    }
    fn put_number(&mut self, key: Key, number: f64) {
        put_number(self.slot, key as u8, number);
    }
    fn put_bool(&mut self, key: Key, value: bool) {
        put_bool(self.slot, key as u8, value);
    }
    fn put_joined(&mut self, key: Key, before: Word, middle: &Self, after: Word) {
        put_joined(self.slot, key as u8, before as u8, middle.slot, after as u8);
    }
    fn object_with(key: Key, word: Word) -> Self {
        Js::new(object_with(key as u8, word as u8))
    }
    fn copy(&mut self, key: Key, from: &Self, from_key: Key) {
        if from.has_fields() {
            copy(self.slot, key as u8, from.slot, from_key as u8);
        }
    }
    fn push(&mut self, value: &Self) {
        push(self.slot, value.slot);
    }
    fn carry(&mut self, from: &Self, known: &[Key]) {
        if from.has_fields() {
            let mut numbers = [0u8; 16];
            for (number, key) in numbers.iter_mut().zip(known) {
                *number = *key as u8;
            }
            carry(self.slot, from.slot, numbers.get(..known.len()).unwrap_or(&numbers));
        }
    }
}
