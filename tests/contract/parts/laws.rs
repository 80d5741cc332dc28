//! Laws, tested with arbitrary JSON: nothing panics, every host of values gives the same problems, nothing is
//! lost, arguments are not changed.

use apex_parts::convert::ui_messages;
use apex_parts::json::tape::Tape;
use apex_parts::model::tool_state::{self, Status, Transition};
use apex_parts::model::{ErrorKind, Key, Owned, Part, Problem, Word};
use apex_parts::validate;
use apex_parts::validate::Ids;
use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

/// A field name, usually one that a rule uses.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(Key::ALL).prop_map(|k| k.as_str().to_owned()),
        1 => Just("__proto__".to_owned()),
        1 => ".{0,6}",
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|n| json!(n)),
        any::<f64>().prop_map(|n| Number::from_f64(n).map_or(Value::Null, Value::Number)),
        prop::sample::select(Word::ALL).prop_map(|w| json!(w.as_str())),
        Just(json!("0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f")),
        Just(json!("")),
        Just(json!(" \n\u{feff}")),
        ".{0,8}".prop_map(Value::String),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((name(), inner), 0..10)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A valid part in which some fields are replaced by random values.
fn nearly_a_part() -> impl Strategy<Value = Value> {
    let kinds = prop::sample::select(&Word::ALL[..12]);
    let extra = prop::collection::vec((name(), any_json()), 0..6);
    (kinds, extra).prop_map(|(kind, extra)| {
        let id = "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f";
        let mut part = json!({
            "id": "p", "sessionID": id, "messageID": id, "type": kind.as_str(), "text": "t", "callID": "c",
            "tool": "bash", "state": {"status": "completed", "input": {}, "output": "o", "title": "", "metadata": {},
            "time": {"start": 1, "end": 2}}, "time": {"start": 1, "created": 1}, "reason": "r", "cost": 0.25,
            "tokens": {"input": 1, "output": 2, "reasoning": 3, "cache": {"read": 4, "write": 5}},
            "mime": "m", "url": "u", "prompt": "p", "description": "d", "agent": "a", "name": "n", "auto": true,
            "attempt": 1, "error": {"message": "m", "isRetryable": true}, "snapshot": "s", "hash": "h", "files": ["f"],
        });
        for (name, value) in extra {
            part[name] = value;
        }
        part
    })
}

fn any_transcript() -> impl Strategy<Value = Value> {
    let parts = prop::collection::vec(prop_oneof![4 => nearly_a_part(), 1 => any_json()], 0..5);
    let info = prop::collection::vec((name(), any_json()), 0..8);
    let role = prop::sample::select(&["user", "assistant", "system"][..]);
    let message = (parts, info, role).prop_map(|(parts, info, role)| {
        let id = "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f";
        let mut message =
            json!({"info": {"id": id, "sessionID": id, "role": role}, "parts": parts});
        for (name, value) in info {
            message["info"][name] = value;
        }
        message
    });
    prop::collection::vec(prop_oneof![6 => message, 1 => any_json()], 0..4).prop_map(Value::Array)
}

type Found = Vec<Problem>;

fn natively(value: &Value, ids: Ids) -> [Found; 3] {
    let mut found = [Found::new(), Found::new(), Found::new()];
    let [part, message, transcript] = &mut found;
    validate::part(&Some(value), ids, part);
    validate::message(&Some(value), ids, message);
    validate::transcript(&Some(value), ids, transcript);
    found
}

