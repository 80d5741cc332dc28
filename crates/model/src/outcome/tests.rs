use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn call(tool: &str, state: Value) -> Value {
    json!({"id": "p", "type": "tool", "tool": tool, "callID": "c", "state": state})
}

fn completed(tool: &str, metadata: Value, output: &str) -> Value {
    let input = json!({"command": "cargo check"});
    let state =
        json!({"status": "completed", "input": input, "output": output, "metadata": metadata});
    call(tool, state)
}

fn end_of(part: &Value) -> Option<CallEnd> {
    let end = CallEnd::read(&Some(part));
    assert_eq!(
        (outcome(&Some(part)), exit_code(&Some(part))),
        (end.map(|e| e.outcome), end.and_then(|e| e.exit))
    );
    end
}

fn says(part: &Value) -> (&'static str, Option<i64>) {
    end_of(part).map_or(("", None), |end| (end.outcome.as_str(), end.exit))
}

#[test]
fn states_that_are_not_completed_say_it_themselves() {
    let state = |status: &str| {
        call("bash", json!({"status": status, "input": {}, "metadata": {"exit": 1}}))
    };
    assert_eq!(says(&state("pending")), ("running", None));
    assert_eq!(says(&state("running")), ("running", None));
    assert_eq!(says(&state("completed")), ("failed", Some(1)));
    assert_eq!(says(&state("error")), ("error", Some(1)));
    assert_eq!(end_of(&state("done")), None);
    assert_eq!(end_of(&call("bash", json!("completed"))), None);
    assert_eq!(
        end_of(&json!({"type": "text", "tool": "bash", "state": {"status": "error"}})),
        None
    );
    assert_eq!(end_of(&json!(null)), None);
}

#[test]
fn metadata_says_that_a_call_failed() {
    let failed = [
        json!({"exit": 101}),
        json!({"exit": -1}),
        json!({"exitCode": 2}),
        json!({"exit_code": 3221225786_u32}),
        json!({"exit": "1"}),
        json!({"isError": true}),
        json!({"is_error": true}),
        json!({"status": 404}),
        json!({"statusCode": 500}),
        json!({"status_code": "503"}),
        json!({"exit": null, "aborted": true}),
        json!({"exit": 0, "timedOut": true}),
        json!({"timed_out": true}),
        json!({"timeout": true}),
        json!({"interrupted": true}),
        json!({"cancelled": true}),
        json!({"canceled": true}),
        json!({"killed": true}),
        json!({"exit": null, "signal": "SIGKILL"}),
        json!({"success": false}),
        json!({"error": "no such file"}),
        json!({"status": "failed"}),
        json!({"toolUseResult": {"stdout": "", "interrupted": true}}),
        json!({"structuredContent": {"exit_code": 1}}),
        json!({"result": {"isError": true}}),
    ];
    for metadata in failed {
        let part = completed("any_tool", metadata, "text");
        assert_eq!(says(&part).0, "failed", "{part}");
    }
    assert_eq!(says(&completed("Bash", json!({"code": 1}), "x")), ("failed", Some(1)));
    assert_eq!(
        says(&completed("WebFetch", json!({"toolUseResult": {"code": 404}}), "x")),
        ("failed", None)
    );
}

#[test]
fn what_only_looks_like_a_failure_is_none() {
    let well = [
        json!({}),
        json!(null),
        json!("exit 1"),
        json!([{"exit": 1}]),
        json!({"exit": 0}),
        json!({"exit": "0"}),
        json!({"exit": null}),
        json!({"exit": true}),
        json!({"exit": 0.5}),
        json!({"exit": 1e300}),
        json!({"exit": {"code": 1}}),
        json!({"code": 1}),
        json!({"status": 200}),
        json!({"status": 399}),
        json!({"status": 1000}),
        json!({"status": "completed"}),
        json!({"isError": false, "aborted": false, "interrupted": false, "timedOut": false}),
        json!({"isError": "true"}),
        json!({"timeout": 120_000}),
        json!({"exit": 0, "signal": "SIGTERM"}),
        json!({"signal": "buy"}),
        json!({"success": true}),
        json!({"success": null}),
        json!({"error": ""}),
        json!({"error": null}),
        json!({"error": false}),
        json!({"matches": 0}),
        json!({"stderr": "warning: unused"}),
        json!({"toolUseResult": {"stdout": "error: exit code 1", "interrupted": false}}),
        json!({"toolUseResult": "Error: no"}),
        json!({"other": {"exit": 1}}),
    ];
    for metadata in well {
        let part = completed("any_tool", metadata, "(exit code 1)");
        assert_eq!(says(&part).0, "completed", "{part}");
    }
}

