use super::*;
use crate::{ErrorKind, Owned, ToolState};
use serde_json::{Value, json};

const NOW: f64 = 5_000.0;

fn own(value: Value) -> Owned {
    Owned::from(value)
}
fn none() -> Owned {
    Owned::default()
}
fn pending() -> Owned {
    own(json!({"status": "pending", "input": {"a": 1}, "raw": "{\"a\":1}"}))
}
fn running() -> Owned {
    own(
        json!({"status": "running", "input": {"a": 1}, "title": "T", "metadata": {"k": 1}, "time": {"start": 1000}}),
    )
}
fn completed() -> Owned {
    own(
        json!({"status": "completed", "input": {}, "output": "o", "title": "", "metadata": {}, "time": {"start": 0, "end": 1}}),
    )
}
fn failed() -> Owned {
    own(json!({"status": "error", "input": {}, "error": "e", "time": {"start": 0, "end": 1}}))
}
fn to(status: Status, state: &Owned) -> Result<Transition<Owned>, Error> {
    let text = own(json!("text"));
    match status {
        Status::Pending => unreachable!(),
        Status::Running => pending_to_running(state, &none(), NOW),
        Status::Completed => running_to_completed(state, &text, &none(), &none(), &none(), NOW),
        Status::Error => running_to_error(state, &text, &none(), &none(), NOW),
    }
}
fn new_state(result: Result<Transition<Owned>, Error>) -> Value {
    match result.unwrap() {
        Transition::Same => panic!("the state came back"),
        Transition::New(state) => state.into_json(),
    }
}
fn rule(error: &Error) -> &str {
    match error.kind() {
        ErrorKind::Validation(problems) => &problems[0].rule,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_whole_table() {
    use Status::{Completed, Error, Pending, Running};
    let states =
        [(Pending, pending()), (Running, running()), (Completed, completed()), (Error, failed())];
    for (from, state) in &states {
        for target in [Running, Completed, Error] {
            let result = to(target, state);
            if *from == target {
                assert_eq!(result.unwrap(), Transition::Same, "{from:?} to itself");
            } else if from.reachable().contains(&target) {
                assert_eq!(Status::read(&own(new_state(result))), Some(target));
            } else {
                let error = result.unwrap_err();
                let ErrorKind::Transition { current, attempted, valid } = error.kind() else {
                    panic!("{error}")
                };
                assert_eq!(current.as_deref(), Some(from.as_str()));
                assert_eq!(*attempted, target);
                assert_eq!(*valid, from.reachable());
            }
        }
    }
}

#[test]
fn a_value_that_is_not_a_state_cannot_become_one() {
    for odd in [json!(null), json!(5), json!("running"), json!([]), json!({}), json!({"status": 1})]
    {
        let error = to(Status::Running, &own(odd)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Transition { current: None, valid: [], .. }));
    }
    let error = to(Status::Error, &own(json!({"status": "Running"}))).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Transition { current: Some(c), valid: [], .. } if c == "Running")
    );
}

#[test]
fn values_are_carried_over() {
    assert_eq!(
        new_state(pending_to_running(&pending(), &own(json!("t")), NOW)),
        json!({"status": "running", "input": {"a": 1}, "title": "t", "time": {"start": 5000}})
    );
    assert_eq!(
        new_state(running_to_completed(
            &running(),
            &own(json!("out")),
            &none(),
            &none(),
            &own(json!(0)),
            NOW
        )),
        json!({"status": "completed", "input": {"a": 1}, "output": "out", "title": "T", "metadata": {"k": 1},
               "time": {"start": 1000, "end": 0}}),
        "an explicit 0 counts"
    );
    let bare = own(json!({"status": "running", "input": {}, "time": {"start": 1}}));
    assert_eq!(
        new_state(running_to_completed(
            &bare,
            &own(json!("o")),
            &none(),
            &own(json!([])),
            &none(),
            NOW
        )),
        json!({"status": "completed", "input": {}, "output": "o", "title": "", "metadata": {},
               "time": {"start": 1, "end": 5000}, "attachments": []})
    );
    assert_eq!(
        new_state(running_to_error(&bare, &own(json!("e")), &none(), &none(), NOW)),
        json!({"status": "error", "input": {}, "error": "e", "time": {"start": 1, "end": 5000}}),
        "metadata is left out where there was none"
    );
    assert_eq!(
        new_state(running_to_error(
            &running(),
            &own(json!("e")),
            &own(json!({"m": 2})),
            &none(),
            NOW
        ))["metadata"],
        json!({"m": 2})
    );
}

