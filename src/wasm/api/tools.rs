//! What `ts/tools/` asks the rules of tools: permissions, JSON Schema, near names. Not part of the API: names
//! that begin with `tools` or `Tools` are left out of the package's entries.

use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::set;
use apex_parts_shell::decision::{Decision, Permissions, Reason};
use apex_parts_shell::permission::{PermissionRule, Permit, Rules, expand_home};
use apex_parts_shell::shell::Environment;
use apex_parts_shell::wildcard;
use apex_parts_tools::schema::{JsonSchema, SchemaIssue, ValueStep};
use js_sys::Array;
use std::rc::Rc;
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
pub struct ToolsRules(Rc<Rules>);

#[wasm_bindgen(js_class = ToolsRules)]
impl ToolsRules {
    /// No rules.
    #[wasm_bindgen(constructor, skip_typescript)]
    #[must_use]
    pub fn new() -> ToolsRules {
        ToolsRules::default()
    }

    /// Adds a rule; false if a text or the action is not one. Few parameters: `ts/module/guard.ts` passes on five.
    #[wasm_bindgen(skip_typescript)]
    pub fn add(&mut self, permission: &JsValue, pattern: &JsValue, action: &JsValue) -> bool {
        let permit = action.as_string().and_then(|action| Permit::parse(&action));
        let (Some(permission), Some(pattern), Some(permit)) =
            (permission.as_string(), pattern.as_string(), permit)
        else {
            return false;
        };
        Rc::make_mut(&mut self.0).push(PermissionRule { permission, pattern, permit });
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

/// The rules and approvals that hold for a request.
#[wasm_bindgen(js_name = ToolsPermissions, skip_typescript)]
#[derive(Default)]
pub struct ToolsPermissions {
    rulesets: Vec<Rc<Rules>>,
    approved: Vec<(String, String)>,
    environment: Option<Environment>,
}

#[wasm_bindgen(js_class = ToolsPermissions)]
impl ToolsPermissions {
    /// No rules and no approvals.
    #[wasm_bindgen(constructor, skip_typescript)]
    #[must_use]
    pub fn new() -> ToolsPermissions {
        ToolsPermissions::default()
    }

    /// Adds a ruleset after the others.
    #[wasm_bindgen(skip_typescript)]
    pub fn add(&mut self, rules: &ToolsRules) {
        self.rulesets.push(rules.0.clone());
    }

    /// Adds an approval.
    #[wasm_bindgen(skip_typescript)]
    pub fn approve(&mut self, permission: String, pattern: String) {
        self.approved.push((permission, pattern));
    }

    /// For a shell that has variables of these names.
    #[wasm_bindgen(skip_typescript)]
    pub fn within(&mut self, names: &Array) {
        self.environment = Some(names.iter().filter_map(|name| name.as_string()).collect());
    }

    /// What holds for patterns: the index of one that is denied, the text of a command that is denied, or an array of
    /// the indexes of those that are asked; it contains -1 alone if the whole text is asked. Takes strings; few
    /// parameters: `ts/module/guard.ts` passes on five.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn decide(&self, permission: &JsValue, patterns: &Array, whole: &JsValue) -> JsValue {
        let permission = permission.as_string().unwrap_or_default();
        let patterns: Vec<String> =
            patterns.iter().map(|pattern| pattern.as_string().unwrap_or_default()).collect();
        let whole = whole.as_string();
        let decision =
            self.run(|permissions| permissions.decide(&permission, &patterns, whole.as_deref()));
        match decision {
            Decision::Denied(index) => number(index),
            Decision::CommandDenied(command) => command.into(),
            Decision::Asked(indexes) => indexes.into_iter().map(number).collect::<Array>().into(),
            Decision::WholeAsked => Array::of1(&JsValue::from_f64(-1.0)).into(),
        }
    }

    /// What decides about a bash command line, as `reason` below writes it.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn reason(&self, text: &str) -> JsValue {
        reason(self.run(|permissions| permissions.reason(text)))
    }

    /// How the rules judge a bash command line: `[action, reason, opaque, asked]`, where `asked` has the text of each
    /// command, and the reason is as `reason` below writes it.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn shell(&self, text: &str) -> Array {
        let verdict = self.run(|permissions| permissions.shell(text));
        let asked = verdict.asked.iter().map(|(command, _)| JsValue::from_str(command));
        let asked = asked.collect::<Array>().into();
        let permit = verdict.permit.as_str().into();
        Array::of4(&permit, &reason(verdict.reason), &verdict.opaque.into(), &asked)
    }
}

impl ToolsPermissions {
    fn run<T>(&self, ask: impl FnOnce(&Permissions<'_>) -> T) -> T {
        let rulesets: Vec<&Rules> = self.rulesets.iter().map(Rc::as_ref).collect();
        let permissions = Permissions::new(&rulesets, &self.approved);
        ask(&self.environment.as_ref().map_or(permissions, |names| permissions.within(names)))
    }
}

/// The text that needs no permission, -1 for no rule, or a rule: its index and 2²⁰ times that of its ruleset, twice, and
/// one if it may match.
fn reason(reason: Reason) -> JsValue {
    let (place, kind) = match reason {
        Reason::Rule(place) => (place, 0.0),
        Reason::MayMatch(place) => (place, 1.0),
        Reason::NoRule => return JsValue::from_f64(-1.0),
        Reason::Nothing(text) => return text.into(),
    };
    // In floating point: a ruleset may have any index.
    #[allow(clippy::cast_precision_loss)] // indexes of arrays
    let at = place.ruleset as f64 * f64::from(1 << 20) + place.rule as f64;
    JsValue::from_f64(at * 2.0 + kind)
}

#[allow(clippy::cast_precision_loss)] // an index of an array
fn number(index: usize) -> JsValue {
    JsValue::from_f64(index as f64)
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
            let result = pattern.call2(&JsValue::NULL, &expression.into(), &text.into());
            result.is_ok_and(|result| result.is_truthy())
        };
        let issues = self.0.check(&Js::hold(value), &mut matches);
        if issues.is_empty() {
            return JsValue::UNDEFINED;
        }
        issues.iter().map(issue).collect::<Array>().into()
    }
}

fn issue(issue: &SchemaIssue) -> JsValue {
    let object = js_sys::Object::new();
    let steps = issue.path.iter().map(|step| match step {
        ValueStep::Field(name) => JsValue::from_str(name),
        #[allow(clippy::cast_precision_loss)] // no array has 2^53 elements
        ValueStep::Element(index) => JsValue::from_f64(*index as f64),
    });
    set(&object, "path", &steps.collect::<Array>().into());
    set(&object, "message", &issue.message.as_str().into());
    set(&object, "expected", &issue.expected.as_str().into());
    set(&object, "received", &issue.received.as_str().into());
    if let Some(repair) = issue.repair {
        set(&object, "repair", &repair.as_str().into());
    }
    object.into()
}
