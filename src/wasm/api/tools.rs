//! What `js/tools/` asks the rules of tools: permissions, JSON Schema, near names. Not part of the API: names
//! that begin with `tools` or `Tools` are left out of the package's entries.

use crate::tools::permission::{PermissionRule, Permit, Rules, expand_home};
use crate::tools::schema::{JsonSchema, SchemaIssue, ValueStep};
use crate::tools::shell::{deny_candidates, shell_request};
use crate::tools::truncate::{Direction, FullOutput, truncate, truncation_note};
use crate::tools::{names, wildcard};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::set;
use wasm_bindgen::prelude::*;

/// Whether the text matches the wildcard of a permission rule.
#[wasm_bindgen(js_name = toolsMatch, skip_typescript)]
#[must_use]
pub fn tools_match(text: &str, wildcard: &str, windows: bool) -> bool {
    wildcard::matches(text, wildcard, windows)
}

/// A configured pattern with the home directory at its front.
#[wasm_bindgen(js_name = toolsExpandHome, skip_typescript)]
#[must_use]
pub fn tools_expand_home(pattern: &str, home: &str) -> String {
    expand_home(pattern, home)
}

/// The indexes of the nearest names.
#[wasm_bindgen(js_name = toolsNearest, skip_typescript)]
#[must_use]
#[allow(clippy::needless_pass_by_value)] // as wasm-bindgen gives it
pub fn tools_nearest(wanted: &str, names: Vec<String>, most: usize) -> Vec<usize> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    names::nearest(wanted, &names, most)
}

/// What is kept of a text, and the numbers of lines and bytes left out, as a list; `undefined` if all of it is
/// kept.
#[wasm_bindgen(js_name = toolsTruncate, skip_typescript)]
#[must_use]
#[allow(clippy::cast_precision_loss)] // no text has 2^53 bytes
pub fn tools_truncate(text: &str, lines: usize, bytes: usize, is_tail: bool) -> JsValue {
    let direction = if is_tail { Direction::Tail } else { Direction::Head };
    let kept = truncate(text, lines, bytes, direction);
    if !kept.truncated {
        return JsValue::UNDEFINED;
    }
    let numbers = [kept.omitted_lines, kept.omitted_bytes].map(|n| JsValue::from_f64(n as f64));
    std::iter::once(JsValue::from_str(kept.kept)).chain(numbers).collect::<js_sys::Array>().into()
}

/// The sentence for what is left out; `path` is "" if the whole was not saved.
#[wasm_bindgen(js_name = toolsNote, skip_typescript)]
#[must_use]
pub fn tools_note(lines: usize, bytes: usize, path: &str, is_cut: bool) -> String {
    let full = match path {
        "" => FullOutput::Nowhere,
        path if is_cut => FullOutput::First64MiB(path),
        path => FullOutput::Whole(path),
    };
    truncation_note(lines, bytes, full)
}

/// Compiled permission rules.
#[wasm_bindgen(js_name = ToolsRules, skip_typescript)]
#[derive(Default)]
pub struct ToolsRules(Rules);

#[wasm_bindgen(js_class = ToolsRules)]
impl ToolsRules {
    /// No rules.
    #[wasm_bindgen(constructor, skip_typescript)]
    #[must_use]
    pub fn new() -> ToolsRules {
        ToolsRules::default()
    }

    /// Adds a rule; false if a text or the action is not one. Few parameters: `js/guard.mjs` passes on five.
    #[wasm_bindgen(skip_typescript)]
    pub fn add(&mut self, permission: &JsValue, pattern: &JsValue, action: &JsValue) -> bool {
        let permit = action.as_string().and_then(|action| Permit::parse(&action));
        let (Some(permission), Some(pattern), Some(permit)) =
            (permission.as_string(), pattern.as_string(), permit)
        else {
            return false;
        };
        self.0.push(PermissionRule { permission, pattern, permit });
        true
    }

    /// The index of the last rule that matches; -1 if none does.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn last(&self, permission: &str, pattern: &str) -> i32 {
        self.0.last(permission, pattern).and_then(|i| i32::try_from(i).ok()).unwrap_or(-1)
    }

    /// Whether a tool is off.
    #[wasm_bindgen(js_name = isOff, skip_typescript)]
    #[must_use]
    pub fn is_off(&self, tool: &str) -> bool {
        self.0.is_off(tool)
    }
}

/// A compiled JSON Schema.
#[wasm_bindgen(js_name = ToolsSchema, skip_typescript)]
pub struct ToolsSchema(JsonSchema);

#[wasm_bindgen(js_class = ToolsSchema)]
impl ToolsSchema {
    /// Compiles a schema; throws what is wrong with it, a string.
    #[wasm_bindgen(skip_typescript)]
    pub fn compile(schema: &JsValue) -> Result<ToolsSchema, JsValue> {
        let _scope = Scope::new();
        let compiled = JsonSchema::compile(&Js::hold(schema));
        compiled.map(ToolsSchema).map_err(|why| JsValue::from_str(&why))
    }