#[test]
fn unknown_fields_are_carried_over() {
    let state = own(json!({"status": "pending", "input": {}, "raw": "", "mode": 1}));
    let state = own(new_state(pending_to_running(&state, &none(), NOW)));
    assert_eq!(state.clone().into_json()["mode"], 1);
    let Value::Object(mut fields) = state.into_json() else { panic!() };
    fields["time"]["zone"] = json!("utc");
    let state = own(new_state(to(Status::Completed, &own(Value::Object(fields))))).into_json();
    assert_eq!((&state["mode"], &state["time"]["zone"]), (&json!(1), &json!("utc")));
}

#[test]
fn empty_outputs_and_blank_errors_are_refused() {
    let empty = own(json!(""));
    let error =
        running_to_completed(&running(), &empty, &none(), &none(), &none(), NOW).unwrap_err();
    assert_eq!(rule(&error), "BR-09");
    for blank in ["", " \n\t", "\u{feff}\u{2003}"] {
        let error =
            running_to_error(&running(), &own(json!(blank)), &none(), &none(), NOW).unwrap_err();
        assert_eq!(rule(&error), "BR-10");
    }
    for odd in [json!(null), json!(1), json!({})] {
        let e = running_to_completed(&running(), &own(odd.clone()), &none(), &none(), &none(), NOW);
        assert_eq!(rule(&e.unwrap_err()), "schema");
        let e = running_to_error(&running(), &own(odd), &none(), &none(), NOW);
        assert_eq!(rule(&e.unwrap_err()), "schema");
    }
    // An idempotent call reads none of the values.
    assert_eq!(
        running_to_completed(&completed(), &empty, &none(), &none(), &none(), NOW),
        Ok(Transition::Same)
    );
}

#[test]
fn created_states() {
    let f = "f";
    let (input, raw) = (own(json!({})), own(json!("")));
    assert_eq!(
        create_pending(f, &input, &raw).unwrap().into_json(),
        json!({"status": "pending", "input": {}, "raw": ""})
    );
    assert_eq!(
        create_running(f, &input, &none(), &none(), &own(json!(0)), NOW).unwrap().into_json(),
        json!({"status": "running", "input": {}, "time": {"start": 0}})
    );
    let outcome = Completion {
        input: input.clone(),
        output: own(json!("o")),
        title: own(json!("")),
        metadata: none(),
        attachments: none(),
        start: none(),
        end: own(json!(7)),
    };
    assert_eq!(
        create_completed(f, &outcome, NOW).unwrap().into_json(),
        json!({"status": "completed", "input": {}, "output": "o", "title": "", "metadata": {},
               "time": {"start": 5000, "end": 7}})
    );
    assert_eq!(
        create_error(f, &input, &own(json!("e")), &none(), &none(), &none(), NOW)
            .unwrap()
            .into_json(),
        json!({"status": "error", "input": {}, "error": "e", "time": {"start": 5000, "end": 5000}})
    );
    for (result, field) in [
        (create_pending(f, &none(), &raw), Key::Input),
        (create_pending(f, &input, &own(json!(null))), Key::Raw),
        (create_running(f, &none(), &none(), &none(), &none(), NOW), Key::Input),
        (create_completed(f, &Completion { title: none(), ..outcome.clone() }, NOW), Key::Title),
        (create_completed(f, &Completion { output: none(), ..outcome.clone() }, NOW), Key::Output),
        (create_error(f, &input, &none(), &none(), &none(), &none(), NOW), Key::Error),
    ] {
        let error = result.unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Missing { function: f, field });
    }
    let empty = Completion { output: own(json!("")), ..outcome };
    assert_eq!(rule(&create_completed(f, &empty, NOW).unwrap_err()), "BR-09");
}

