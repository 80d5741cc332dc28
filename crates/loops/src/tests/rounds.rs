//! The parallel calls of one turn are one event for every kind that compares results.

use crate::{Action, Call, CallResult, Config, Detector, LoopKind, ReadRange, RunEvent, Verdict};

/// A call of a round: its tool, its arguments, its result.
type RoundCall<'a> = (&'a str, String, &'a str, bool);

/// Checks the calls of a round, then records their results; all verdicts.
fn round(detector: &mut Detector, number: u32, calls: &[RoundCall<'_>]) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let ids: Vec<String> = (0..calls.len()).map(|n| format!("c{number}-{n}")).collect();
    for ((tool, parameters, _, _), id) in calls.iter().zip(&ids) {
        let round = Some(f64::from(number));
        verdicts.push(detector.check(&Call {
            tool,
            parameters,
            id: Some(id),
            round,
            ..Call::default()
        }));
    }
    // Results of parallel calls arrive in any order.
    for ((_, _, result, is_error), id) in calls.iter().zip(&ids).rev() {
        let ran = CallResult {
            id: Some(id),
            result: Some(result),
            is_error: *is_error,
            ..CallResult::default()
        };
        verdicts.push(detector.record(&ran).unwrap());
    }
    verdicts
}

/// The rounds that warn and the one that interrupts first, of those that `calls` makes.
fn rounds<'a>(calls: impl Fn(u32) -> Vec<RoundCall<'a>>) -> (Vec<(u32, LoopKind)>, Option<u32>) {
    let mut detector = Detector::new(Config { max_iterations: 1e9, ..Config::default() });
    let (mut warnings, mut stopped) = (Vec::new(), None);
    for number in 1..=20 {
        let verdicts = round(&mut detector, number, &calls(number));
        let of = |action| verdicts.iter().find(|verdict| verdict.action == action);
        if of(Action::Interrupt).is_some() {
            stopped = Some(number);
            break;
        }
        warnings.extend(of(Action::Warning).and_then(|verdict| verdict.kind).map(|k| (number, k)));
        // It is in a snapshot whole.
        detector = Detector::restore(&detector.snapshot()).unwrap();
    }
    // A warning stays the current verdict until the next check, so each comes once.
    (warnings, stopped)
}

fn args(round: u32, n: u32) -> String {
    format!(r#"{{"path":"{}"}}"#, ["alpha", "beta", "gamma", "delta"][(n % 4) as usize].repeat(3))
        .replace("alpha", &format!("alpha{round}x{n}"))
        .replace("beta", &format!("beta{round}x{n}"))
        .replace("gamma", &format!("gamma{round}x{n}"))
        .replace("delta", &format!("delta{round}x{n}"))
}

const LONG: &str = "This page is shown only to those who have an account: sign in, then try again.";

/// For one call a round and for four, the same rounds warn and stop.
fn one_is_as_four<'a>(
    call: impl Fn(u32, u32) -> RoundCall<'a>,
    warning: (u32, LoopKind),
    stop: u32,
) {
    for width in [1, 2, 4] {
        let found = rounds(|number| (0..width).map(|n| call(number, n)).collect());
        assert_eq!(found, (vec![warning], Some(stop)), "{width} calls a round");
    }
}

#[test]
fn same_error_and_its_escalation_count_rounds() {
    let call = |round, n| ("read", args(round, n), "The disk is not mounted.", true);
    one_is_as_four(call, (5, LoopKind::SameError), 8);
}

#[test]
fn stagnation_and_its_escalation_count_rounds() {
    one_is_as_four(|round, n| ("open", args(round, n), LONG, false), (6, LoopKind::Stagnation), 9);
}

