//! What `js/tools/` asks the rules of tools: permissions, JSON Schema, near names. Not part of the API: names
//! that begin with `tools` or `Tools` are left out of the package's entries.

use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{set, strings};
use apex_parts_shell::permission::{PermissionRule, Permit, Rules, expand_home};
use apex_parts_shell::shell::{
    deny_candidates, is_over, open_candidates, shell_commands, silent_texts,
};
use apex_parts_shell::wildcard;
use apex_parts_tools::schema::{JsonSchema, SchemaIssue, ValueStep};
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

    /// The same for a text in which a NUL stands for what is not known.
    #[wasm_bindgen(js_name = lastOpen, skip_typescript)]
    #[must_use]
    pub fn last_open(&self, permission: &str, pattern: &str) -> i32 {
        self.0.last_open(permission, pattern).and_then(|i| i32::try_from(i).ok()).unwrap_or(-1)
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

/// What rules of bash are evaluated on, in lists of five. For each command of a text: its own text if it is
/// asked, what it runs that must be allowed too, the spellings on which denials and questions are tried, the
/// same with a NUL for what is not known, and whether it is opaque. Then those of the whole text: itself if it
/// is opaque, nothing, itself and what is no command, nothing, and 2 if it is beyond a limit.
#[wasm_bindgen(js_name = toolsShellTexts, skip_typescript)]
#[must_use]
pub fn tools_shell_texts(command: &str) -> js_sys::Array {
    let request = shell_commands(command);
    let list =
        |own: Option<&str>, inner: &[String], denied: &[String], open: &[String], opaque: u8| {
            let own = own.map_or(JsValue::UNDEFINED, JsValue::from_str);
            let [inner, denied, open] = [inner, denied, open].map(strings);
            JsValue::from(js_sys::Array::of5(&own, &inner, &denied, &open, &opaque.into()))
        };
    let texts = js_sys::Array::new();
    for command in &request.commands {
        let own = command.asked.then_some(command.text.as_str());
        let denied = deny_candidates(command);
        texts.push(&list(
            own,
            &command.inner,
            &denied,
            open_candidates(command),
            command.opaque.into(),
        ));
    }
    let own = request.opaque.then_some(command);
    let opaque = if is_over(&request) { 2 } else { request.opaque.into() };
    let mut silent = silent_texts(&request).to_vec();
    // The one command of a text was tried already.
    if !matches!(request.commands.as_slice(), [only] if only.text == command) {
        silent.push(command.to_owned());
    }
    texts.push(&list(own, &[], &silent, &[], opaque));
    texts
}
