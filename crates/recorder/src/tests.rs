use super::*;
use apex_parts_loops::{Action, Config, LoopKind};
use apex_parts_model::delta::Piece;
use apex_parts_model::{Build, Key, Owned, View};
use proptest::prelude::*;
use serde_json::{Value, json};

fn value(json: Value) -> Owned {
    Owned::from(json)
}

fn missing() -> Owned {
    Owned::object().get(Key::Title)
}

fn unknown() -> StepUsage<Owned> {
    StepUsage { cost: missing(), tokens: missing(), snapshot: missing() }
}

/// A recorder and its clock: every call is one millisecond later than the previous one.
struct Run {
    recorder: Recorder<Owned>,
    now: f64,
    ids: u32,
    wrong: Vec<&'static str>,
}

impl Run {
    fn new() -> Run {
        let recorder = Recorder::new("s", "m", Config::default(), 0.0);
        Run { recorder, now: 0.0, ids: 0, wrong: Vec::new() }
    }

    fn call<R>(&mut self, call: impl FnOnce(&mut Recorder<Owned>, &mut CallContext<'_>) -> R) -> R {
        self.now += 1.0;
        let ids = &mut self.ids;
        let mut at = CallContext::new(self.now, || {
            *ids += 1;
            format!("id{ids}")
        });
        let result = call(&mut self.recorder, &mut at);
        let wrong: Vec<&'static str> = at.corrections.iter().map(|(name, _)| *name).collect();
        drop(at);
        self.wrong.extend(wrong);
        result
    }

    fn think(&mut self, text: &str) {
        self.call(|r, at| r.append_reasoning((&Owned::string(text), &text.into()), at));
    }

    fn say(&mut self, text: &str) {
        self.call(|r, at| r.append_text((&Owned::string(text), &text.into()), at));
    }

    fn tool(&mut self, id: &str, input: Value) -> apex_parts_loops::Verdict {
        let text = input.to_string();
        let input = value(input);
        self.call(|r, at| r.start_tool((id, "read"), (&input, &text), at)).unwrap()
    }

    fn done(&mut self, id: &str, outcome: Value) -> Result<Value, String> {
        let part = self.call(|r, at| r.finish_tool(id, &value(outcome), at));
        part.map(Owned::into_json).map_err(|e| e.name().to_owned())
    }

    fn parts(&self) -> Vec<Value> {
        self.recorder.parts().into_iter().map(Owned::into_json).collect()
    }

    fn events(&mut self) -> Vec<Value> {
        let events = self.recorder.take_events();
        events.iter().map(|e| e.build(&e.data).into_json()).collect()
    }
}

#[test]
fn a_run_becomes_parts_and_events() {
    let mut run = Run::new();
    run.call(|r, at| r.start_step(&value(json!("snap")), at));
    run.call(|r, at| r.start_reasoning(at));
    run.think("I ");
    run.think("look.");
    let reasoning = run.call(|r, at| r.finish_reasoning(at)).unwrap().into_json();
    assert_eq!(
        reasoning,
        json!({"id": "id2", "sessionID": "s", "messageID": "m", "type": "reasoning",
        "text": "I look.", "time": {"start": 2, "end": 5}})
    );
    run.say("Here: ");
    run.say("x");
    assert_eq!(run.tool("c", json!({"path": "a"})).action, Action::Continue);
    let tool =
        run.done("c", json!({"output": "text", "title": "t", "metadata": {"n": 1}})).unwrap();
    assert_eq!(
        tool["state"],
        json!({"status": "completed", "input": {"path": "a"}, "output": "text",
        "title": "t", "metadata": {"n": 1}, "time": {"start": 8, "end": 9}})
    );
    let usage = StepUsage { cost: value(json!(0.5)), ..unknown() };
    let finish = run.call(|r, at| r.finish_step("stop", &usage, at)).into_json();
    assert_eq!(finish["cost"], 0.5);
    assert_eq!(finish["tokens"]["cache"], json!({"read": 0, "write": 0}));
    let types: Vec<Value> = run.parts().iter().map(|p| p["type"].clone()).collect();
    assert_eq!(types, ["step-start", "reasoning", "text", "tool", "step-finish"]);
    assert_eq!(run.parts()[2]["time"], json!({"start": 6, "end": 8}));
    let events = run.events();
    let kinds: Vec<&str> = events.iter().map(|e| e["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "step-start",
            "reasoning-start",
            "reasoning-delta",
            "reasoning-delta",
            "reasoning-end",
            "content",
            "content",
            "tool_start",
            "tool_end",
            "step-finish"
        ]
    );
    assert!(events.iter().all(|e| e["iteration"] == 1 && e["stepNumber"] == 1));
    assert_eq!(
        events[8]["data"],
        json!({"callID": "c", "tool": "read", "success": true, "output": "text"})
    );
    assert!(run.events().is_empty() && run.wrong.is_empty());
    // The message model's own rules hold.
    for part in run.parts() {
        let mut problems = Vec::new();
        apex_parts_validate::part(&Some(&part), apex_parts_validate::Ids::OpenCode, &mut problems);
        assert_eq!(problems, [], "{part}");
    }
}

#[test]
fn calls_in_the_wrong_order_are_reported_and_corrected() {
    let mut run = Run::new();
    assert!(run.call(|r, at| r.finish_reasoning(at)).is_none());
    run.think("a");
    run.call(|r, at| r.start_reasoning(at));
    run.think("b");
    assert_eq!(run.wrong, ["ReasoningStateError"; 3]);
    let texts: Vec<Value> = run.parts().iter().map(|p| p["text"].clone()).collect();
    assert_eq!(texts, ["a", "b"]);
    assert!(run.parts()[0]["time"]["end"].is_number() && run.parts()[1]["time"]["end"].is_null());
    run.wrong.clear();
    run.call(|r, at| r.finish_step("stop", &unknown(), at));
    run.call(|r, at| r.start_step(&missing(), at));
    run.call(|r, at| r.start_step(&missing(), at));
    assert_eq!(run.wrong, ["StepStateError"; 2]);
    let steps: Vec<Value> = run.parts().iter().skip(2).map(|p| p["reason"].clone()).collect();
    assert_eq!(steps, [json!(null), json!("stop"), json!(null), json!("interrupted"), json!(null)]);
    assert_eq!(run.recorder.step_context().into_json()["stepCount"], 3);
}

#[test]
fn unknown_calls_and_empty_results_change_nothing() {
    let mut run = Run::new();
    assert_eq!(run.done("nope", json!({"output": "x"})), Err("InvalidStateTransition".to_owned()));
    run.tool("c", json!({}));
    run.tool("c", json!({"n": 2}));
    assert_eq!((run.parts().len(), run.wrong.len()), (1, 1));
    let before = run.parts();
    assert_eq!(run.done("c", json!({"output": ""})), Err("PartValidationError".to_owned()));
    assert_eq!(run.done("c", json!({"error": " "})), Err("PartValidationError".to_owned()));
    assert_eq!(run.parts(), before);
    run.call(|r, at| r.start_step(&missing(), at));
    run.call(|r, at| r.finish_step("stop", &unknown(), at));
    assert_eq!(run.parts()[0]["state"]["status"], "running");
    assert_eq!(
        run.done("c", json!({"error": "no", "metadata": {}})).unwrap()["state"]["status"],
        "error"
    );
    assert_eq!(run.done("c", json!({"output": "late"})), Err("InvalidStateTransition".to_owned()));
    assert_eq!(run.done("c", json!({"error": "again"})).unwrap()["state"]["error"], "no");
    let refused = run.call(|r, at| r.start_tool(("d", "read"), (&missing(), ""), at));
    assert_eq!(refused.unwrap_err().name(), "MissingRequiredField");
}

/// Some servers restart the numbering of their calls in every response.
#[test]
fn an_id_used_again_after_its_call_has_ended_is_another_call() {
    let mut run = Run::new();
    for (number, action) in
        [Action::Continue, Action::Continue, Action::Interrupt].into_iter().enumerate()
    {
        assert_eq!(run.tool("call_0", json!({"path": "a"})).action, action);
        let part = run.done("call_0", json!({"output": "same", "title": number.to_string()}));
        assert_eq!(part.unwrap()["state"]["title"], number.to_string());
    }
    assert_eq!(run.wrong, [""; 0]);
    let titles: Vec<Value> = run.parts().iter().map(|p| p["state"]["title"].clone()).collect();
    assert_eq!(titles, ["0", "1", "2"]);
    assert_eq!(run.recorder.detect().call_ids, ["call_0"; 3]);
}

#[test]
fn a_surrogate_pair_cut_in_two_is_joined() {
    let half = |low, text: &'static str, high| Piece { low, text: text.into(), high };
    let mut run = Run::new();
    let owned = Owned::string("");
    run.call(|r, at| r.append_reasoning((&owned, &half(None, "a", Some(0xd83d))), at));
    assert_eq!(run.parts()[0]["text"], "a");
    run.call(|r, at| r.append_reasoning((&owned, &half(Some(0xde00), "b", Some(0xd83d))), at));
    assert_eq!(
        run.call(|r, at| r.finish_reasoning(at)).unwrap().into_json()["text"],
        "a😀b\u{fffd}"
    );
    run.call(|r, at| r.append_text((&owned, &half(None, "c", Some(0xd83d))), at));
    run.say("d");
    assert_eq!(run.parts()[1]["text"], "c\u{fffd}d");
}

#[test]
fn the_calls_of_a_step_are_one_round() {
    let fail = |run: &mut Run, id: &str| {
        let outcome = value(json!({"error": "The user declined this call."}));
        run.call(|r, at| r.finish_tool(id, &outcome, at)).unwrap();
        run.recorder.detect().kind
    };
    for (is_parallel, width) in [(true, 8), (false, 8), (false, 1)] {
        let mut run = Run::new();
        let mut kinds = Vec::new();
        for step in 0..5 {
            run.call(|r, at| r.start_step(&missing(), at));
            let ids: Vec<String> = (0..width).map(|n| format!("c{step}-{n}")).collect();
            let mut found = None;
            for (n, id) in ids.iter().enumerate() {
                run.tool(id, json!({"path": step * 100 + n}));
                if !is_parallel {
                    found = fail(&mut run, id).or(found);
                }
            }
            for id in ids.iter().filter(|_| is_parallel) {
                found = fail(&mut run, id).or(found);
            }
            run.call(|r, at| r.finish_step("tool-calls", &unknown(), at));
            kinds.push(found);
        }
        let want = [None, None, None, None, Some(LoopKind::SameError)];
        assert_eq!(kinds, want, "{width} {is_parallel}");
    }
}

#[test]
fn an_equal_call_after_the_end_of_the_first_is_in_another_round() {
    let mut run = Run::new();
    run.call(|r, at| r.start_step(&missing(), at));
    let outcome = value(json!({"output": "the same"}));
    let mut kinds = Vec::new();
    for id in ["a", "b", "c"] {
        kinds.push(run.tool(id, json!({"path": "x"})).kind);
        run.call(|r, at| r.finish_tool(id, &outcome, at)).unwrap();
    }
    assert_eq!(kinds, [None, None, Some(LoopKind::ExactRepeat)]);
    // At once they are one call, made three times.
    run.call(|r, at| r.start_step(&missing(), at));
    let kinds: Vec<_> =
        ["d", "e", "f"].iter().map(|id| run.tool(id, json!({"path": "y"})).kind).collect();
    assert_eq!(kinds, [None; 3]);
}

#[test]
fn a_refused_call_is_recorded_as_blocked() {
    for metadata in [json!({"kind": "loop"}), Value::Null] {
        let mut run = Run::new();
        let mut actions = Vec::new();
        for step in 0..7 {
            run.call(|r, at| r.start_step(&missing(), at));
            let id = format!("c{step}");
            let action = run.tool(&id, json!({"path": "x"})).action;
            let outcome = if action == Action::Interrupt {
                json!({"error": format!("refused {step}"), "metadata": metadata})
            } else {
                json!({"output": "the same"})
            };
            run.call(|r, at| r.finish_tool(&id, &value(outcome), at)).unwrap();
            actions.push(action);
        }
        let ran = actions.iter().filter(|action| **action == Action::Continue).count();
        assert_eq!(ran, 2, "{actions:?}");
    }
    // A detector beside the recorder has refused it.
    let mut run = Run::new();
    let refused = value(json!({"error": "refused", "metadata": {"kind": "loop"}}));
    let fine = value(json!({"output": "the same"}));
    for (step, outcome) in [&fine, &refused, &fine].into_iter().enumerate() {
        run.call(|r, at| r.start_step(&missing(), at));
        let id = format!("c{step}");
        run.tool(&id, json!({"path": "x"}));
        run.call(|r, at| r.finish_tool(&id, outcome, at)).unwrap();
    }
    assert_eq!(run.recorder.detect().kind, Some(LoopKind::ExactRepeat));
}

#[test]
fn loops_are_detected_and_the_history_is_bounded() {
    let mut run = Run::new();
    for (number, action) in
        [Action::Continue, Action::Continue, Action::Interrupt].into_iter().enumerate()
    {
        let id = format!("c{number}");
        assert_eq!(run.tool(&id, json!({"path": "a"})).action, action);
        run.done(&id, json!({"output": "same"})).unwrap();
    }
    assert_eq!(run.recorder.detect().kind, Some(LoopKind::ExactRepeat));
    assert_eq!(run.recorder.detector().error_response().unwrap().attempts, 3);
    for number in 3..50 {
        run.tool(&format!("c{number}"), json!({ "n": number }));
    }
    let context = run.recorder.step_context().into_json();
    let history = context["toolCallHistory"].as_array().unwrap();
    assert_eq!(history.len(), 6);
    assert_eq!(history[5]["parameters"], json!({"n": 49}));
    {
        let config = Config { threshold: 0, ..Config::default() };
        let mut off = Run { recorder: Recorder::new("s", "m", config, 0.0), ..Run::new() };
        off.tool("c", json!({}));
        assert_eq!(off.recorder.step_context().into_json()["toolCallHistory"], json!([]));
    }
}

proptest! {
    #[test]
    fn no_order_of_calls_loses_content(calls in prop::collection::vec(0u8..9, 0..80)) {
        let mut run = Run::new();
        let (mut reasoning, mut text) = (String::new(), String::new());
        for (number, call) in calls.iter().enumerate() {
            let id = format!("c{}", number / 3);
            match call {
                0 => run.call(|r, at| r.start_reasoning(at)),
                1 => {
                    run.think(&format!("{number},"));
                    reasoning += &format!("{number},");
                }
                2 => drop(run.call(|r, at| r.finish_reasoning(at))),
                3 => {
                    run.say(&format!("{number},"));
                    text += &format!("{number},");
                }
                4 => drop(run.call(|r, at| r.start_step(&missing(), at))),
                5 => drop(run.call(|r, at| r.finish_step("stop", &unknown(), at))),
                6 => drop(run.tool(&id, json!({ "n": number }))),
                7 => drop(run.done(&id, json!({"output": "x"}))),
                _ => drop(run.done(&id, json!({"error": "x"}))),
            }
        }
        let all = |kind: &str| -> String {
            let parts = run.parts();
            let of = parts.iter().filter(|p| p["type"] == kind);
            of.map(|p| p["text"].as_str().unwrap()).collect()
        };
        prop_assert_eq!((all("reasoning"), all("text")), (reasoning, text));
        // Ids sort as the parts stand: OpenCode sorts parts by nothing else.
        let number = |id: &str| id.trim_start_matches("id").parse::<u32>().unwrap();
        let ids: Vec<u32> = run.parts().iter().map(|p| number(p["id"].as_str().unwrap())).collect();
        prop_assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
        let starts = run.parts().iter().filter(|p| p["type"] == "step-start").count();
        let ends = run.parts().iter().filter(|p| p["type"] == "step-finish").count();
        prop_assert!(starts == ends || starts == ends + 1);
        for part in run.parts() {
            let mut problems = Vec::new();
            apex_parts_validate::part(&Some(&part), apex_parts_validate::Ids::OpenCode, &mut problems);
            prop_assert_eq!(problems, vec![], "{}", part);
        }
    }
}
