//! The settings of the detector.

use super::verdict::LoopKind;
use apex_parts_json::record;
use apex_parts_json::saved;
use apex_parts_json::writer::value_text;
use apex_parts_model::{Path, Problem, Severity};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The settings of a detector.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// How many repeats are a loop (BR-09). 0 turns the detection of repeats off.
    pub threshold: u64,
    /// The milliseconds between two evaluations of the soft kinds. Validated and kept, but without
    /// effect: every kind has a small constant cost per call, so all are evaluated at each call.
    pub check_interval: f64,
    /// How many calls a run may make, whether they repeat or not.
    pub max_iterations: f64,
    /// Tools whose calls are not counted; the calls around them stay adjacent (BR-13).
    pub ignored_tools: Vec<String>,
    /// Tools whose calls are not counted, and no loop extends across them.
    pub boundary_tools: Vec<String>,
    /// Tools that are polled by design: their thresholds are four times as high.
    pub poll_tools: Vec<String>,
    /// Tools whose success is progress; if `None`, recognised by words in their names, such as `write`.
    pub progress_tools: Option<Vec<String>>,
    /// For each tool, the argument keys that are left out when calls are compared.
    pub volatile_arg_keys: BTreeMap<String, Vec<String>>,
    /// Soft kinds that are turned off.
    pub disabled: Vec<LoopKind>,
}

impl Default for Config {
    /// The same as `DEFAULT_DOOM_LOOP_CONFIG`.
    fn default() -> Self {
        Config {
            threshold: 3,
            check_interval: 1000.0,
            max_iterations: 50.0,
            ignored_tools: vec!["todo-write".to_owned(), "todo-read".to_owned()],
            boundary_tools: Vec::new(),
            poll_tools: Vec::new(),
            progress_tools: None,
            volatile_arg_keys: BTreeMap::new(),
            disabled: Vec::new(),
        }
    }
}

fn has(list: &[String], tool: &str) -> bool {
    list.iter().any(|name| name == tool)
}

/// The factor by which thresholds are higher for polled tools.
const POLL_FACTOR: u64 = 4;

/// Words in the names of tools that change something.
const MUTATING_WORDS: &[&str] = &[
    "write",
    "edit",
    "multiedit",
    "patch",
    "apply",
    "create",
    "delete",
    "remove",
    "move",
    "rename",
    "commit",
    "insert",
    "replace",
    "update",
    "append",
    "save",
    "mkdir",
    "rm",
    "mv",
    "cp",
    "copy",
    "install",
    "upload",
    "publish",
    "deploy",
    "merge",
    "push",
    "send",
    "submit",
    "put",
    "post",
    "add",
    "set",
];

/// The repeats from which a cycle is a loop if results of its calls are unknown.
pub(crate) const UNKNOWN_CYCLES: u64 = 5;

impl Config {
    pub(crate) fn ignores(&self, tool: &str) -> bool {
        has(&self.ignored_tools, tool)
    }

    pub(crate) fn is_boundary(&self, tool: &str) -> bool {
        has(&self.boundary_tools, tool)
    }

    pub(crate) fn is_poll(&self, tool: &str) -> bool {
        has(&self.poll_tools, tool)
    }

    /// The factor by which thresholds are multiplied.
    pub(crate) fn threshold_factor(poll: bool) -> u64 {
        if poll { POLL_FACTOR } else { 1 }
    }

    pub(crate) fn is_disabled(&self, kind: LoopKind) -> bool {
        kind.is_soft() && self.disabled.contains(&kind)
    }

    pub(crate) fn volatile_keys(&self, tool: &str) -> &[String] {
        self.volatile_arg_keys.get(tool).map_or(&[], Vec::as_slice)
    }

    /// Does the tool change something, so that its success is progress?
    pub(crate) fn is_mutating(&self, tool: &str) -> bool {
        match &self.progress_tools {
            Some(list) => has(list, tool),
            None => name_words(tool).any(|word| MUTATING_WORDS.contains(&word.as_str())),
        }
    }
}

/// Collects what is wrong with settings.
struct ConfigProblems(Vec<Problem>);

impl ConfigProblems {
    fn add(&mut self, name: &str, message: &str, got: &Value) {
        let got: String = value_text(got).chars().take(60).collect();
        let message = format!("`{name}` must be {message}, not {got}");
        self.0.push(Problem::new(Severity::Error, "schema", &Path::ROOT.name(name), message));
    }

    fn number(&mut self, map: &Map<String, Value>, name: &str, what: &str, default: f64) -> f64 {
        match map.get(name) {
            None | Some(Value::Null) => default,
            Some(value) => value.as_f64().filter(|n| *n > 0.0).unwrap_or_else(|| {
                self.add(name, what, value);
                default
            }),
        }
    }

    fn strings(&mut self, name: &str, value: &Value) -> Vec<String> {
        let list = value.as_array().map(|list| list.iter().map(Value::as_str));
        let strings: Option<Vec<&str>> = list.and_then(Iterator::collect);
        if strings.is_none() {
            self.add(name, "a list of strings", value);
        }
        strings.unwrap_or_default().into_iter().map(str::to_owned).collect()
    }
}

