use super::super::transcript_summary::ChangeTotals;
use super::*;
use crate::{Env, TranscriptOptions};
use serde_json::{Value, json};

fn summary_of(messages: &Value, step: usize) -> TranscriptSummary {
    let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
    let bytes = messages.to_string().into_bytes();
    let transcript = Transcript::open(&bytes, TranscriptOptions::default(), &mut env).unwrap();
    let mut summarizer = Summarizer::default();
    while summarizer.looked() < transcript.total_messages() {
        let to = summarizer.looked().saturating_add(step);
        transcript.summarize(&mut summarizer, to).unwrap();
    }
    transcript.summary(&summarizer)
}

/// A message of the session `s`, created at `at`.
fn message(id: &str, role: &str, at: f64, parts: &[Value]) -> Value {
    let mut parts = parts.to_vec();
    for (i, part) in parts.iter_mut().enumerate() {
        part["id"] = json!(format!("{id}.{i}"));
        part["sessionID"] = json!("s");
        part["messageID"] = json!(id);
    }
    json!({"info": {"id": id, "sessionID": "s", "role": role, "finish": "stop",
        "time": {"created": at, "completed": at + 10.0}}, "parts": parts})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn shell(command: &str, exit: i64, output: &str) -> Value {
    json!({"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "completed",
        "input": {"command": command}, "output": output, "title": "", "metadata": {"exit": exit},
        "time": {"start": 2.0, "end": 5.0}}})
}

fn a_run() -> Value {
    let edit = json!({"type": "tool", "callID": "c", "tool": "edit", "state": {"status": "completed",
        "input": {"filePath": "/a.rs", "oldString": "1", "newString": "2\n3"}, "output": "ok",
        "title": "", "metadata": {}, "time": {"start": 2.0, "end": 5.0}}});
    let lost = json!({"type": "tool", "callID": "c", "tool": "read", "state": {"status": "error",
        "input": {"filePath": "/b.rs"}, "error": "no such file", "time": {"start": 2.0, "end": 5.0}}});
    json!([
        message(
            "1",
            "user",
            0.0,
            &[json!({"type": "text", "text": "rules", "synthetic": true}), text(" Fix it ")]
        ),
        message("2", "assistant", 1.0, &[shell("cargo check", 101, "x\nerror[E1]: bad\n"), lost]),
        message("3", "assistant", 20.0, &[edit.clone(), edit]),
        message(
            "4",
            "assistant",
            40.0,
            &[
                shell("cargo check", 0, ""),
                shell("git commit -am done", 0, "[main abc1234] done\n"),
                text("It is fixed."),
            ]
        ),
    ])
}

#[test]
fn it_says_what_a_run_did() {
    let summary = summary_of(&a_run(), usize::MAX);
    let asked = summary.asked.as_ref().unwrap();
    assert_eq!((asked.text.as_str(), asked.at.id.as_str()), ("Fix it", "1.1"));
    assert_eq!(summary.answered.as_ref().unwrap().text, "It is fixed.");
    assert_eq!(summary.ended.as_ref().unwrap().how, "finished");
    assert_eq!((summary.requests, summary.failed, summary.mended), (1, 2, 1));
    let first = summary.failures.first().unwrap();
    let told = (first.subject.as_str(), first.outcome.as_str(), first.exit, first.said.as_str());
    assert_eq!(told, ("cargo check", "failed", Some(101), "error[E1]: bad"));
    assert_eq!(first.mended.as_ref().unwrap().id, "4.0");
    let second = summary.failures.get(1).unwrap();
    assert_eq!((second.outcome.as_str(), second.mended.is_some()), ("error", false));
    let file = summary.files.first().unwrap();
    assert_eq!(
        (file.path.as_str(), file.added, file.removed, file.changes),
        ("/a.rs", Some(4), Some(2), 2)
    );
    assert_eq!(file.at.id, "3.1");
    let commit = summary.commits.first().unwrap();
    assert_eq!((commit.hash.as_deref(), commit.message.as_str()), (Some("abc1234"), "done"));
    let time = summary.time.unwrap();
    assert_eq!((time.total, time.busy, time.tools, time.idle), (50.0, 50.0, 3.0, 0.0));
    assert_eq!(summary.cost, None);
}

#[test]
fn what_a_program_put_there_was_not_asked() {
    let put = |field: &str| {
        let mut part = text("[state of the folder]");
        part[field] = json!(true);
        part
    };
    let in_editor =
        "# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nFix it\n";
    let run = json!([
        message("1", "user", 0.0, &[put("ignored")]),
        message("2", "user", 1.0, &[put("synthetic"), text(in_editor)]),
        message("3", "assistant", 2.0, &[text("It is fixed."), put("ignored")]),
    ]);
    let summary = summary_of(&run, 9);
    assert_eq!(summary.asked.unwrap().text, "Fix it");
    assert_eq!(summary.answered.unwrap().text, "It is fixed.");
    assert_eq!(summary.requests, 1);
}

