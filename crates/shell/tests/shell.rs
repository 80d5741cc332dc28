//! The recorded calls of the tool bash: what is asked for them, compared with `shell_request`. Where
//! `docs/tools.md` decides otherwise, the case is in a list here, with its sentence.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use apex_parts_shell::shell::{ShellRequest, deny_candidates, shell_request};
use serde_json::Value;

const CWD: &str = "/home/dev/demo";

/// Cases in which other patterns, or others to allow always, are asked than OpenCode asked.
const OTHER_PATTERNS: &[(&str, &str)] = &[
    ("bash-syntax", "Patterns: each simple command's source text"),
    ("bash-ask-assign-only", "A bare assignment is asked with its text and no `always`"),
];

/// Cases in which a path outside is asked for, and OpenCode asked for none.
const OTHER_PATHS: &[(&str, &str)] = &[
    ("more-bash-tee-out", "all words of every command, inner ones too, with a `/`"),
    ("bash-ask-ls-out", "all words of every command, inner ones too, with a `/`"),
    ("more-bash-long-line-output", "all words of every command, inner ones too, with a `/`"),
    ("bash-ask-redirect-out", "every redirect target except /dev/null, /dev/std*, /dev/fd/*"),
    ("perm-bash-deny-xargs", "what `xargs` adds to `rm` may be any path"),
];

/// Commands that got past the deny of `rm *`.
const NOW_DENIED: &[(&str, &str)] = &[
    ("more-perm-deny-eval", "what a wrapper runs (… `eval TEXT` …)"),
    ("more-perm-deny-quoted-name", "words joined by one space, unquoted"),
    ("more-perm-deny-nohup", "what a wrapper runs (`env sudo doas timeout nice nohup …`)"),
    ("perm-bash-deny-bash-c", "what a wrapper runs (… `bash|sh|zsh -c TEXT` …)"),
    ("perm-bash-deny-env", "without leading assignments"),
    ("perm-bash-deny-path", "the same with the name's directory removed"),
    ("perm-bash-deny-xargs", "what a wrapper runs (… xargs …)"),
];

/// The cases of the tool bash that have a command.
fn cases() -> Vec<Value> {
    let text =
        String::from_utf8(apex_parts_fixtures::recorded::file("tools", "cases.json")).unwrap();
    // One case a line. (One of another tool has half a character, which is not read here.)
    let cases: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line.trim_end_matches(',')).ok())
        .filter(|case: &Value| case["tool"] == "bash" && case["args"]["command"].is_string())
        .collect();
    assert!(cases.len() > 60, "{}", cases.len());
    cases
}

fn id(case: &Value) -> &str {
    case["id"].as_str().unwrap()
}

fn request(case: &Value) -> ShellRequest {
    let command = case["args"]["command"].as_str().unwrap();
    shell_request(command, CWD, "/home/dev", &mut |path| {
        path == CWD || path.starts_with("/home/dev/demo/")
    })
}

fn is_in(list: &[(&str, &str)], case: &Value) -> bool {
    list.iter().any(|(name, sentence)| *name == id(case) && !sentence.is_empty())
}

fn ask<'v>(case: &'v Value, permission: &str) -> Option<&'v Value> {
    case["asks"].as_array().unwrap().iter().find(|ask| ask["permission"] == permission)
}

/// Does a deny of `rm *` or `git push *` match?
fn is_denied(request: &ShellRequest) -> bool {
    let candidates = request.commands.iter().flat_map(deny_candidates);
    let starts = |text: &str, name: &str| {
        text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    candidates.into_iter().any(|text| starts(&text, "rm") || starts(&text, "git push"))
}

#[test]
fn patterns_and_what_to_allow_always_are_those_recorded() {
    for case in cases() {
        let request = request(&case);
        let Some(ask) = ask(&case, "bash") else { continue };
        let ours = (serde_json::json!(request.patterns), serde_json::json!(request.always));
        let theirs = (ask["patterns"].clone(), ask["always"].clone());
        assert_eq!(ours == theirs, !is_in(OTHER_PATTERNS, &case), "{} {ours:?}", id(&case));
    }
}

#[test]
fn a_recorded_bare_assignment_is_asked() {
    for case in cases().iter().filter(|case| id(case) == "bash-ask-assign-only") {
        assert!(ask(case, "bash").is_none());
        let request = request(case);
        assert_eq!((request.patterns, request.always), (vec!["X=1".to_owned()], vec![]));
    }
}

#[test]
fn paths_outside_are_those_recorded() {
    for case in cases() {
        // A working directory outside is the tool's own path, not one of the command.
        let is_workdir = case["args"]["workdir"].is_string();
        let recorded = ask(&case, "external_directory").filter(|_| !is_workdir);
        let dirs = request(&case).dirs;
        let is_other = is_in(OTHER_PATHS, &case);
        assert_eq!(dirs.is_empty(), recorded.is_none() && !is_other, "{} {dirs:?}", id(&case));
        let folders = recorded.and_then(|ask| ask["metadata"]["directories"].as_array());
        for folder in folders.into_iter().flatten() {
            let folder = folder.as_str().unwrap();
            assert!(dirs.iter().any(|dir| dir.starts_with(folder)), "{} {dirs:?}", id(&case));
        }
    }
}

#[test]
fn what_was_denied_when_recorded_is_denied_and_so_is_what_got_past_the_deny() {
    let mut count = 0;
    for case in cases().iter().filter(|case| id(case).contains("deny")) {
        let is_denied = is_denied(&request(case));
        let was_denied = case["state"]["status"] == "error";
        let is_new = is_in(NOW_DENIED, case);
        // The other is an echo of the words `rm x`.
        assert_eq!(is_denied, id(case) != "perm-bash-deny-quoted", "{}", id(case));
        assert_eq!(is_new, is_denied && !was_denied, "{}", id(case));
        count += usize::from(is_new);
    }
    assert_eq!(count, NOW_DENIED.len());
}

#[test]
fn only_what_cannot_be_parsed_is_opaque_of_the_recorded() {
    for case in cases() {
        assert_eq!(request(&case).opaque, id(&case) == "bash-syntax", "{}", id(&case));
    }
}
