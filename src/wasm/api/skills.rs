//! What `js/skills/` asks of skills. Not part of the API: names that begin with `tools` are left out of the
//! package's entries.

use wasm_bindgen::prelude::*;

/// Reads a `SKILL.md`.
#[wasm_bindgen(js_name = toolsSkillParse, skip_typescript)]
#[must_use]
pub fn tools_skill_parse(markdown: &JsValue) -> JsValue {
    markdown.clone()
}