#[test]
fn near_repeat_and_its_escalation_count_rounds() {
    let call = |round: u32, n: u32| {
        let query =
            format!(r#"{{"query":"where is the old name of this used in all of it v{round}{n}"}}"#);
        ("search", query, "no matches were found", false)
    };
    one_is_as_four(call, (5, LoopKind::NearRepeat), 8);
}

#[test]
fn interleaved_repeat_counts_rounds() {
    // A call twice in each round, with another one.
    let found = rounds(|number| {
        let test = || ("sh", r#"{"command":"make test"}"#.to_owned(), "2 failed", true);
        vec![test(), ("read", args(number, 0), "text", false), test()]
    });
    let alone = rounds(|number| match number % 2 {
        0 => vec![("read", args(number, 0), "text", false)],
        _ => vec![("sh", r#"{"command":"make test"}"#.to_owned(), "2 failed", true)],
    });
    assert_eq!(found, (vec![(4, LoopKind::InterleavedRepeat)], Some(7)));
    assert_eq!(alone, (vec![(7, LoopKind::InterleavedRepeat)], Some(13)));
}

#[test]
fn no_progress_read_and_its_escalation_count_rounds() {
    let mut detector = Detector::new(Config { max_iterations: 1e9, ..Config::default() });
    let mut actions = Vec::new();
    for number in 0..14u32 {
        let mut of_round = Vec::new();
        for n in 0..3u32 {
            let parameters = args(number, n);
            let end = 100.0 - f64::from(number + n);
            let range = Some(ReadRange { resource: "a".to_owned(), start: 0.0, end });
            let round = Some(f64::from(number));
            let call =
                Call { tool: "read", parameters: &parameters, round, range, ..Call::default() };
            of_round.push(detector.check(&call).action);
        }
        actions.push(of_round);
    }
    let at = |action| actions.iter().position(|of_round| of_round.contains(&action));
    // The first round reads something new.
    assert_eq!((at(Action::Warning), at(Action::Interrupt)), (Some(8), Some(11)));
    assert_eq!(actions[8], [Action::Warning, Action::Continue, Action::Continue]);
}

#[test]
fn a_round_with_a_new_read_starts_anew() {
    for new_at in [0, 1, 2] {
        let mut detector = Detector::new(Config { max_iterations: 1e9, ..Config::default() });
        let mut found = Vec::new();
        for number in 0..20u32 {
            for n in 0..3u32 {
                let parameters = args(number, n);
                let is_new = number == 5 && n == new_at;
                let resource = if is_new { "b" } else { "a" }.to_owned();
                let range = Some(ReadRange { resource, start: 0.0, end: 100.0 });
                let round = Some(f64::from(number));
                let call =
                    Call { tool: "read", parameters: &parameters, round, range, ..Call::default() };
                found.extend(detector.check(&call).is_detected().then_some(number));
            }
        }
        assert_eq!(found.first(), Some(&13), "{new_at}");
    }
}

#[test]
fn a_call_that_contradicts_starts_near_repeat_anew() {
    let near = |round: u32, n: u32| {
        let query =
            format!(r#"{{"query":"where is the old name of this used in all of it v{round}{n}"}}"#);
        ("search", query, "no matches were found", false)
    };
    let other = || {
        (
            "search",
            r#"{"query":"something else here altogether"}"#.to_owned(),
            "one match: it is here",
            false,
        )
    };
    for at in [0, 1, 2] {
        let found = rounds(|number| {
            let mut calls: Vec<RoundCall<'_>> = (0..2).map(|n| near(number, n)).collect();
            if number == 3 {
                calls.insert(at, other());
            }
            calls
        });
        // The call that is different is of the third round: the count begins there, or after it.
        let (number, kind) = found.0[0];
        assert_eq!(kind, LoopKind::NearRepeat);
        assert!((7..=8).contains(&number), "{at}: {number}");
    }
}

#[test]
fn calls_without_a_round_count_each() {
    let mut detector = Detector::new(Config::default());
    let mut kinds = Vec::new();
    for n in 0..5 {
        let parameters = args(1, n);
        detector.check(&Call { tool: "read", parameters: &parameters, ..Call::default() });
        let ran =
            CallResult { result: Some("not mounted"), is_error: true, ..CallResult::default() };
        kinds.push(detector.record(&ran).unwrap().kind);
    }
    assert_eq!(kinds, [None, None, None, None, Some(LoopKind::SameError)]);
}

#[test]
fn a_round_that_is_made_again_counts_once() {
    let mut detector = Detector::new(Config::default());
    let mut found = Vec::new();
    for number in 1..=5 {
        // The stream dies after the calls, and they are made again.
        for n in 0..3 {
            let parameters = args(number, n);
            let round = Some(f64::from(number));
            detector.check(&Call {
                tool: "read",
                parameters: &parameters,
                round,
                ..Call::default()
            });
        }
        detector.event(RunEvent::Retry);
        let calls: Vec<RoundCall<'_>> =
            (0..3).map(|n| ("read", args(number, n), "The disk is not mounted.", true)).collect();
        let kinds = round(&mut detector, number, &calls);
        found.push(kinds.iter().find_map(|verdict| verdict.kind));
    }
    assert_eq!(found, [None, None, None, None, Some(LoopKind::SameError)]);
}

/// What version 0.2.0 wrote after the first two of three calls of a round.
#[test]
fn a_snapshot_without_rounds_is_read() {
    let mut detector = Detector::new(Config::default());
    round(&mut detector, 1, &[("read", args(1, 0), "not mounted", true)]);
    let mut snapshot: serde_json::Value = serde_json::from_str(&detector.snapshot()).unwrap();
    let names = ["round", "earlier", "stopped", "assumed"];
    let entries = snapshot["detector"]["calls"]["entries"].as_array_mut().unwrap();
    let table = |all: &mut serde_json::Value| {
        for name in names {
            all.as_object_mut().map(|fields| fields.remove(name));
        }
    };
    entries.iter_mut().for_each(table);
    let outcomes = &mut snapshot["detector"]["outcomes"];
    table(&mut outcomes["near"]);
    for list in ["again", "of_tools"] {
        outcomes[list].as_array_mut().unwrap().iter_mut().for_each(table);
    }
    assert!(snapshot["detector"]["rounds"].as_object_mut().unwrap().remove("first").is_some());
    let mut old = Detector::restore(&snapshot.to_string()).unwrap();
    assert_eq!(old.rounds.first_call, 1);
    for number in 2..=4 {
        let calls: Vec<RoundCall<'_>> =
            (0..3).map(|n| ("read", args(number, n), "not mounted", true)).collect();
        let verdicts = round(&mut old, number, &calls);
        assert!(verdicts.iter().all(|verdict| !verdict.is_detected()), "{number}");
    }
    let verdicts = round(&mut old, 5, &[("read", args(5, 0), "not mounted", true)]);
    assert_eq!(verdicts.last().unwrap().kind, Some(LoopKind::SameError));
}
