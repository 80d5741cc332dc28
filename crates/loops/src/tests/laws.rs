//! Properties of every sequence of calls, results and texts.

use super::*;
use proptest::prelude::*;

/// An input of the detector.
#[derive(Clone, Debug)]
enum Step {
    Check { tool: usize, args: usize, round: Option<u8>, id: Option<u8> },
    Record { id: Option<u8>, call: Option<u8>, result: usize, is_error: bool, blocked: bool },
    Text { chunk: usize, is_reasoning: bool },
    Event(RunEvent),
}

const TOOLS: [&str; 6] = ["read", "edit", "todo-read", "recall", "status", "sh"];
const ARGS: [&str; 5] = [
    "",
    r#"{"path":"a"}"#,
    r#"{"path":"b","line":1}"#,
    r#"{"pattern":"a|b|c","path":"src/x"}"#,
    r#"{"pattern":"b|a|c","path":"src/x"}"#,
];
const CHUNKS: [&str; 8] =
    ["Now on. ", "Again", " and again", "\n", "```", "|x|", "über alles ", "no no no no "];

fn results() -> [String; 4] {
    ["ok".to_owned(), "x".repeat(70), "failed at 10:00:01".to_owned(), "other".to_owned()]
}

fn step() -> impl Strategy<Value = Step> {
    let events = [
        RunEvent::User,
        RunEvent::Trigger,
        RunEvent::Nudge,
        RunEvent::Retry,
        RunEvent::Compaction,
        RunEvent::Assistant,
        RunEvent::Assistant,
    ];
    prop_oneof![
        6 => (0..TOOLS.len(), 0..ARGS.len(), prop::option::weighted(0.2, 0u8..3), prop::option::weighted(0.3, any::<u8>()))
            .prop_map(|(tool, args, round, id)| Step::Check { tool, args, round, id }),
        5 => (prop::option::weighted(0.2, any::<u8>()), prop::option::weighted(0.2, any::<u8>()), 0..4usize, any::<bool>(), prop::bool::weighted(0.1))
            .prop_map(|(id, call, result, is_error, blocked)| Step::Record { id, call, result, is_error, blocked }),
        3 => (0..CHUNKS.len(), any::<bool>()).prop_map(|(chunk, is_reasoning)| Step::Text { chunk, is_reasoning }),
        1 => prop::sample::select(events.to_vec()).prop_map(Step::Event),
    ]
}

fn settings() -> impl Strategy<Value = Config> {
    (0u64..5, 1u8..60, any::<bool>()).prop_map(|(threshold, most, poll)| Config {
        threshold,
        max_iterations: f64::from(most),
        boundary_tools: vec!["recall".to_owned()],
        poll_tools: if poll { vec!["status".to_owned()] } else { Vec::new() },
        ..Config::default()
    })
}

fn apply(detector: &mut Detector, step: &Step) -> Option<Verdict> {
    let name = |id: &Option<u8>| id.map(|id| format!("c{id}"));
    match step {
        Step::Check { tool, args, round, id } => {
            let id = name(id);
            Some(detector.check(&Call {
                tool: TOOLS[*tool],
                parameters: ARGS[*args],
                id: id.as_deref(),
                round: round.map(f64::from),
                time_ms: 0.0,
                range: (*tool == 0 && *args > 0).then(|| ReadRange {
                    resource: "a".to_owned(),
                    start: f64::from(u8::try_from(*args).unwrap()),
                    end: 4.0 + f64::from(u8::try_from(*args).unwrap()),
                }),
            }))
        }
        Step::Record { id, call, result, is_error, blocked } => {
            let id = name(id);
            let text = &results()[*result];
            let call = call.map(u64::from);
            let ran = CallResult {
                id: id.as_deref(),
                call,
                result: Some(text),
                key: None,
                is_error: *is_error,
                blocked: *blocked,
            };
            detector.record(&ran)
        }
        Step::Text { chunk, is_reasoning } => {
            let channel = if *is_reasoning { Channel::Reasoning } else { Channel::Text };
            Some(detector.text(CHUNKS[*chunk], channel))
        }
        Step::Event(event) => Some(detector.event(*event)),
    }
}

