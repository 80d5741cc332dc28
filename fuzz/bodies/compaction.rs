//! Compaction of made-up histories: the same over an array and over a transcript, and what must hold of any plan.

use super::dice::Dice;
use apex_parts::compaction::{
    self, BesideMessages, CompactionConfig, Estimator, History, HistoryView, MessageArray,
    ModelLimits, PlanAction, UndoTarget,
};
use apex_parts::model::{Owned, View};
use apex_parts::transcript::{Env, Transcript, TranscriptOptions};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An id that often is that of another message, and sometimes is none.
fn id(dice: &mut Dice, own: usize) -> Value {
    match dice.roll(12) {
        0 => json!(format!("m{}", dice.roll(own + 2))),
        1 => Value::Null,
        2 => json!("\u{e9}\"\\ud83d"),
        _ => json!(format!("m{own}")),
    }
}

fn text(dice: &mut Dice) -> Value {
    let pieces = ["word ", "\u{6f22}\u{5b57}", "0123456789abcdef", "\n", "\u{1f980}", "{\"a\":1}"];
    json!(pieces[dice.roll(pieces.len())].repeat(dice.roll(60)))
}

fn part(dice: &mut Dice, at: usize) -> Value {
    let kind = ["text", "tool", "tool", "reasoning", "file", "compaction", "step-start", "odd"];
    let mut part = json!({"id": format!("p{at}"), "type": kind[dice.roll(kind.len())]});
    if dice.roll(20) == 0 {
        return [Value::Null, json!(1), json!("x"), json!({}), json!([])][dice.roll(5)].clone();
    }
    if part["type"] == "tool" {
        let status = ["completed", "completed", "completed", "error", "running", "odd"];
        let tools = ["bash", "read", "skill"];
        part["tool"] = json!(tools[dice.roll(3)]);
        part["state"] = json!({"status": status[dice.roll(6)], "input": {"a": text(dice)},
            "output": text(dice), "error": text(dice), "time": {"start": 1, "end": 2}});
        if dice.roll(8) == 0 {
            part["state"]["time"]["compacted"] = json!(dice.roll(3_000));
        }
        if dice.roll(8) == 0 {
            let url = "data:image/png;base64,iVBORw0KGgo=";
            part["state"]["attachments"] =
                json!([{"type": "file", "mime": "image/png", "url": url}]);
        }
        return part;
    }
    part["text"] = text(dice);
    if part["type"] == "compaction" && dice.roll(2) == 0 {
        part["tail_start_id"] = json!(format!("m{}", dice.roll(at + 2)));
    }
    for flag in ["synthetic", "ignored"] {
        if dice.roll(8) == 0 {
            part[flag] = json!(true);
        }
    }
    part
}

/// A history that the bytes decide: each is a message.
fn history(data: &[u8]) -> Value {
    let mut dice = Dice::new(data);
    let mut messages = Vec::new();
    for (at, byte) in data.iter().enumerate().take(40) {
        let is_user = byte % 3 == 0;
        let parts: Vec<Value> = match byte % 7 {
            0 if is_user => {
                let tail = format!("m{}", dice.roll(at + 1));
                vec![json!({"id": "c", "type": "compaction", "auto": true, "tail_start_id": tail})]
            }
            _ => (0..dice.roll(5)).map(|place| part(&mut dice, 10 * at + place)).collect(),
        };
        let mut info = json!({"id": id(&mut dice, at), "sessionID": "s",
            "role": if is_user { "user" } else { "assistant" }, "modelID": "m",
            "time": {"created": 100 * at, "completed": 100 * at + dice.roll(200)}});
        if byte & 16 != 0 {
            info["finish"] = json!("stop");
            let cache = json!({"read": 0, "write": dice.roll(3)});
            info["tokens"] =
                json!({"input": dice.roll(900), "output": dice.roll(90), "cache": cache});
        }
        if byte & 32 != 0 && !is_user && dice.roll(3) == 0 {
            info["summary"] = json!(true);
            info["parentID"] = json!(format!("m{}", at.saturating_sub(1)));
        }
        if byte & 192 == 192 {
            info["error"] = json!({"name": "UnknownError", "data": {"message": "x"}});
        }
        messages.push(json!({"info": info, "parts": parts}));
    }
    Value::Array(messages)
}