#[test]
fn a_shell_without_an_exit_code_says_it_in_its_output() {
    let none = || json!({"exit": null});
    let opencode = "going\n\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>";
    let timeout = "<bash_metadata>\nbash tool terminated command after exceeding timeout 400 ms. If …\n</bash_metadata>\n";
    let long = format!("{}\n\n(exit code 3)", "line \u{e9}\n".repeat(1000));
    for (output, exit) in [
        (opencode, None),
        (timeout, None),
        ("a\n\n(stopped after 500 ms; give a larger timeout if it needs longer)", None),
        ("a\n\n(stopped: the call was aborted)", None),
        ("a\n\n(killed by SIGKILL)", None),
        ("a\n\n(exit code 143)\n(stopped after 500 ms; …)", Some(143)),
        (long.as_str(), Some(3)),
        ("Exit code: 2\nWall time: 1 s\nOutput:\nx", Some(2)),
        ("Exit code 1\nerror", Some(1)),
        ("Command failed with exit code 7: make", Some(7)),
        ("text\nCommand exited with code 9", Some(9)),
        ("x\nExit Code: 4\n", Some(4)),
    ] {
        assert_eq!(says(&completed("bash", none(), output)), ("failed", exit), "{output}");
        // The tool's own word counts more than what it printed.
        assert_eq!(says(&completed("bash", json!({"exit": 0}), output)).0, "completed", "{output}");
        assert_eq!(says(&completed("read", none(), output)).0, "completed", "{output}");
    }
    for output in [
        "",
        "(no output)",
        "Exit code: 0\nOutput:",
        "the exit code 1 is bad",
        "(exit code 1) was said\nand more\nfollowed",
        "User aborted the command",
        "<shell_metadata>\nall is well\n</shell_metadata>",
        "x <metadata>User aborted the command</metadata> y",
        "Exit code 99999999999999999999",
    ] {
        assert_eq!(says(&completed("bash", none(), output)).0, "completed", "{output}");
    }
    let refused = "<tool_use_error>File has not been read yet.</tool_use_error>";
    assert_eq!(says(&completed("Edit", json!({}), refused)).0, "failed");
}

#[test]
fn an_error_gives_its_exit_code_in_its_first_line() {
    let error = |text: &str| call("Bash", json!({"status": "error", "input": {}, "error": text}));
    for (text, exit) in [
        ("Exit code 101\nerror[E0425]", Some(101)),
        ("Error: Exit code 2", Some(2)),
        ("Command failed with exit code 127: x", Some(127)),
        ("Exit code", None),
        ("It ended.\nExit code 1", None),
        ("", None),
    ] {
        assert_eq!(says(&error(text)), ("error", exit), "{text}");
    }
}

/// JSON of any shape, with the names and words that are asked for.
fn anything() -> impl Strategy<Value = Value> {
    let words = [
        "exit",
        "exitCode",
        "status",
        "error",
        "failed",
        "SIGKILL",
        "404",
        "é\u{0}\\",
        "(exit code 1)",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        proptest::sample::select(words.to_vec()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let names = [
        "exit",
        "exitCode",
        "code",
        "status",
        "isError",
        "aborted",
        "timedOut",
        "signal",
        "error",
        "toolUseResult",
        "structuredContent",
        "result",
        "metadata",
        "output",
        "state",
        "tool",
        "success",
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        let name = proptest::sample::select(names.to_vec()).prop_map(str::to_owned);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(name, inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn it_never_panics_and_the_status_decides(metadata in anything(), output in anything(), error in anything()) {
        for status in ["pending", "running", "completed", "error"] {
            for tool in ["bash", "webfetch", "x"] {
                let state = json!({"status": status, "input": {}, "metadata": metadata, "output": output, "error": error});
                let outcome = end_of(&call(tool, state)).unwrap().outcome;
                let expected = match status {
                    "pending" | "running" => outcome == Outcome::Running,
                    "error" => outcome == Outcome::Error,
                    _ => matches!(outcome, Outcome::Completed | Outcome::Failed),
                };
                prop_assert!(expected, "{status} {outcome:?}");
            }
        }
        end_of(&metadata);
    }
}
