use crate::providers::Provider;
use crate::sniff;
use apex_parts_model::delta::ReaderOutput;

fn outputs(records: &[&str]) -> Vec<String> {
    let mut reader = Provider::GeminiInteractions.reader();
    let mut all = Vec::new();
    let mut take = |one: ReaderOutput<'_>| all.push(format!("{one:?}"));
    for record in records {
        reader.record("", record.as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    all
}

fn count(all: &[String], word: &str) -> usize {
    all.iter().filter(|one| one.contains(word)).count()
}

const CREATED: &str =
    r#"{"event_type":"interaction.created","interaction":{"id":"i","model":"g"}}"#;
const COMPLETED: &str =
    r#"{"event_type":"interaction.completed","interaction":{"id":"i","status":"completed"}}"#;

#[test]
fn only_its_own_records_are_recognised() {
    let own = [
        CREATED,
        r#"{"event_type":"step.stop","index":0}"#,
        r#"{"event_type":"content.delta","index":0,"delta":{}}"#,
        r#"{"outputs":[],"status":"completed"}"#,
    ];
    for own in own {
        assert_eq!(sniff(own.as_bytes()), Some(Provider::GeminiInteractions), "{own}");
    }
    for other in [r#"{"event_type":"content.delta"}"#, r#"{"steps":[]}"#, r#"{"event_type":"x.y"}"#]
    {
        assert_eq!(sniff(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn a_call_gets_its_id_from_its_first_piece_or_one_that_is_made() {
    let start = r#"{"event_type":"step.start","index":0,"step":{"type":"function_call","name":"go","arguments":{}}}"#;
    let piece = |id: &str| {
        format!(
            r#"{{"event_type":"step.delta","index":0,"delta":{{"type":"arguments_delta","arguments":"{{}}"{id}}}}}"#
        )
    };
    for (id, expected) in [(r#","id":"late""#, "late"), ("", "call_i_0")] {
        let all = outputs(&[CREATED, start, &piece(id), &piece(r#","id":"later""#)]);
        let call = format!(r#"ToolCallStart {{ id: "{expected}""#);
        assert_eq!((count(&all, &call), count(&all, "ToolCallArgs")), (1, 2), "{all:?}");
    }
    let stop = r#"{"event_type":"step.stop","index":0}"#;
    let all = outputs(&[CREATED, start, stop]);
    assert_eq!((count(&all, "ToolCallStart"), count(&all, "ToolCallEnd")), (1, 1));
}

#[test]
fn the_last_signature_of_a_step_counts() {
    let start =
        r#"{"event_type":"step.start","index":0,"step":{"type":"thought","signature":"first"}}"#;
    let last = r#"{"event_type":"step.delta","index":0,"delta":{"type":"thought_signature","signature":"last"}}"#;
    let all = outputs(&[CREATED, start, last]);
    assert_eq!((count(&all, "Placed"), count(&all, "Merged(0)")), (1, 1), "{all:?}");
}

#[test]
fn without_its_end_a_final_status_ends_it() {
    let status = |status: &str| {
        format!(r#"{{"event_type":"interaction.status_update","status":"{status}"}}"#)
    };
    assert_eq!(count(&outputs(&[CREATED, &status("completed")]), "Done"), 1);
    assert_eq!(count(&outputs(&[CREATED, &status("in_progress")]), "Done"), 0);
}

#[test]
fn one_that_failed_has_its_error() {
    let failed = r#"{"event_type":"interaction.completed","interaction":{"status":"failed","error":{"code":"internal","message":"no"}}}"#;
    let all = outputs(&[CREATED, failed, COMPLETED]);
    assert_eq!((count(&all, "Error("), count(&all, "Done")), (1, 0), "{all:?}");
    let failed = failed.replace(r#","error":{"code":"internal","message":"no"}"#, "");
    let all = outputs(&[CREATED, &failed]);
    assert_eq!(count(&all, r#"Done { finish_reason: "error" }"#), 1, "{all:?}");
}

#[test]
fn steps_and_pieces_of_other_types_are_kept() {
    let step = r#"{"event_type":"step.start","index":0,"step":{"type":"plan","text":"a"}}"#;
    let delta = r#"{"event_type":"step.delta","index":0,"delta":{"type":"mood","value":"b"}}"#;
    let all = outputs(&[CREATED, step, delta]);
    assert_eq!((count(&all, r#"name: "steps""#), count(&all, r#"name: "deltas""#)), (1, 1));
}

#[test]
fn arguments_of_no_call_are_reported() {
    let piece = r#"{"event_type":"step.delta","index":3,"delta":{"type":"arguments_delta","arguments":"{}"}}"#;
    assert_eq!(count(&outputs(&[CREATED, piece]), "Wrong"), 1);
}