fn in_bytes(value: &Value, ids: Ids) -> [Found; 3] {
    let text = value.to_string();
    let mut tape = Tape::default();
    assert_eq!(tape.read(text.as_bytes(), 0), Ok(text.len()));
    let root = tape.root(text.as_bytes());
    let mut found = [Found::new(), Found::new(), Found::new()];
    let [part, message, transcript] = &mut found;
    validate::part(&root, ids, part);
    validate::message(&root, ids, message);
    validate::transcript(&root, ids, transcript);
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_host_gives_the_same_problems(value in prop_oneof![any_json(), any_transcript(), nearly_a_part()], apex: bool) {
        let ids = if apex { Ids::Apex } else { Ids::OpenCode };
        let native = natively(&value, ids);
        prop_assert_eq!(&native, &in_bytes(&value, ids));
        let owned = Owned::from(value.clone());
        let mut made = Found::new();
        validate::transcript(&owned, ids, &mut made);
        prop_assert_eq!(&native[2], &made);
        // Every path leads to a value, or to the object that lacks it.
        // (BR-14 is about `time.completed`, and `time` may be missing too.)
        for problem in native[2].iter().filter(|p| p.rule != "BR-14") {
            let parent = problem.path.rsplit_once('/').map_or("", |(parent, _)| parent);
            prop_assert!(value.pointer(parent).is_some(), "{}", problem);
        }
    }

    #[test]
    fn a_part_that_is_read_is_written_as_it_was(part in nearly_a_part()) {
        if let Ok(typed) = serde_json::from_value::<Part>(part.clone()) {
            prop_assert_eq!(serde_json::to_value(&typed).unwrap(), part);
        }
    }

    /// A field with the value `null` is not left out.
    #[test]
    fn a_part_with_a_null_field_is_written_as_it_was(
        part in nearly_a_part(), field in prop::sample::select(Key::ALL),
    ) {
        let mut part = part;
        part[field.as_str()] = Value::Null;
        if let Ok(typed) = serde_json::from_value::<Part>(part.clone()) {
            prop_assert_eq!(serde_json::to_value(&typed).unwrap(), part);
        }
    }

    #[test]
    fn transitions_do_not_change_their_arguments(
        state in any_json(), given in any_json(), title in any_json(), now in any::<f64>(), timeout in any::<f64>(),
    ) {
        let (state, given, title) = (Owned::from(state), Owned::from(given), Owned::from(title));
        let before = state.clone();
        let none = Owned::default();
        let from = Status::read(&state);
        for (to, result) in [
            (Status::Running, tool_state::pending_to_running(&state, &title, now)),
            (Status::Completed, tool_state::running_to_completed(&state, &given, &title, &none, &none, now)),
            (Status::Error, tool_state::running_to_error(&state, &given, &none, &none, now)),
            (Status::Error, tool_state::abort(&state, &given, now)),
            (Status::Error, tool_state::expire(&state, now, timeout)),
            (Status::Completed, tool_state::compact(&state, now)),
        ] {
            match result {
                Ok(Transition::New(new)) => prop_assert_eq!(Status::read(&new), Some(to)),
                Ok(Transition::Same) => {}
                Err(error) => {
                    let ours = matches!(
                        error.kind(),
                        ErrorKind::Validation(_) | ErrorKind::Transition { .. }
                    );
                    prop_assert!(ours && !error.to_string().is_empty(), "{}: {:?}", error, from);
                }
            }
        }
        prop_assert_eq!(state, before);
    }

    #[test]
    fn ui_messages_are_converted_or_refused(input in prop_oneof![any_json(), any_transcript()]) {
        let given = Owned::from(input.clone());
        let mut id = || "id".to_owned();
        if let Ok(made) = ui_messages(&given, &mut id) {
            for message in made.into_json().as_array().unwrap() {
                prop_assert!(!message["parts"].as_array().unwrap().is_empty());
                prop_assert!(message["role"] == "user" || message["role"] == "assistant");
            }
        }
        prop_assert_eq!(given.into_json(), input);
    }

    #[test]
    fn unknown_fields_survive_a_transition(mut fields in prop::collection::vec((name(), scalar()), 0..8)) {
        let model = ["status", "input", "raw", "title", "metadata", "time", "output", "error", "attachments"];
        fields.retain(|(name, _)| !model.contains(&name.as_str()));
        let own: Map<String, Value> = fields.into_iter().collect();
        let mut state = json!({"status": "pending", "input": {}, "raw": ""});
        state.as_object_mut().unwrap().extend(own.clone());
        let state = Owned::from(state);
        let running = tool_state::pending_to_running(&state, &Owned::default(), 1.0).unwrap().or(state);
        let out = Owned::from(json!("o"));
        let none = Owned::default();
        let done = tool_state::running_to_completed(&running, &out, &none, &none, &none, 2.0).unwrap().or(running);
        let done = done.into_json();
        for (name, value) in own {
            prop_assert_eq!(&done[&name], &value);
        }
    }
}