#[test]
fn a_submitted_run_has_finished() {
    let how = |status: &str| {
        let step = json!({"thought": "So.", "action": "submit", "observation": "diff", "response": "",
            "query": [], "execution_time": 1, "state": {}});
        let file = json!({"trajectory": [step], "history": [], "info": {"exit_status": status}});
        let ended = summary_of(&file, 9).ended.unwrap();
        (ended.how, ended.reason)
    };
    assert_eq!(how("submitted"), ("finished".to_owned(), None));
    let cost = "submitted (exit_cost)";
    assert_eq!(how(cost), ("cut".to_owned(), Some(cost.to_owned())));
    assert_eq!(how("exit_cost").0, "failed");
    assert_eq!(how("").0, "cut");
}

#[test]
fn a_patch_is_mended_by_one_of_the_same_file() {
    let patch = |status: &str, line: &str| {
        let patch =
            format!("*** Begin Patch\n*** Update File: a.rs\n@@\n-{line}\n+y\n*** End Patch");
        json!({"type": "tool", "callID": "c", "tool": "apply_patch", "state": {"status": status,
            "input": {"input": patch}, "output": "", "error": "no such line", "title": "",
            "metadata": {}, "time": {"start": 2.0, "end": 5.0}}})
    };
    let run =
        json!([message("1", "assistant", 0.0, &[patch("error", "w"), patch("completed", "x")]),]);
    let summary = summary_of(&run, 9);
    assert_eq!((summary.failed, summary.mended), (1, 1));
    assert_eq!(summary.failures.first().unwrap().subject, "a.rs");
    assert_eq!(summary.files.first().unwrap().path, "a.rs");
}

#[test]
fn steps_give_the_same() {
    let whole = summary_of(&a_run(), usize::MAX);
    for step in 1..=4 {
        assert_eq!(summary_of(&a_run(), step), whole, "in steps of {step}");
    }
}

#[test]
fn it_says_how_a_run_ended() {
    let how = |last: Value| {
        let ended = summary_of(&json!([message("1", "user", 0.0, &[text("x")]), last]), 9).ended;
        ended.map(|ended| ended.how).unwrap_or_default()
    };
    let answer = |fields: Value, parts: &[Value]| {
        let mut answer = message("2", "assistant", 1.0, parts);
        for (key, value) in fields.as_object().unwrap() {
            answer["info"][key] = value.clone();
        }
        answer
    };
    let running = |tool: &str| {
        json!({"type": "tool", "callID": "c", "tool": tool,
            "state": {"status": "running", "input": {}, "time": {"start": 1}}})
    };
    let error = |name: &str| json!({"error": {"name": name, "data": {"message": "m"}}});
    assert_eq!(how(answer(json!({}), &[text("done")])), "finished");
    assert_eq!(how(answer(error("MessageAbortedError"), &[])), "aborted");
    assert_eq!(how(answer(error("ProviderAuthError"), &[])), "failed");
    assert_eq!(how(answer(json!({"finish": "length"}), &[])), "cut");
    assert_eq!(how(answer(json!({"finish": "tool-calls"}), &[])), "cut");
    assert_eq!(how(answer(json!({}), &[running("bash")])), "cut");
    let aborted = |aborted: bool| {
        json!({"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "error", "input": {},
            "error": "cancelled", "metadata": {"aborted": aborted}, "time": {"start": 1, "end": 2}}})
    };
    let calls = || json!({"finish": "tool-calls"});
    assert_eq!(how(answer(calls(), &[aborted(true), shell("ls", 0, "")])), "aborted");
    assert_eq!(how(answer(calls(), &[aborted(false)])), "cut");
    assert_eq!(how(answer(json!({}), &[aborted(true), text("I see.")])), "finished");
    // Gemini CLI notes where the user ends a request.
    let notice = |said: &str| json!({"type": "notice", "level": "info", "text": said});
    let cancelled = "Request cancelled.";
    assert_eq!(how(answer(calls(), &[shell("ls", 0, ""), notice(cancelled)])), "aborted");
    assert_eq!(how(message("2", "user", 1.0, &[text("x"), notice(cancelled)])), "aborted");
    assert_eq!(how(answer(calls(), &[shell("ls", 0, ""), notice("Retried.")])), "cut");
    assert_eq!(how(answer(calls(), &[notice(cancelled), text("I go on")])), "cut");
    assert_eq!(how(answer(json!({}), &[running("question")])), "waiting");
    assert_eq!(how(message("2", "user", 1.0, &[text("more")])), "cut");
    // What the program adds is no end.
    let note = json!({"type": "text", "text": "compacted", "synthetic": true});
    let run = json!([
        message("1", "user", 0.0, &[text("x")]),
        message("2", "assistant", 1.0, &[text("y")]),
        message("3", "user", 2.0, &[note])
    ]);
    assert_eq!(summary_of(&run, 9).ended.unwrap().how, "finished");
    assert_eq!(summary_of(&json!([]), 9).ended, None);
}