    /// The keywords that are ignored.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn unknown(&self) -> Vec<String> {
        self.0.unknown().to_vec()
    }

    /// The parameters in short.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn signature(&self) -> String {
        self.0.signature()
    }

    /// The issues of a value; `undefined` if it fits. `pattern(expression, text)` says whether a text has a
    /// match.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn check(&self, value: &JsValue, pattern: &js_sys::Function) -> JsValue {
        let _scope = Scope::new();
        let mut matches = |expression: &str, text: &str| {
            let found = pattern.call2(&JsValue::NULL, &expression.into(), &text.into());
            found.is_ok_and(|found| found.is_truthy())
        };
        let issues = self.0.check(&Js::hold(value), &mut matches);
        if issues.is_empty() {
            return JsValue::UNDEFINED;
        }
        issues.iter().map(issue).collect::<js_sys::Array>().into()
    }
}

fn issue(issue: &SchemaIssue) -> JsValue {
    let object = js_sys::Object::new();
    let steps = issue.path.iter().map(|step| match step {
        ValueStep::Field(name) => JsValue::from_str(name),
        #[allow(clippy::cast_precision_loss)] // no array has 2^53 elements
        ValueStep::Element(index) => JsValue::from_f64(*index as f64),
    });
    set(&object, "path", &steps.collect::<js_sys::Array>().into());
    set(&object, "message", &issue.message.as_str().into());
    set(&object, "expected", &issue.expected.as_str().into());
    set(&object, "received", &issue.received.as_str().into());
    if let Some(repair) = issue.repair {
        set(&object, "repair", &repair.as_str().into());
    }
    object.into()
}

/// What a text of bash asks for, as `Permission.ShellRequest`. `is_inside(path)` says whether a path is inside;
/// if it throws, the path is not.
#[wasm_bindgen(js_name = toolsShell, skip_typescript)]
#[must_use]
pub fn tools_shell(command: &str, cwd: &str, home: &str, is_inside: &js_sys::Function) -> JsValue {
    let mut inside = |path: &str| {
        let answer = is_inside.call1(&JsValue::NULL, &path.into());
        answer.is_ok_and(|answer| answer.is_truthy())
    };
    let request = shell_request(command, cwd, home, &mut inside);
    let object = js_sys::Object::new();
    set(&object, "patterns", &strings(&request.patterns));
    set(&object, "always", &strings(&request.always));
    set(&object, "dirs", &strings(&request.dirs));
    set(&object, "opaque", &request.opaque.into());
    let commands = request.commands.iter().map(|command| {
        let object = js_sys::Object::new();
        set(&object, "text", &command.text.as_str().into());
        if let Some(name) = &command.name {
            set(&object, "name", &name.as_str().into());
        }
        let word = |word: &Option<String>| word.as_deref().map_or(JsValue::NULL, JsValue::from_str);
        let words = command.words.iter().map(word).collect::<js_sys::Array>();
        set(&object, "words", &words.into());
        set(&object, "inner", &strings(&command.inner));
        let redirects = command.redirects.iter().map(|redirect| {
            let object = js_sys::Object::new();
            set(&object, "op", &redirect.op.as_str().into());
            set(&object, "target", &word(&redirect.target));
            JsValue::from(object)
        });
        set(&object, "redirects", &redirects.collect::<js_sys::Array>().into());
        JsValue::from(object)
    });
    set(&object, "commands", &commands.collect::<js_sys::Array>().into());
    object.into()
}

/// What rules of bash are evaluated on: for each command of a text a list of three, what must be allowed, what
/// must not be denied, and whether it is opaque; one more such list if the whole text is.
#[wasm_bindgen(js_name = toolsShellTexts, skip_typescript)]
#[must_use]
pub fn tools_shell_texts(command: &str) -> js_sys::Array {
    let request = shell_request(command, "/", "/", &mut |_| true);
    let list = |allowed: &[String], denied: &[String], is_opaque: bool| -> JsValue {
        js_sys::Array::of3(&strings(allowed), &strings(denied), &is_opaque.into()).into()
    };
    let texts = js_sys::Array::new();
    for command in &request.commands {
        let mut allowed = command.inner.clone();
        if command.asked {
            allowed.push(command.text.clone());
        }
        texts.push(&list(&allowed, &deny_candidates(command), command.opaque));
    }
    if request.opaque {
        let whole = [command.to_owned()];
        texts.push(&list(&whole, &whole, true));
    }
    texts
}

fn strings(texts: &[String]) -> JsValue {
    texts.iter().map(|text| JsValue::from_str(text)).collect::<js_sys::Array>().into()
}