proptest! {
    #[test]
    fn a_restored_detector_continues_unchanged(
        config in settings(),
        steps in prop::collection::vec(step(), 0..120),
        cut in any::<prop::sample::Index>(),
    ) {
        let cut = cut.index(steps.len() + 1);
        let mut whole = Detector::new(config);
        let mut other = None;
        for (place, step) in steps.iter().enumerate() {
            if place == cut {
                other = Some(Detector::restore(&whole.snapshot()).unwrap());
            }
            let verdict = apply(&mut whole, step);
            // Checks what is not saved: see `skip` in `state!`.
            let _ = whole.snapshot();
            if let Some(other) = &mut other {
                prop_assert_eq!(apply(other, step), verdict);
                prop_assert_eq!(other.detect(), whole.detect());
            }
        }
        if let Some(other) = other {
            prop_assert_eq!(other.snapshot(), whole.snapshot());
        }
    }

    /// Without results only the arguments decide: a call that was the same often enough is a loop.
    #[test]
    fn without_results_the_arguments_decide(
        threshold in 1u64..6,
        calls in prop::collection::vec(0..3usize, 1..60),
    ) {
        let config = Config { threshold, max_iterations: 1e9, ..Config::default() };
        let mut detector = Detector::new(config);
        for (place, args) in calls.iter().enumerate() {
            let verdict = detector.check(&Call { tool: "read", parameters: ARGS[*args], ..Call::default() });
            let alike = calls[..=place].iter().rev().take_while(|a| *a == args).count() as u64;
            prop_assert_eq!(alike >= threshold, verdict.kind == Some(LoopKind::ExactRepeat));
            prop_assert!(verdict.action != Action::Warning);
        }
    }

    #[test]
    fn how_text_is_cut_does_not_matter(
        chunks in prop::collection::vec(0..CHUNKS.len(), 0..60),
        sizes in prop::collection::vec(1usize..9, 1..20),
    ) {
        let text: String = chunks.iter().map(|c| CHUNKS[*c]).collect();
        let mut whole = Detector::new(Config::default());
        let mut first = None;
        for (at, c) in text.char_indices() {
            let verdict = whole.text(c.encode_utf8(&mut [0; 4]), Channel::Text);
            if verdict.is_detected() && first.is_none() {
                first = Some(at + c.len_utf8());
            }
        }
        let mut cut = Detector::new(Config::default());
        let (mut rest, mut sizes, mut done) = (text.as_str(), sizes.iter().cycle(), 0);
        while !rest.is_empty() {
            let size = rest.char_indices().nth(*sizes.next().unwrap()).map_or(rest.len(), |(at, _)| at);
            let (now, later) = rest.split_at(size);
            let verdict = cut.text(now, Channel::Text);
            let before = done;
            done += now.len();
            // A loop found at a character is found at the end of the chunk if it still holds there.
            prop_assert!(!verdict.is_detected() || first.is_some_and(|f| f <= done));
            prop_assert!(verdict.is_detected() || first.is_none_or(|f| f != done) || before == done);
            rest = later;
        }
        prop_assert_eq!(cut.event(RunEvent::Assistant), whole.event(RunEvent::Assistant));
    }

    #[test]
    fn restoring_arbitrary_text_fails(text in any::<String>()) {
        prop_assert!(Detector::restore(&text).is_none());
    }
}