#[test]
fn calls_on_a_tape_end_as_values_do() {
    let mut tape = apex_parts_json::tape::Tape::default();
    for message in a_run().as_array().unwrap() {
        for part in message["parts"].as_array().unwrap() {
            let bytes = part.to_string().into_bytes();
            tape.read(&bytes, 0).unwrap();
            assert_eq!(CallEnd::read(&tape.root(&bytes)), CallEnd::read(&Some(part)), "{part}");
        }
    }
}

#[test]
fn errors_of_messages_are_counted_beside_calls_that_failed() {
    let mut run = a_run();
    let error = json!({"name": "APIError", "data": {"message": "overloaded", "isRetryable": true}});
    run[1]["info"]["error"] = error.clone();
    run[2]["info"]["error"] = error;
    let summary = summary_of(&run, usize::MAX);
    assert_eq!((summary.failed, summary.message_errors), (2, 2));
    let told: Vec<_> =
        summary.errors.iter().map(|e| (e.message, e.name.as_str(), e.said.as_str())).collect();
    assert_eq!(told, [(1, "APIError", "overloaded"), (2, "APIError", "overloaded")]);
    assert!(summary.errors.iter().all(|error| error.session.is_none()));
    assert_eq!(summary_of(&a_run(), usize::MAX).message_errors, 0);
}

#[test]
fn calls_that_failed_alike_are_one_group() {
    let edit = |path: &str, error: &str| {
        json!({"type": "tool", "callID": "c", "tool": "edit", "state": {"status": "error",
            "input": {"filePath": path}, "error": error, "time": {"start": 2.0, "end": 5.0}}})
    };
    let mut parts = vec![edit("/a", "terminated"); 3];
    parts.extend([edit("/b", "terminated"), edit("/a", "no such line"), edit("/a", "terminated")]);
    parts.extend([shell("make", 2, "broken"), shell("make", 1, "broken"), shell("make", 0, "")]);
    let summary = summary_of(&json!([message("1", "assistant", 0.0, &parts)]), 9);
    let groups: Vec<_> = summary
        .failure_groups
        .iter()
        .map(|g| {
            (
                g.subject.as_str(),
                g.exit,
                g.said.as_str(),
                g.count,
                g.mended,
                g.first.part,
                g.last.part,
            )
        })
        .collect();
    assert_eq!(
        groups,
        [
            ("/a", None, "terminated", 4, 0, 0, 5),
            ("/b", None, "terminated", 1, 0, 3, 3),
            ("/a", None, "no such line", 1, 0, 4, 4),
            ("make", Some(2), "broken", 1, 1, 6, 6),
            ("make", Some(1), "broken", 1, 1, 7, 7),
        ]
    );
    assert_eq!(groups.iter().map(|group| group.3).sum::<u32>(), summary.failed);
}

#[test]
fn the_model_that_did_the_most_comes_first() {
    let answer = |model: &str, cost: f64, output: f64, parts: &[Value]| {
        let mut answer = message("2", "assistant", 1.0, parts);
        answer["info"]["modelID"] = json!(model);
        answer["info"]["providerID"] = json!("p");
        answer["info"]["cost"] = json!(cost);
        answer["info"]["tokens"] = json!({"input": output, "output": output});
        answer
    };
    let names = |answers: &[Value]| summary_of(&json!(answers), 9).models;
    let said = [text("x")];
    assert_eq!(
        names(&[
            answer("none", 0.0, 0.0, &[]),
            answer("cheap", 0.1, 900.0, &said),
            answer("dear", 2.0, 3.0, &said)
        ]),
        ["dear", "cheap", "none"]
    );
    assert_eq!(names(&[answer("a", 0.0, 3.0, &said), answer("b", 0.0, 9.0, &said)]), ["b", "a"]);
    let two = [text("x"), text("y")];
    assert_eq!(names(&[answer("a", 0.0, 0.0, &said), answer("b", 0.0, 0.0, &two)]), ["b", "a"]);
    assert_eq!(names(&[answer("a", 0.0, 0.0, &said), answer("b", 0.0, 0.0, &said)]), ["a", "b"]);
    // A step that took only tokens of the cache tells all of them: those of the message are not added, as in `stats()`.
    let cached = json!({"type": "step-finish", "tokens": {"cache": {"read": 5}}});
    let cached = answer("cached", 0.0, 9.0, &[text("x"), cached]);
    assert_eq!(names(&[cached, answer("b", 0.0, 3.0, &said)]), ["b", "cached"]);
    // The name of a provider is none.
    assert_eq!(names(&[answer("p", 1.0, 1.0, &said), answer("b", 0.0, 0.0, &said)]), ["b"]);
}

