use super::*;

/// Arguments with this path.
fn path(n: impl std::fmt::Display) -> String {
    format!(r#"{{"path":"{n}"}}"#)
}

fn check(detector: &mut Detector, tool: &str, parameters: &str) -> Verdict {
    detector.check(&Call { tool, parameters, ..Call::default() })
}

fn record(detector: &mut Detector, result: &str, is_error: bool) -> Verdict {
    let result = Some(result);
    detector.record(&CallResult { result, is_error, ..CallResult::default() }).unwrap()
}

fn detector(config: &str) -> Detector {
    Detector::new(Config::parse(config).unwrap())
}

#[test]
fn boundary_tools_do_not_count() {
    let mut two = detector(r#"{"maxIterations":2,"boundaryTools":["b"]}"#);
    for n in 0..3 {
        let verdict = check(&mut two, "b", &path(n));
        assert_eq!((verdict.kind, verdict.step_count), (None, 0));
    }
    for n in 0..2 {
        assert_eq!(check(&mut two, "read", &path(n)).kind, None);
        assert_eq!(check(&mut two, "b", &path(n)).kind, None);
    }
    let verdict = check(&mut two, "read", &path(2));
    assert_eq!((verdict.kind, verdict.step_count), (Some(LoopKind::MaxIterations), 3));
    assert_eq!(verdict.calls, [7]);
    // The run has exceeded its limit, whatever is called.
    let verdict = check(&mut two, "b", &path(3));
    assert_eq!((verdict.kind, verdict.step_count), (Some(LoopKind::MaxIterations), 3));
    assert_eq!(verdict.pattern, r#"read({"path":"2"})"#);
}

#[test]
fn a_retry_takes_back_all_calls_since_the_last_result() {
    let mut all = detector(r#"{"maxIterations":1000}"#);
    (0..100).for_each(|n| drop(check(&mut all, "read", &path(n))));
    all.event(RunEvent::Retry);
    assert_eq!(all.step_count(), 0);

    let mut some = detector(r#"{"boundaryTools":["b"]}"#);
    check(&mut some, "read", &path("a"));
    record(&mut some, "x", false);
    check(&mut some, "b", "");
    check(&mut some, "read", &path("c"));
    some.event(RunEvent::Retry);
    assert_eq!(some.step_count(), 1);

    // Calls before the last one with a result are kept, also those without a result.
    let mut mixed = detector("{}");
    (0..4).for_each(|n| drop(check(&mut mixed, "read", &path(n))));
    mixed.record(&CallResult { call: Some(2), result: Some("x"), ..CallResult::default() });
    mixed.record(&CallResult { call: Some(0), result: Some("x"), ..CallResult::default() });
    mixed.event(RunEvent::Retry);
    assert_eq!(mixed.step_count(), 3);
}

#[test]
fn calls_taken_back_are_in_no_loop() {
    // More equal calls than are kept.
    let mut same = detector(r#"{"maxIterations":1000}"#);
    (0..100).for_each(|_| drop(check(&mut same, "read", &path("a"))));
    same.event(RunEvent::Retry);
    let kinds: Vec<Option<LoopKind>> =
        (0..3).map(|_| check(&mut same, "read", &path("a")).kind).collect();
    assert_eq!(kinds, [None, None, Some(LoopKind::ExactRepeat)]);

    // Closed rounds.
    let mut rounds = detector("{}");
    let mut round = |number: u32| {
        let call = |p: &str| path(p);
        let kinds: Vec<Option<LoopKind>> = ["a", "b"]
            .map(|p| {
                let parameters = call(p);
                let round = Some(f64::from(number));
                let of = Call { tool: "read", parameters: &parameters, round, ..Call::default() };
                rounds.check(&of).kind
            })
            .into();
        if number == 3 {
            rounds.event(RunEvent::Retry);
            rounds = Detector::restore(&rounds.snapshot()).unwrap();
        }
        kinds.into_iter().flatten().next()
    };
    let kinds: Vec<Option<LoopKind>> = (0..9).map(&mut round).collect();
    let mut want = vec![None; 9];
    want[8] = Some(LoopKind::Cycle);
    assert_eq!(kinds, want);

    // Eight equal calls in a round that is made again.
    let mut wide = detector("{}");
    let of = Call { tool: "sh", round: Some(1.0), ..Call::default() };
    let mut fan = || (0..8).map(|_| wide.check(&of).kind).collect::<Vec<_>>();
    assert_eq!(fan()[7], Some(LoopKind::DuplicateFanout));
    wide.event(RunEvent::Retry);
    let mut fan = || (0..8).map(|_| wide.check(&of)).collect::<Vec<_>>();
    let again = fan();
    assert_eq!(again[6].kind, None);
    assert_eq!(
        (again[7].kind, again[7].action),
        (Some(LoopKind::DuplicateFanout), Action::Warning)
    );
}

#[test]
fn a_loop_with_a_known_result_is_interrupted_without_a_warning() {
    let mut detector = detector(r#"{"maxIterations":1000}"#);
    let mut actions = Vec::new();
    for tool in ["one", "two"] {
        for n in 0..10 {
            check(&mut detector, tool, "");
            actions.push((tool, record(&mut detector, "not now", false).action));
            check(&mut detector, "look", &path(format!("{tool} {n}")));
            record(&mut detector, &format!("{tool} {n}"), false);
        }
    }
    let of = |name: &str| -> Vec<Action> {
        actions.iter().filter(|(tool, _)| *tool == name).map(|(_, action)| *action).collect()
    };
    use Action::{Continue, Interrupt, Warning};
    assert_eq!(of("one")[5..9], [Warning, Continue, Continue, Interrupt]);
    // The same result does not warn again, but the loop that continues is interrupted.
    assert_eq!(of("two")[5..9], [Continue, Continue, Continue, Interrupt]);
}

#[test]
fn rounds_of_several_calls_are_cycles_that_need_results() {
    let run = |results: bool| {
        let mut detector = detector("{}");
        let mut first = None;
        for number in 0..6u32 {
            for p in ["a", "b", "c"] {
                let parameters = path(p);
                let round = Some(f64::from(number));
                let call = Call { tool: "read", parameters: &parameters, round, ..Call::default() };
                let verdict = detector.check(&call);
                if verdict.is_detected() {
                    first.get_or_insert((number, verdict.kind, verdict.period));
                }
                if results {
                    // Equal results confirm the verdict.
                    assert_eq!(record(&mut detector, p, false).kind, verdict.kind);
                }
            }
        }
        first
    };
    assert_eq!(run(true), Some((2, Some(LoopKind::Cycle), 3)));
    assert_eq!(run(false), Some((4, Some(LoopKind::Cycle), 3)));
}

#[test]
fn different_results_withdraw_a_cycle_of_rounds() {
    let mut detector = detector("{}");
    for number in 0..3u32 {
        for p in ["a", "b"] {
            let parameters = path(p);
            let round = Some(f64::from(number));
            detector.check(&Call {
                tool: "read",
                parameters: &parameters,
                round,
                ..Call::default()
            });
        }
        let checked = detector.detect().kind;
        assert_eq!(checked, (number == 2).then_some(LoopKind::Cycle));
        let first = Some(u64::from(number) * 2);
        let recorded = detector.record(&CallResult {
            call: first,
            result: Some("a"),
            ..CallResult::default()
        });
        assert_eq!(recorded.unwrap().kind, checked);
        let result = if number == 2 { "new" } else { "b" };
        assert_eq!(record(&mut detector, result, false).kind, None);
    }
}

#[test]
fn same_error_counts_with_successes_in_between() {
    let mut detector = detector("{}");
    let mut kinds = Vec::new();
    for n in 0..8 {
        check(&mut detector, "bash", &path(format!("x{n}")));
        kinds.push(record(&mut detector, "Permission denied", true).kind);
        check(&mut detector, "bash", &path(format!("ls {n}")));
        record(&mut detector, &format!("{n} files"), false);
    }
    assert_eq!(kinds[..5], [None, None, None, None, Some(LoopKind::SameError)]);
}

#[test]
fn stagnation_counts_with_other_results_in_between() {
    let mut detector = detector("{}");
    let long = "nothing was found here, ".repeat(4);
    let mut kinds = Vec::new();
    for n in 0..6 {
        check(&mut detector, "find", &path(n));
        kinds.push(record(&mut detector, &long, false).kind);
        check(&mut detector, "find", &path(format!("other {n}")));
        record(&mut detector, &format!("{n} of many"), false);
    }
    assert_eq!(kinds, [None, None, None, None, None, Some(LoopKind::Stagnation)]);
}

#[test]
fn a_pattern_is_at_most_160_units_long_and_splits_no_pair() {
    for text in ["😀".repeat(300), format!("a{}", "😀".repeat(300)), "x".repeat(300)] {
        let mut detector = detector("{}");
        let parameters = path(&text);
        (0..3).for_each(|_| drop(check(&mut detector, "t", &parameters)));
        let pattern = detector.detect().pattern;
        let units = pattern.encode_utf16().count();
        assert!((159..=160).contains(&units), "{units}");
        assert!(pattern.ends_with('…'));
    }
    assert_eq!(clip("😀😀", 4), "😀😀");
    assert_eq!(clip("😀😀", 3), "😀…");
    assert_eq!(clip("ab😀", 3), "ab…");
    assert_eq!(clip("abc", 3), "abc");
}

/// What a call continues is for a session alone: it is not in the state that a snapshot saves.
#[test]
fn what_a_call_continues_is_not_in_the_state() {
    let mut finished = Detector::new(Config::default());
    let mut live = finished.clone();
    let mut continued = 0;
    for n in 0..20 {
        let parameters = path(n);
        let range = Some(ReadRange { resource: "a".to_owned(), start: 0.0, end: 9.0 });
        let call = Call { tool: "read", parameters: &parameters, range, ..Call::default() };
        let ran = CallResult { result: Some("text"), ..CallResult::default() };
        finished.check_finished(&call);
        continued += finished.continued.len();
        finished.record_finished(&ran);
        live.check(&call);
        assert!(Detector::restore(&live.snapshot()).is_some());
        live.record(&ran);
        assert!(Detector::restore(&live.snapshot()).is_some());
    }
    assert!(continued > 0);
}
