//! Cases that go on after a verdict: `tests/fixtures/loops-corpus`, whose README says how they are read.

use super::{as_text, config};
use crate::{Action, CallResult, Channel, Detector, RunEvent, Verdict};
use serde_json::Value;

/// What came of a case: each verdict with the number of its call, and the calls whose check interrupts.
#[derive(Default)]
struct CorpusRun {
    verdicts: Vec<(u64, Verdict)>,
    interrupts: Vec<u64>,
}

/// `restores`: the detector is restored from its snapshot before every input.
fn run(case: &Value, restores: bool) -> CorpusRun {
    let mut detector = Detector::new(config(&case["config"]));
    let mut ran = CorpusRun::default();
    let items = case["calls"].as_array().unwrap();
    let mut waiting: Vec<(u64, Value)> = Vec::new();
    let mut call = 0;
    for (place, item) in items.iter().enumerate() {
        if restores {
            detector = Detector::restore(&detector.snapshot()).unwrap();
        }
        if let Some(text) = item["text"].as_str() {
            let is_reasoning = item["channel"] == "reasoning";
            let channel = if is_reasoning { Channel::Reasoning } else { Channel::Text };
            ran.verdicts.push((call, detector.text(text, channel)));
            continue;
        }
        if let Some(event) = item["event"].as_str() {
            ran.verdicts.push((call, detector.event(RunEvent::parse(event).unwrap())));
            continue;
        }
        call += 1;
        let parameters = item.get("parameters").map(Value::to_string).unwrap_or_default();
        let verdict = detector.check(&crate::Call {
            tool: item["toolName"].as_str().unwrap(),
            parameters: &parameters,
            id: item["callID"].as_str(),
            round: item["round"].as_f64(),
            ..crate::Call::default()
        });
        let is_stopped = verdict.action == Action::Interrupt;
        ran.interrupts.extend(is_stopped.then_some(call));
        ran.verdicts.push((call, verdict));
        let outcome = item.get("ifStopped").filter(|_| is_stopped).unwrap_or(item);
        waiting.push((call, outcome.clone()));
        let next = items.get(place + 1).filter(|next| next.get("toolName").is_some());
        if item.get("round").is_some() && next.is_some_and(|next| next["round"] == item["round"]) {
            continue;
        }
        for (number, outcome) in std::mem::take(&mut waiting) {
            let (result, blocked) = (outcome.get("result").map(as_text), &outcome["blocked"]);
            if result.is_none() && *blocked != true {
                continue;
            }
            if restores {
                detector = Detector::restore(&detector.snapshot()).unwrap();
            }
            let recorded = detector.record(&CallResult {
                call: Some(number - 1),
                result: result.as_deref(),
                is_error: outcome["isError"] == true,
                blocked: *blocked == true,
                ..CallResult::default()
            });
            ran.verdicts.push((number, recorded.unwrap()));
        }
    }
    ran
}

/// Is a case met? Panics where it expects something that is not known here.
fn is_met(expect: &Value, ran: &CorpusRun) -> bool {
    let first = ran.verdicts.iter().find(|(_, verdict)| verdict.is_detected());
    let stops = ran.verdicts.iter().find(|(_, verdict)| verdict.action == Action::Interrupt);
    let kind = first.and_then(|(_, verdict)| verdict.kind).map(crate::LoopKind::as_str);
    expect.as_object().unwrap().iter().all(|(name, wanted)| match name.as_str() {
        "none" => first.is_none(),
        "by" => first.is_some_and(|(call, _)| *call <= wanted.as_u64().unwrap()),
        "from" => first.is_some_and(|(call, _)| *call >= wanted.as_u64().unwrap()),
        "kinds" => wanted.as_array().unwrap().iter().any(|one| one.as_str() == kind),
        "action" => first.is_some_and(|(_, verdict)| *wanted == verdict.action.as_str()),
        "interrupt" => stops.is_some(),
        "noInterrupt" => stops.is_none(),
        "interruptBy" => stops.is_some_and(|(call, _)| *call <= wanted.as_u64().unwrap()),
        "interrupts" => *wanted == Value::from(ran.interrupts.clone()),
        other => panic!("no expectation {other}"),
    })
}

fn all_are_met(name: &str, least: usize) {
    let text = std::fs::read_to_string(apex_parts_fixtures::path(name)).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(cases.len() >= least, "{name} has only {} cases", cases.len());
    for case in &cases {
        for restores in [false, true] {
            let ran = run(case, restores);
            assert!(!ran.verdicts.is_empty(), "{}", case["id"]);
            let (id, expect) = (&case["id"], &case["expect"]);
            assert!(is_met(expect, &ran), "{id} ({restores}): {:#?}", ran.verdicts);
        }
    }
}

#[test]
fn a_chant_needs_a_length() {
    all_are_met("loops-corpus/chanting.json", 8);
}

#[test]
fn a_round_counts_once() {
    all_are_met("loops-corpus/rounds.json", 7);
}

#[test]
fn a_refused_call_is_not_a_result() {
    all_are_met("loops-corpus/refusals.json", 4);
}