#[test]
fn what_the_program_says_that_a_model_cost_goes_before_its_messages() {
    let line = |n: u32, model: &str| {
        json!({"type": "assistant", "uuid": format!("a{n}"), "parentUuid": null, "sessionId": "s",
            "timestamp": format!("2026-01-01T00:00:0{n}.000Z"), "version": "2.1.332", "cwd": "/w",
            "message": {"id": format!("m{n}"), "type": "message", "role": "assistant", "model": model,
                "content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn",
                "usage": {"input_tokens": 5, "output_tokens": 100 / n}}})
    };
    let models = |states: &[Value]| {
        let lines = [line(1, "a"), line(2, "b")].into_iter().chain(states.iter().cloned());
        let file: String = lines.map(|line| format!("{line}\n")).collect();
        let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
        let t = Transcript::open(file.as_bytes(), TranscriptOptions::default(), &mut env).unwrap();
        let mut summarizer = Summarizer::default();
        t.summarize(&mut summarizer, usize::MAX).unwrap();
        (t.summary(&summarizer).models, t.stats().cost)
    };
    assert_eq!(models(&[]), (vec!["a".to_owned(), "b".to_owned()], 0.0));
    let used = |cost: f64| json!({"inputTokens": 1, "outputTokens": 1, "costUSD": cost});
    let state = json!({"type": "cost-state", "sessionId": "s", "totalCostUSD": 3.0,
        "modelUsage": {"a": used(1.0), "b[1m]": used(1.5), "b": used(0.5)}});
    assert_eq!(models(&[state]), (vec!["b".to_owned(), "a".to_owned()], 3.0));
}

#[test]
fn totals_are_of_everything_also_where_a_list_is_full() {
    let write = |n: usize| {
        json!({"type": "tool", "callID": "c", "tool": "write", "state": {"status": "completed",
            "input": {"filePath": format!("/{n}"), "content": "a\nb\n"}, "output": "", "title": "",
            "metadata": {}, "time": {"start": 2.0, "end": 5.0}}})
    };
    let mut parts: Vec<_> = (0..MOST_FILES + 5).map(write).collect();
    parts.extend([write(0), write(MOST_FILES + 1)]);
    parts.extend((0..MOST_COMMITS + 2).map(|_| shell("git commit -m x", 0, "[main abc1234] x\n")));
    let run = json!([message("1", "assistant", 0.0, &parts)]);
    let summary = summary_of(&run, usize::MAX);
    assert_eq!((summary.files.len(), summary.commits.len()), (MOST_FILES, MOST_COMMITS));
    let files = u32::try_from(MOST_FILES).unwrap() + 5;
    let commits = u32::try_from(MOST_COMMITS).unwrap() + 2;
    let expected = ChangeTotals {
        files: Some(files),
        added: Some(2 * (files + 2)),
        removed: Some(0),
        commits,
    };
    assert_eq!(summary.totals, expected);
}

/// A stream of a model's answer has no results: what is called is for its reader to run.
#[test]
fn a_stream_that_ends_with_calls_has_finished_and_nothing_is_wrong_with_it() {
    let fixtures = apex_parts_fixtures::path("streams");
    let mut with_calls = 0;
    for entry in std::fs::read_dir(fixtures).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "sse") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
        let t = Transcript::open(&bytes, TranscriptOptions::default(), &mut env).unwrap();
        if t.holds_results() {
            continue;
        }
        let rules: Vec<_> = t.problems().into_iter().map(|problem| problem.rule).collect();
        assert!(!rules.iter().any(|rule| rule == "WP-3"), "{}: {rules:?}", path.display());
        let mut summarizer = Summarizer::default();
        t.summarize(&mut summarizer, usize::MAX).unwrap();
        let ended = t.summary(&summarizer).ended.unwrap();
        assert_ne!(ended.how, "cut", "{}", path.display());
        let has_call = summarizer.last.as_ref().is_some_and(|last| last.open.is_some());
        with_calls += usize::from(has_call && ended.how == "finished");
    }
    assert!(with_calls > 0);
}
