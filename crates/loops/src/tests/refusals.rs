//! Calls that were refused because of a verdict: a refusal is not a result.

use crate::{Action, Call, CallResult, Config, Detector, LoopKind, Verdict};

fn check(detector: &mut Detector, tool: &str, parameters: &str) -> Verdict {
    detector.check(&Call { tool, parameters, ..Call::default() })
}

fn refuse(detector: &mut Detector, blocked: bool, text: &str) -> Verdict {
    let is_error = !blocked;
    let ran = CallResult { result: Some(text), is_error, blocked, ..CallResult::default() };
    detector.record(&ran).unwrap()
}

fn record(detector: &mut Detector, result: &str, is_error: bool) -> Verdict {
    let ran = CallResult { result: Some(result), is_error, ..CallResult::default() };
    detector.record(&ran).unwrap()
}

#[test]
fn a_refused_call_is_a_further_repeat() {
    for blocked in [false, true] {
        let mut detector = Detector::new(Config::default());
        for number in 1..=10 {
            let verdict = check(&mut detector, "read", "{}");
            if number < 3 {
                record(&mut detector, "text", false);
                continue;
            }
            let found = (verdict.kind, verdict.action, verdict.repeats);
            assert_eq!(found, (Some(LoopKind::ExactRepeat), Action::Interrupt, number));
            // The host may say why in other words each time.
            let stays = refuse(&mut detector, blocked, &format!("refused {number} times"));
            assert_eq!((stays.kind, stays.repeats), (verdict.kind, number));
            assert!(detector.error_response().is_some());
        }
    }
}

#[test]
fn a_refused_call_of_a_cycle_is_equal_to_the_last_round() {
    for blocked in [false, true] {
        let mut detector = Detector::new(Config::default());
        let mut interrupts = Vec::new();
        for number in 1..=12 {
            let path = if number % 2 == 1 { r#"{"path":"a"}"# } else { r#"{"path":"b"}"# };
            let verdict = check(&mut detector, "read", path);
            if verdict.action == Action::Interrupt {
                assert_eq!(verdict.kind, Some(LoopKind::Cycle));
                interrupts.push(number);
                refuse(&mut detector, blocked, "refused");
            } else {
                record(&mut detector, path, false);
            }
        }
        assert_eq!(interrupts, [6, 7, 8, 9, 10, 11, 12]);
    }
}

#[test]
fn a_success_withdraws_the_verdict() {
    let mut detector = Detector::new(Config::default());
    for _ in 0..2 {
        check(&mut detector, "read", "{}");
        record(&mut detector, "text", false);
    }
    assert_eq!(check(&mut detector, "read", "{}").action, Action::Interrupt);
    // Refused first, then allowed by the user.
    refuse(&mut detector, true, "refused");
    assert_eq!(record(&mut detector, "another text", false).kind, None);
    assert_eq!(check(&mut detector, "read", "{}").kind, None);
    assert_eq!(record(&mut detector, "another text", false).kind, None);
    // It is compared with the result before the refusal.
    assert_eq!(check(&mut detector, "read", "{}").action, Action::Interrupt);
    refuse(&mut detector, false, "refused");
    assert_eq!(check(&mut detector, "read", "{}").action, Action::Interrupt);
    assert_eq!(record(&mut detector, "a third text", false).kind, None);
}

#[test]
fn an_error_without_a_verdict_is_a_result() {
    let mut detector = Detector::new(Config::default());
    check(&mut detector, "read", "{}");
    record(&mut detector, "text", false);
    check(&mut detector, "read", "{}");
    record(&mut detector, "no such file", true);
    assert_eq!(check(&mut detector, "read", "{}").kind, None);
}

#[test]
fn blocked_calls_are_in_no_kind_that_compares_results() {
    let mut detector = Detector::new(Config::default());
    for number in 0..9 {
        let path = format!(r#"{{"path":"{number}"}}"#);
        assert_eq!(check(&mut detector, "read", &path).kind, None);
        assert_eq!(refuse(&mut detector, true, "The user wants no reads.").kind, None);
    }
}

#[test]
fn refused_calls_of_rounds_are_equal_too() {
    let mut detector = Detector::new(Config::default());
    let mut interrupts = Vec::new();
    for number in 0..6u32 {
        let mut refused = Vec::new();
        for path in [r#"{"path":"a"}"#, r#"{"path":"b"}"#] {
            let round = Some(f64::from(number));
            let verdict =
                detector.check(&Call { tool: "read", parameters: path, round, ..Call::default() });
            refused.push(verdict.action == Action::Interrupt);
        }
        for (n, blocked) in refused.iter().enumerate() {
            let call = Some(u64::from(number) * 2 + n as u64);
            let result = Some(if n == 0 { "a" } else { "b" });
            let ran = CallResult { call, result, blocked: *blocked, ..CallResult::default() };
            detector.record(&ran).unwrap();
        }
        interrupts.push(refused);
    }
    // The third round is known to be one when its last call is there.
    assert_eq!(interrupts[..2], [[false, false], [false, false]]);
    assert!(interrupts[2..].iter().all(|refused| refused[1]), "{interrupts:?}");
}