fn opened(json: &str) -> Option<Transcript> {
    let mut id = || "id".to_owned();
    let mut env = Env { now_ms: 0.0, new_id: &mut id };
    let mut transcript = Transcript::new(TranscriptOptions::default());
    transcript.push(json.as_bytes(), &mut env).ok()?;
    transcript.end(&mut env).ok()?;
    Some(transcript)
}

/// Everything that is asked of a history, as text.
fn answers(history: &impl History, model: &ModelLimits, config: &CompactionConfig) -> String {
    let view: Vec<u32> = HistoryView::new(history).indices().collect();
    let check = compaction::check(history, model, config, BesideMessages::default()).unwrap();
    let pruned = compaction::prune(history, config).unwrap();
    let outputs = compaction::outputs(history, &pruned.runs, config.estimator).unwrap();
    let saved: f64 = outputs.iter().map(|output| f64::from(output.tokens)).sum();
    assert!((saved - pruned.saved).abs() < 0.5, "{saved} {}", pruned.saved);
    let cost = (&pruned.cache, &pruned.fingerprint);
    let mut plans = Vec::new();
    for overflow in [false, true] {
        let plan =
            compaction::plan(history, model, config, BesideMessages::default(), overflow).unwrap();
        // What stays is the end of what is not asked again.
        let kept = plan.entries.iter().position(|entry| entry.action == PlanAction::Keep);
        let rest = plan.entries.iter().skip(kept.unwrap_or(plan.entries.len()));
        let mut rest = rest.skip_while(|entry| entry.action == PlanAction::Keep);
        assert!(rest.all(|entry| {
            matches!(entry.action, PlanAction::DropReplayed | PlanAction::DropAnswer)
        }));
        let shown: BTreeSet<u32> = view.iter().copied().collect();
        assert!(plan.entries.iter().all(|entry| shown.contains(&entry.message)));
        plans.push(plan);
    }
    format!("{view:?} {check:?} {outputs:?} {cost:?} {plans:?}")
}

/// Whatever a history holds, arrays and transcripts give the same view, estimate and plans; marks and summaries are
/// taken back exactly.
pub fn compaction(data: &[u8]) {
    let value = history(data);
    let mut dice = Dice::new(data);
    let size = |dice: &mut Dice| dice.roll(2_000) as f64;
    let model =
        ModelLimits { context: size(&mut dice), input: None, output: Some(size(&mut dice) / 4.0) };
    let config = CompactionConfig {
        prune: true,
        protect: dice.roll(120) as f64,
        minimum: dice.roll(40) as f64,
        protect_turns: dice.roll(3) as f64,
        preserve_recent_tokens: Some(size(&mut dice) / 4.0),
        estimator: if dice.roll(2) == 0 { Estimator::Chars } else { Estimator::Classes },
        ..CompactionConfig::default()
    };
    let array = MessageArray::new(Some(&value));
    let over_array = answers(&array, &model, &config);
    if let Some(transcript) = opened(&value.to_string())
        && transcript.message_count() == array.len()
    {
        assert_eq!(answers(&transcript, &model, &config), over_array);
    }
    marks_are_taken_back(&value, &array, &config);
}

fn marks_are_taken_back(
    value: &Value,
    array: &MessageArray<Option<&Value>>,
    config: &CompactionConfig,
) {
    let pruned = compaction::prune(array, config).unwrap();
    let outputs = compaction::outputs(array, &pruned.runs, config.estimator).unwrap();
    let mut ids = Vec::new();
    for output in &outputs {
        let part = &value[output.message as usize]["parts"][output.part as usize];
        ids.extend(part["id"].as_str().map(str::to_owned));
    }
    let plan = Owned::from(json!({"partIDs": ids, "fingerprint": pruned.fingerprint}));
    let messages = Owned::from(value.clone());
    let marked = compaction::apply_prune(&messages, &plan, 1e12).unwrap();
    let again = compaction::apply_prune(&marked, &plan, 2e12).unwrap();
    assert_eq!(again.json_text(), marked.json_text());
    let back = compaction::undo(&marked, UndoTarget::Parts(&ids)).unwrap();
    assert_eq!(back.json_text(), messages.json_text());
}