#[test]
fn memory_is_bounded() {
    let mut detector = Detector::new(Config { max_iterations: 1e18, ..Config::default() });
    let mut largest = 0;
    for n in 0..12_000u32 {
        let parameters = format!(r#"{{"path":"file {n}","text":"{}"}}"#, "x".repeat(100));
        let id = format!("call {n}");
        let tool = format!("tool {}", n % 500);
        let call = Call { tool: &tool, parameters: &parameters, id: Some(&id), ..Call::default() };
        let range = Some(ReadRange { resource: format!("r{n}"), start: 0.0, end: 1.0 });
        detector.check(&Call { range, ..call });
        let result = format!("result {n}");
        detector.record(&CallResult { result: Some(&result), ..CallResult::default() });
        detector.text("more and more ", Channel::Text);
        if n % 3_000 == 2_999 {
            largest = detector.snapshot().len().max(largest);
        }
    }
    assert!(largest < 400_000, "{largest}");
}

#[test]
fn tables_and_fences_are_not_chants() {
    let chant = |text: &str| Detector::new(Config::default()).text(text, Channel::Text);
    let line = "I will try again.\n";
    assert_eq!(chant(&line.repeat(9)).kind, None);
    let verdict = chant(&line.repeat(10));
    assert_eq!((verdict.kind, verdict.repeats, verdict.period), (Some(LoopKind::Chanting), 10, 18));
    assert_eq!(verdict.pattern, "I will try again.");
    // A long unit needs six repeats.
    let long = format!("{} over.\n", "a longer sentence that goes on and on ".repeat(2));
    assert_eq!(chant(&long.repeat(5)).kind, None);
    assert_eq!(chant(&long.repeat(6)).kind, Some(LoopKind::Chanting));
    let words: String = (0..50).map(|n| format!("word {n}, ")).collect();
    assert_eq!(chant(&format!("{words}{}", line.repeat(10))).kind, Some(LoopKind::Chanting));
    for harmless in [
        "-".repeat(500),
        "| a | b |\n".repeat(50),
        format!("```\n{}", line.repeat(50)),
        format!("~~~\n{}~~~\ndone", line.repeat(50)),
        words.clone(),
        "1 2 3 4 5 6 7 8 9 0\n".repeat(40),
        String::new(),
    ] {
        assert_eq!(chant(&harmless).kind, None, "{harmless}");
    }
    // Text after a fence counts again, but not together with the text before it.
    let parted = format!("{}```\nx\n```\n{}", line.repeat(6), line.repeat(6));
    assert_eq!(chant(&parted).kind, None);
    assert_eq!(chant(&"über ".repeat(10)).kind, Some(LoopKind::Chanting));
}

#[test]
fn long_ids_identify_calls() {
    let mut detector = Detector::new(Config::default());
    let long = "x".repeat(300);
    let call = Call { tool: "read", id: Some(&long), ..Call::default() };
    assert_eq!(detector.check(&call).step_count, 1);
    assert_eq!(detector.check(&call).step_count, 1);
    assert!(detector.record(&CallResult { id: Some(&long), ..CallResult::default() }).is_some());
    // A different id with the same first characters is another call.
    let other = format!("{long}y");
    assert_eq!(detector.check(&Call { id: Some(&other), ..call }).step_count, 2);
}

#[test]
fn a_surrogate_pair_across_chunks_is_one_character() {
    let hear = |pieces: &[(Option<u16>, &str, Option<u16>)], cut: bool| {
        let mut detector = Detector::new(Config::default());
        for (low, text, high) in pieces {
            let piece = Piece { low: *low, text: (*text).into(), high: *high };
            detector.push_text(&piece, Channel::Text);
            if cut {
                detector = Detector::restore(&detector.snapshot()).unwrap();
            }
        }
        detector.event(RunEvent::Assistant);
        detector.text.repeated_text.last
    };
    let (high, low) = (Some(0xd83d), Some(0xde00));
    for cut in [false, true] {
        let whole = hear(&[(None, "a😀b", None)], cut);
        assert_eq!(hear(&[(None, "a", high), (low, "b", None)], cut), whole);
        assert_eq!(hear(&[(None, "a", high), (None, "", None), (low, "b", None)], cut), whole);
        let lost = hear(&[(None, "a\u{fffd}b", None)], cut);
        assert_eq!(hear(&[(None, "a", high), (None, "b", None)], cut), lost);
        assert_eq!(hear(&[(None, "a", None), (low, "b", None)], cut), lost);
        let ends = hear(&[(None, "a\u{fffd}", None)], cut);
        assert_eq!(hear(&[(None, "a", high)], cut), ends);
    }
}

#[test]
fn a_loop_that_continues_after_a_warning_is_interrupted() {
    let mut detector = Detector::new(Config::default());
    let mut actions = Vec::new();
    for n in 0..10 {
        let path = format!(r#"{{"path":"{n}"}}"#);
        for (tool, parameters, is_error) in
            [("sh", r#"{"cmd":"pytest"}"#, true), ("read", &path, false)]
        {
            let verdict = detector.check(&Call { tool, parameters, ..Call::default() });
            assert_eq!(verdict.action, Action::Continue);
            let result = if is_error { "1 failed" } else { &path };
            let ran = CallResult { result: Some(result), is_error, ..CallResult::default() };
            actions.push(detector.record(&ran).unwrap().action);
        }
    }
    let of_sh: Vec<Action> = actions.into_iter().step_by(2).collect();
    use Action::{Continue, Interrupt, Warning};
    let want = [Continue, Continue, Continue, Warning, Continue, Continue, Interrupt];
    assert_eq!(of_sh[..7], want);
}
