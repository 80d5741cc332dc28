//! What `ts/skills/` and `ts/node/skills/` ask of skills. Not part of the API: names that begin with `tools` are
//! left out of the package's entries.

use crate::wasm::handle::Scope;
use crate::wasm::host::{Problems, set, strings};
use crate::wasm::limits;
use apex_parts_model::{Problem, Report};
use apex_parts_skills::{
    DirectWrap, ListedSkill, ListingOptions, ListingStyle, SkillDocument, SkillFolder,
    SkillListing, SkillOptions, YamlValue, direct_text,
};
use js_sys::{Array, Function, Object};
use wasm_bindgen::prelude::*;

/// Reads a `SKILL.md`: a text, or bytes of any realm. `same_name(a, b)` compares names in normal form C.
#[wasm_bindgen(js_name = toolsSkillParse, skip_typescript)]
#[must_use]
pub fn tools_skill_parse(
    markdown: &JsValue,
    dir_name: &JsValue,
    strict: bool,
    max_bytes: f64,
    same_name: &Function,
) -> JsValue {
    let given = match limits::text_of(markdown) {
        Ok(Some(text)) => Ok(text.into_bytes()),
        Ok(None) => match limits::bytes(markdown) {
            Some(view) => limits::bytes_of(&view),
            None => {
                return document(SkillDocument::refused(
                    "this is neither a string nor bytes",
                    None,
                ));
            }
        },
        Err(large) => Err(large),
    };
    let bytes = match given {
        Ok(bytes) => bytes,
        Err(large) => return document(SkillDocument::refused(large.message(), None)),
    };
    let dir_name = dir_name.as_string();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the cast saturates
    let max_bytes = max_bytes as usize;
    let options = SkillOptions { dir_name: dir_name.as_deref(), strict, max_bytes };
    let mut same = |a: &str, b: &str| {
        let same = same_name.call2(&JsValue::NULL, &a.into(), &b.into());
        same.is_ok_and(|same| same.is_truthy())
    };
    document(SkillDocument::parse(&bytes, &options, &mut same))
}

/// The document for input that cannot be read at all.
#[wasm_bindgen(js_name = toolsSkillRefused, skip_typescript)]
#[must_use]
pub fn tools_skill_refused(why: &str) -> JsValue {
    document(SkillDocument::refused(why, None))
}

/// The text of a skill in Direct mode. `wrap` is `auto`, `always` or `never`.
#[wasm_bindgen(js_name = toolsSkillDirect, skip_typescript)]
#[must_use]
pub fn tools_skill_direct(
    body: &str,
    name: &JsValue,
    dir: &JsValue,
    files: &Array,
    files_cut: bool,
    wrap: &str,
) -> String {
    let (name, dir) = (name.as_string().unwrap_or_default(), dir.as_string().unwrap_or_default());
    let files: Vec<String> = files.iter().filter_map(|file| file.as_string()).collect();
    let folder = SkillFolder { name: &name, dir: &dir, files: &files, files_cut };
    let wrap = match wrap {
        "always" => DirectWrap::Always,
        "never" => DirectWrap::Never,
        _ => DirectWrap::Auto,
    };
    direct_text(body, folder, wrap)
}

/// The list of skills: `{text, cut, nameOnly, hidden}`. `names` and `descriptions` are as many texts.
#[wasm_bindgen(js_name = toolsSkillListing, skip_typescript)]
#[must_use]
pub fn tools_skill_listing(
    names: &Array,
    descriptions: &Array,
    max_chars: f64,
    is_markdown: bool,
    recent: &Array,
) -> JsValue {
    let texts =
        |list: &Array| list.iter().map(|text| text.as_string().unwrap_or_default()).collect();
    let (names, descriptions): (Vec<String>, Vec<String>) = (texts(names), texts(descriptions));
    let recent: Vec<String> = texts(recent);
    let skills = names.iter().zip(&descriptions);
    let skills: Vec<ListedSkill<'_>> =
        skills.map(|(name, description)| ListedSkill { name, description }).collect();
    let style = if is_markdown { ListingStyle::Markdown } else { ListingStyle::Xml };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the cast saturates
    let max_chars = max_chars as usize;
    let listing = SkillListing::new(&skills, &ListingOptions { max_chars, style, recent: &recent });
    let object = Object::new();
    set(&object, "text", &listing.text.as_str().into());
    let cut = listing.cut.iter().map(|cut| {
        let entry = Object::new();
        set(&entry, "name", &cut.name.as_str().into());
        #[allow(clippy::cast_precision_loss)] // no text has 2^53 characters
        set(&entry, "kept", &JsValue::from_f64(cut.kept as f64));
        JsValue::from(entry)
    });
    set(&object, "cut", &cut.collect::<Array>().into());
    set(&object, "nameOnly", &strings(&listing.name_only));
    set(&object, "hidden", &strings(&listing.hidden));
    object.into()
}

fn document(read: SkillDocument) -> JsValue {
    let object = Object::new();
    set(&object, "valid", &read.valid.into());
    set(&object, "name", &read.name.as_str().into());
    set(&object, "description", &read.description.as_str().into());
    if let Some(license) = &read.license {
        set(&object, "license", &license.as_str().into());
    }
    if let Some(compatibility) = &read.compatibility {
        set(&object, "compatibility", &compatibility.as_str().into());
    }
    set(&object, "allowedTools", &strings(&read.allowed_tools));
    set(&object, "mode", &read.mode.as_str().into());
    let metadata = read.metadata.iter().map(|(key, text)| (key.as_str(), text.as_str().into()));
    set(&object, "metadata", &fields(metadata));
    for (name, list) in [("extra", &read.extra), ("data", &read.data)] {
        let values = list.iter().map(|(key, field)| (key.as_str(), value(field)));
        set(&object, name, &fields(values));
    }
    set(&object, "body", &read.body.as_str().into());
    set(&object, "problems", &problems(read.problems));
    object.into()
}

fn problems(found: Vec<Problem>) -> JsValue {
    let _scope = Scope::new();
    let mut list = Problems::new();
    found.into_iter().for_each(|problem| list.report(problem));
    list.list().take()
}

/// An object with these fields as its own, also one that is called `__proto__`.
fn fields<'f>(fields: impl Iterator<Item = (&'f str, JsValue)>) -> JsValue {
    let entries: Array = fields.map(|(key, value)| Array::of2(&key.into(), &value)).collect();
    Object::from_entries(&entries).map_or(JsValue::NULL, JsValue::from)
}

fn value(read: &YamlValue) -> JsValue {
    match read {
        YamlValue::Null => JsValue::NULL,
        YamlValue::Bool(bool) => (*bool).into(),
        YamlValue::Number(number) => (*number).into(),
        YamlValue::Text(text) => text.as_str().into(),
        YamlValue::List(items) => items.iter().map(value).collect::<Array>().into(),
        YamlValue::Map(entries) => {
            fields(entries.iter().map(|(key, field)| (key.as_str(), value(field))))
        }
    }
}