impl Config {
    /// Parses settings from JSON text; those that are not given have their defaults.
    ///
    /// ```
    /// use apex_parts_loops::Config;
    /// assert_eq!(Config::parse(r#"{"threshold": 5}"#).unwrap().threshold, 5);
    /// let problems = Config::parse(r#"{"maxIterations": -1}"#).unwrap_err();
    /// assert_eq!(problems[0].message, "`maxIterations` must be a number above 0, not -1");
    /// ```
    ///
    /// # Errors
    /// A problem for each invalid setting. (A threshold of 0 or less is valid and turns repeats off.)
    pub fn parse(json: &str) -> Result<Config, Vec<Problem>> {
        let mut wrong = ConfigProblems(Vec::new());
        let tree = record::tree(json, record::MAX_DEPTH).unwrap_or_default();
        let Value::Object(map) = tree else {
            let message = "settings must be an object";
            return Err(vec![Problem::new(Severity::Error, "schema", &Path::ROOT, message)]);
        };
        let mut config = Config::default();
        let known = |name: &str| map.get(name).filter(|value| !value.is_null());
        if let Some(value) = known("threshold") {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // in range
            match value.as_f64() {
                Some(off) if off <= 0.0 => config.threshold = 0,
                Some(whole) if whole.fract() == 0.0 && whole <= 1e9 => {
                    config.threshold = whole as u64;
                }
                _ => {
                    let what = "an integer up to 1000000000 (0 or less turns repeats off)";
                    wrong.add("threshold", what, value);
                }
            }
        }
        let above = "a number above 0";
        config.check_interval =
            wrong.number(&map, "checkInterval", "milliseconds above 0", config.check_interval);
        config.max_iterations = wrong.number(&map, "maxIterations", above, config.max_iterations);
        for (name, list) in [
            ("ignoredTools", &mut config.ignored_tools),
            ("boundaryTools", &mut config.boundary_tools),
            ("pollTools", &mut config.poll_tools),
        ] {
            if let Some(value) = known(name) {
                *list = wrong.strings(name, value);
            }
        }
        config.progress_tools =
            known("progressTools").map(|value| wrong.strings("progressTools", value));
        match known("volatileArgKeys") {
            None => {}
            Some(Value::Object(tools)) => {
                let keys = tools
                    .iter()
                    .map(|(tool, keys)| (tool.clone(), wrong.strings("volatileArgKeys", keys)));
                config.volatile_arg_keys = saved::map_of(keys.map(Some)).unwrap_or_default();
            }
            Some(value) => wrong.add("volatileArgKeys", "an object of lists of strings", value),
        }
        if let Some(value) = known("disabled") {
            for name in wrong.strings("disabled", value) {
                match LoopKind::parse(&name).filter(|kind| kind.is_soft()) {
                    Some(kind) => config.disabled.push(kind),
                    None => {
                        let soft: Vec<&str> = LoopKind::ALL
                            .iter()
                            .filter(|k| k.is_soft())
                            .map(|k| k.as_str())
                            .collect();
                        let what = format!("a list of soft kinds ({})", soft.join(", "));
                        wrong.add("disabled", &what, value);
                    }
                }
            }
        }
        if wrong.0.is_empty() { Ok(config) } else { Err(wrong.0) }
    }
}

/// The words of a tool's name in lower case: `writeFile` and `write_file` have two, `fs.write-file` has
/// three.
fn name_words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars().take(200) {
        let begins = c.is_ascii_uppercase() && !before.is_ascii_uppercase();
        if !c.is_alphanumeric() || begins {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_is_validated() {
        assert_eq!(Config::parse("{}").unwrap(), Config::default());
        for off in ["0", "-3", "-0.5"] {
            let json = format!("{{\"threshold\":{off}}}");
            assert_eq!(Config::parse(&json).unwrap().threshold, 0, "{off}");
        }
        for (json, path) in [
            (r#"{"threshold":"NaN"}"#, "/threshold"),
            (r#"{"threshold":2.5}"#, "/threshold"),
            (r#"{"maxIterations":0}"#, "/maxIterations"),
            (r#"{"maxIterations":"NaN"}"#, "/maxIterations"),
            (r#"{"checkInterval":-1}"#, "/checkInterval"),
            (r#"{"ignoredTools":"read"}"#, "/ignoredTools"),
            (r#"{"pollTools":[1]}"#, "/pollTools"),
            (r#"{"progressTools":{}}"#, "/progressTools"),
            (r#"{"volatileArgKeys":[]}"#, "/volatileArgKeys"),
            (r#"{"disabled":["cycle"]}"#, "/disabled"),
            ("[]", ""),
            ("null", ""),
        ] {
            let problems = Config::parse(json).unwrap_err();
            assert_eq!(problems[0].path, path, "{json}");
        }
        let all = r#"{"threshold":4,"checkInterval":5,"maxIterations":6,"ignoredTools":["a"],
            "boundaryTools":["b"],"pollTools":["c"],"progressTools":["d"],
            "volatileArgKeys":{"e":["f"]},"disabled":["near_repeat"],"other":1}"#;
        let config = Config::parse(all).unwrap();
        assert!(config.ignores("a") && config.is_boundary("b") && config.is_poll("c"));
        assert!(config.is_mutating("d") && !config.is_mutating("write"));
        assert_eq!(config.volatile_keys("e"), ["f"]);
        assert!(
            config.is_disabled(LoopKind::NearRepeat) && !config.is_disabled(LoopKind::SameError)
        );
    }

    #[test]
    fn mutating_tools_are_recognised_by_their_names() {
        let config = Config::default();
        for tool in [
            "write",
            "edit",
            "multi_edit",
            "apply_patch",
            "writeFile",
            "fs.write-file",
            "git_commit",
            "mcp__fs__create_directory",
            "MultiEdit",
            "str_replace_editor",
        ] {
            assert!(config.is_mutating(tool), "{tool}");
        }
        for tool in
            ["read", "grep", "bash", "credit", "rewritten", "address", "settings", "commits", ""]
        {
            assert!(!config.is_mutating(tool), "{tool}");
        }
        let own = Config { progress_tools: Some(vec!["bash".to_owned()]), ..Config::default() };
        assert!(own.is_mutating("bash") && !own.is_mutating("write"));
    }
}
