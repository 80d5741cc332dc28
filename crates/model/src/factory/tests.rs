use super::*;
use crate::spec::{
    AGENT, ASSISTANT, COMPACTION, FILE, Need, PATCH, REASONING, RETRY, SNAPSHOT, STEP_FINISH,
    STEP_START, SUBTASK, TEXT, TOOL, USER,
};
use crate::{AssistantMessage, ErrorKind, Owned, Part, UserMessage, View};
use serde_json::{Value, json};

fn make(row: &PartSpec, options: &Value) -> Result<Owned, Error> {
    let options = Owned::from(options.clone());
    part(row, &|key| options.get(key), &mut || "new".to_owned(), &|| 9.0)
}

/// Rows whose fields all come from options, each with all of them.
fn all() -> Vec<(PartSpec, Value)> {
    let span = json!({"start": 1, "end": 2});
    let text = json!({"value": "v", "start": 0, "end": 1});
    vec![
        (
            TEXT,
            json!({"text": "t", "synthetic": true, "ignored": false, "time": span, "metadata": {"a": 1}}),
        ),
        (REASONING, json!({"text": "t", "time": span, "metadata": {}})),
        (
            TOOL,
            json!({"callID": "c", "tool": "bash", "state": {"status": "pending", "input": {}, "raw": ""}, "metadata": {}}),
        ),
        (STEP_START, json!({"snapshot": "s"})),
        (
            STEP_FINISH,
            json!({"reason": "stop", "snapshot": "s", "cost": 0.5,
            "tokens": {"input": 1, "output": 2, "reasoning": 3, "cache": {"read": 4, "write": 5}}}),
        ),
        (
            FILE,
            json!({"mime": "text/x", "filename": "f", "url": "data:,", "source": {"type": "file", "path": "p", "text": text}}),
        ),
        (
            SUBTASK,
            json!({"prompt": "p", "description": "d", "agent": "a", "model": {"providerID": "p", "modelID": "m"}, "command": "c"}),
        ),
        (AGENT, json!({"name": "n", "source": text})),
        (COMPACTION, json!({"auto": true})),
        (SNAPSHOT, json!({"snapshot": "s"})),
        (PATCH, json!({"hash": "h", "files": ["a", "b"]})),
    ]
}

#[test]
fn a_part_has_its_options_and_fits_its_type() {
    for (row, own) in all() {
        let mut options = own.clone();
        options["id"] = json!("i");
        options["sessionID"] = json!("s");
        options["messageID"] = json!("m");
        options["unasked"] = json!(1);
        let part_json = make(&row, &options).unwrap().into_json();
        options["type"] = json!(row.word.as_str());
        options.as_object_mut().unwrap().remove("unasked");
        assert_eq!(part_json, options);
        let typed: Part = serde_json::from_value(part_json.clone()).unwrap();
        assert!(!matches!(typed, Part::Custom(_)));
        assert_eq!(serde_json::to_value(typed).unwrap(), part_json);
    }
}

#[test]
fn required_options_must_be_present_and_not_null() {
    for (row, own) in all() {
        for FieldSpec { key, need, .. } in row.fields {
            let mut options = own.clone();
            options["sessionID"] = json!("s");
            options["messageID"] = json!("m");
            options[key.as_str()] = json!(null);
            let result = make(&row, &options);
            if *need == Need::Required {
                let error = result.unwrap_err();
                assert_eq!(
                    *error.kind(),
                    ErrorKind::Missing { function: row.constructor.unwrap(), field: *key }
                );
            } else {
                assert_eq!(result.unwrap().into_json()["id"], "new");
            }
        }
        for key in ["sessionID", "messageID"] {
            let mut options = own.clone();
            options["sessionID"] = json!("");
            options["messageID"] = json!("");
            assert!(make(&row, &options).is_ok(), "an empty string is given");
            options[key] = json!(null);
            assert_eq!(make(&row, &options).unwrap_err().name(), "MissingRequiredField");
        }
    }
    assert!(make(&TEXT, &json!(null)).is_err());
}

#[test]
fn an_empty_id_is_replaced() {
    let options = json!({"id": "", "sessionID": "s", "messageID": "m"});
    assert_eq!(make(&STEP_START, &options).unwrap().into_json()["id"], "new");
}