#[test]
fn expiry() {
    assert_eq!(
        expire(&running(), 2_000.0, 1_000.0),
        Ok(Transition::Same),
        "not older than the timeout"
    );
    assert_eq!(
        new_state(expire(&running(), 2_001.0, 1_000.0)),
        json!({"status": "error", "input": {"a": 1}, "error": "Tool execution timed out after 1000 ms",
               "metadata": {"k": 1}, "time": {"start": 1000, "end": 2001}})
    );
    for state in
        [pending(), completed(), failed(), own(json!(null)), own(json!({"status": "running"}))]
    {
        assert_eq!(expire(&state, 1e15, 1.0), Ok(Transition::Same));
    }
    assert_eq!(expire(&running(), f64::NAN, 1.0), Ok(Transition::Same));
    assert_eq!(expire(&running(), 1e15, f64::NAN), Ok(Transition::Same));
    let zero = own(json!({"status": "running", "input": {}, "time": {"start": 0}}));
    assert_eq!(
        new_state(expire(&zero, 1.5, 0.5))["error"],
        "Tool execution timed out after 0.5 ms"
    );
}

#[test]
fn abortion() {
    let why = own(json!("stopped"));
    assert_eq!(
        new_state(abort(&pending(), &why, NOW)),
        json!({"status": "error", "input": {"a": 1}, "error": "stopped", "metadata": {"aborted": true},
               "time": {"start": 5000, "end": 5000}})
    );
    assert_eq!(
        new_state(abort(&running(), &why, NOW)),
        json!({"status": "error", "input": {"a": 1}, "error": "stopped", "metadata": {"aborted": true, "k": 1},
               "time": {"start": 1000, "end": 5000}})
    );
    for state in [completed(), failed()] {
        assert_eq!(abort(&state, &own(json!("")), NOW), Ok(Transition::Same), "looks at nothing");
    }
    assert_eq!(rule(&abort(&running(), &own(json!(" ")), NOW).unwrap_err()), "BR-10");
    assert_eq!(abort(&own(json!(1)), &why, NOW).unwrap_err().name(), "InvalidStateTransition");
}

#[test]
fn durations() {
    assert_eq!(duration(&completed()), Some(1.0));
    assert_eq!(duration(&failed()), Some(1.0));
    assert_eq!(duration(&pending()), None);
    assert_eq!(duration(&running()), None);
    assert_eq!(duration(&own(json!({"status": "completed"}))), None);
}

#[test]
fn compaction() {
    let once = own(new_state(compact(&completed(), NOW)));
    assert_eq!(
        once.clone().into_json(),
        json!({"status": "completed", "input": {}, "output": CLEARED_OUTPUT, "title": "", "metadata": {},
               "time": {"start": 0, "end": 1, "compacted": 5000}})
    );
    assert_eq!(compact(&once, 9_000.0), Ok(Transition::Same), "the first time stays");
    for state in [pending(), running(), failed(), own(json!(1))] {
        assert_eq!(rule(&compact(&state, NOW).unwrap_err()), "schema");
    }
}

#[test]
fn typed_states_keep_everything() {
    for json in [
        json!({"status": "pending", "input": {}, "raw": "", "x": 1}),
        json!({"status": "running", "input": {"a": [1]}, "time": {"start": 1, "y": 2}}),
        json!({"status": "completed", "input": {}, "output": "", "title": "", "metadata": {}, "time": {"start": 1, "end": 2}}),
        json!({"status": "error", "input": {}, "error": "e", "metadata": {"z": null}, "time": {"start": 1, "end": 2}}),
    ] {
        let typed: ToolState = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&typed).unwrap(), json);
    }
    assert!(serde_json::from_value::<ToolState>(json!({"status": "done"})).is_err());
}
