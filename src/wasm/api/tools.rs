//! What `js/tools/` asks the rules of tools: permissions, JSON Schema, near names. Not part of the API: names
//! that begin with `tools` or `Tools` are left out of the package's entries.

use crate::tools::permission::{PermissionRule, Permit, Rules, expand_home};
use crate::tools::schema::{JsonSchema, SchemaIssue, ValueStep};
use crate::tools::shell::{deny_candidates, shell_request};
use crate::tools::wildcard;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{set, strings};
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