#[test]
fn retries_take_their_time() {
    let error = json!({"message": "m", "isRetryable": true});
    for (created, time) in [(json!(null), 9), (json!(0), 0), (json!(5), 5)] {
        let options = Owned::from(
            json!({"sessionID": "s", "messageID": "m", "attempt": 1, "error": error, "created": created}),
        );
        let part_json = part(&RETRY, &|key| options.get(key), &mut || "new".into(), &|| 9.0)
            .unwrap()
            .into_json();
        assert_eq!(part_json["time"], json!({"created": time}));
        let typed: Part = serde_json::from_value(part_json).unwrap();
        assert!(matches!(typed, Part::Retry(_)));
    }
}

#[test]
fn messages() {
    let options = json!({"sessionID": "s", "agent": "a", "providerID": "p", "modelID": "m", "system": "y",
        "tools": {"bash": true}, "variant": "v", "summary": {"title": "t"}});
    let from = |options: &Value| {
        let options = Owned::from(options.clone());
        message(&USER, &|key| options.get(key), &mut || "new".into(), &|| 3.0)
    };
    let message_json = from(&options).unwrap().into_json();
    assert_eq!(
        message_json,
        json!({"id": "new", "sessionID": "s", "role": "user", "time": {"created": 3}, "agent": "a",
        "model": {"providerID": "p", "modelID": "m"}, "system": "y", "tools": {"bash": true}, "variant": "v",
        "summary": {"title": "t"}})
    );
    serde_json::from_value::<UserMessage>(message_json).unwrap();
    for key in ["sessionID", "agent", "providerID", "modelID"] {
        let mut less = options.clone();
        less[key] = json!(null);
        assert_eq!(from(&less).unwrap_err().name(), "MissingRequiredField");
    }

    let options = json!({"id": "i", "sessionID": "s", "parentID": "u", "modelID": "m", "providerID": "p",
        "agent": "a", "cwd": "/", "root": "/r", "summary": true});
    let from = |options: &Value| {
        let options = Owned::from(options.clone());
        message(&ASSISTANT, &|key| options.get(key), &mut || "new".into(), &|| 3.0)
    };
    let message_json = from(&options).unwrap().into_json();
    assert_eq!(
        message_json,
        json!({"id": "i", "sessionID": "s", "role": "assistant", "time": {"created": 3},
        "parentID": "u", "modelID": "m", "providerID": "p", "agent": "a", "path": {"cwd": "/", "root": "/r"},
        "summary": true, "cost": 0,
        "tokens": {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}})
    );
    serde_json::from_value::<AssistantMessage>(message_json).unwrap();
    for key in ["sessionID", "parentID", "modelID", "providerID", "agent", "cwd", "root"] {
        let mut less = options.clone();
        less[key] = json!(null);
        assert_eq!(from(&less).unwrap_err().name(), "MissingRequiredField");
    }
}

fn whole(options: &Value) -> Result<Value, Error> {
    let options = Owned::from(options.clone());
    let mut next = 0;
    let mut id = || {
        next += 1;
        format!("new{next}")
    };
    with_parts(&|key| options.get(key), &mut id).map(Owned::into_json)
}

#[test]
fn a_message_gives_its_parts_the_ids_that_they_lack() {
    let info = json!({"id": "m", "sessionID": "s", "role": "user"});
    let own = json!({"id": "p", "sessionID": "s", "messageID": "m", "type": "text", "text": "a"});
    let parts = json!([own, {"type": "step-start"}, {"id": "q", "type": "custom", "x": 1, "messageID": null}]);
    assert_eq!(
        whole(&json!({"info": info, "parts": parts})).unwrap(),
        json!({"info": info, "parts": [
            own,
            {"id": "new1", "sessionID": "s", "messageID": "m", "type": "step-start"},
            {"id": "q", "sessionID": "s", "messageID": "m", "type": "custom", "x": 1},
        ]})
    );
    assert_eq!(whole(&json!({"info": info, "parts": []})).unwrap()["parts"], json!([]));
}

#[test]
fn a_message_refuses_what_is_not_its_own() {
    let info = json!({"id": "m", "sessionID": "s"});
    for (options, problem) in [
        (json!({"parts": []}), "info"),
        (json!({"info": info}), "parts"),
        (json!({"info": 1, "parts": []}), "/info"),
        (json!({"info": info, "parts": {}}), "/parts"),
        (json!({"info": info, "parts": [1]}), "/parts/0"),
        (json!({"info": info, "parts": [{}, {"messageID": "other"}]}), "/parts/1/messageID"),
        (json!({"info": info, "parts": [{"sessionID": "other"}]}), "/parts/0/sessionID"),
    ] {
        let error = whole(&options).unwrap_err().to_string();
        assert!(error.contains(problem), "{options}: {error}");
    }
}
