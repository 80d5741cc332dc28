// Tests may slice strings.
#![allow(clippy::string_slice)]

mod foreign;
mod glances;
mod pieces;
mod search;
mod sessions;
mod streams;
mod unread;

use super::*;
use crate::index::{CUSTOM, NO_EXIT};
use apex_parts_compaction::PartTokens;
use apex_parts_model::ErrorKind;
use serde_json::Value;
use std::fs;

const USER: &str = r#"{"info":{"id":"m1","sessionID":"s","role":"user","time":{"created":5},"agent":"a","model":{"providerID":"p","modelID":"m"}},"parts":[{"id":"p1","sessionID":"s","messageID":"m1","type":"text","text":"hi"}]}"#;
const ASSISTANT: &str = r#"{"parts":[{"id":"p2","sessionID":"s","messageID":"m2","type":"tool","callID":"c","tool":"bash","state":{"status":"error","input":{},"error":"e","time":{"start":6,"end":8}}},{"id":"p3","type":"odd"}],"info":{"role":"assistant","error":{"name":"UnknownError","data":{}},"summary":true,"time":{"created":6,"completed":9}}}"#;

/// Runs with a fixed time and counted ids.
fn counted<T>(run: impl FnOnce(&mut Env<'_>) -> T) -> T {
    let mut count = 0;
    let mut new_id = || {
        count += 1;
        format!("0198c3f0-8d5e-7cc1-b5d1-{count:012}")
    };
    run(&mut Env { now_ms: 1_700_000_000_000.0, new_id: &mut new_id })
}
fn opened(bytes: &[u8], options: TranscriptOptions) -> Result<Transcript, Error> {
    counted(|env| Transcript::open(bytes, options, env))
}
fn open(text: &str) -> Result<Transcript, Error> {
    opened(text.as_bytes(), TranscriptOptions::default())
}
fn message(t: &Transcript, index: usize) -> Option<Vec<u8>> {
    t.message(index).unwrap().map(Cow::into_owned)
}
fn export() -> String {
    format!(r#"{{"info":{{"id":"s","title":"T"}},"messages":[{USER},{ASSISTANT}],"later":1}}"#)
}
fn refused(text: &[u8]) -> String {
    let error = opened(text, TranscriptOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Transcript { .. }));
    error.to_string()
}
/// The losses, as "rule offset: message".
fn lost(t: &Transcript) -> Vec<String> {
    let damage = t.lost();
    damage.iter().map(|p| format!("{} {}: {}", p.rule, p.offset.unwrap(), p.message)).collect()
}

#[test]
fn an_export() {
    let t = open(&export()).unwrap();
    assert_eq!(t.format(), Some(Format::OpenCodeExport));
    assert_eq!(t.session().unwrap(), br#"{"id":"s","title":"T"}"#);
    assert_eq!((t.message_count(), t.part_count()), (2, 3));
    assert_eq!(message(&t, 0).unwrap(), USER.as_bytes());
    assert_eq!(message(&t, 1).unwrap(), ASSISTANT.as_bytes());
    assert_eq!(message(&t, 2), None);
    assert_eq!(lost(&t), Vec::<String>::new());
    let [first, second] = t.messages().iter().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!((first.role, first.flags, first.first_part), (1, 0, 0));
    assert_eq!((second.role, second.flags, second.first_part), (2, 7, 1));
    let kinds: Vec<_> = t.parts().iter().map(|p| (p.kind, p.status)).collect();
    assert_eq!(kinds, [(0, 0), (2, 4), (CUSTOM, 0)]);
    assert_eq!(t.parts().get(2).unwrap().size, 24);
}

#[test]
fn index_entries_have_names_numbers_and_times() {
    assert_eq!((size_of::<PartFact>(), size_of::<PartTokens>()), (56, 16));
    let finish = r#"{"info":{"sessionID":"other","role":"assistant","agent":"b","time":{"created":"5","completed":12}},"parts":[{"type":"step-finish","cost":0.5,"tokens":{"input":1,"output":2,"reasoning":3,"cache":{"read":4,"write":5}}},{"type":"tool","tool":"read"},{"type":"tool","tool":"bash","state":{"status":"running","time":{"start":7}}},{"type":"tool"},{"type":"text","tool":"bash"}]}"#;
    let nameless = r#"{"info":{"sessionID":"","agent":"a"},"parts":[]}"#;
    let text =
        format!(r#"{{"info":{{"id":"own"}},"messages":[{USER},{ASSISTANT},{finish},{nameless}]}}"#);
    let t = open(&text).unwrap();
    let names = |list: &[Box<str>]| list.join(" ");
    assert_eq!(names(t.tool_names()), "bash read");
    assert_eq!(names(t.agent_names()), "a b");
    let tools: Vec<_> = t.parts().iter().map(|p| p.tool).collect();
    assert_eq!(tools, [0, 1, 0, 0, 2, 1, 0, 0]);
    let times = |list: Vec<f64>| list.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(times(t.parts().iter().map(|p| p.from).collect()), "NaN 6 NaN NaN NaN 7 NaN NaN");
    assert_eq!(times(t.parts().iter().map(|p| p.to).collect()), "NaN 8 NaN NaN NaN NaN NaN NaN");
    let finish = t.parts().get(3).unwrap();
    assert_eq!((finish.tokens, finish.cost), (15, 0.5));
    assert_eq!(times(t.messages().iter().map(|m| m.created).collect()), "5 6 NaN NaN");
    assert_eq!(times(t.messages().iter().map(|m| m.completed).collect()), "NaN 9 12 NaN");
    let agents: Vec<_> = t.messages().iter().map(|m| m.agent).collect();
    assert_eq!(agents, [1, 0, 2, 1]);
    // The second message names no session, and the last one an empty one.
    let sessions: Vec<String> = t.sessions().into_iter().map(|session| session.id).collect();
    assert_eq!(sessions, ["own", "s", "other"]);
    assert_eq!(t.session_places(), [1, u32::MAX, 2, u32::MAX]);
}

#[test]
fn calls_that_failed_have_a_status_and_an_exit_code() {
    let call = |tool: &str, state: &str| {
        format!(r#"{{"type":"tool","tool":"{tool}","state":{{"input":{{}},{state}}}}}"#)
    };
    let time = r#""time":{"start":1,"end":11}"#;
    let parts = [
        call("bash", &format!(r#""status":"completed","metadata":{{"exit":0}},{time}"#)),
        call("bash", &format!(r#""status":"completed","metadata":{{"exit":101}},{time}"#)),
        call("bash", r#""status":"error","error":"Exit code 2\nno""#),
        call("bash", r#""status":"running","metadata":{"exit":1}"#),
        call("fetch", r#""status":"completed","metadata":{"status":404}"#),
        call("bash", r#""status":"completed","metadata":{"exit":3221225786}"#),
        r#"{"type":"text","text":"exit 1"}"#.to_owned(),
    ];
    let text = format!(r#"[{{"info":{{"role":"assistant"}},"parts":[{}]}}]"#, parts.join(","));
    let t = open(&text).unwrap();
    let ends: Vec<(u8, i32)> = t.parts().iter().map(|part| (part.status, part.exit)).collect();
    let none = NO_EXIT;
    let expected = [(3, 0), (5, 101), (4, 2), (2, none), (5, none), (5, -1_073_741_510), (0, none)];
    assert_eq!(ends, expected);
    let tools = serde_json::to_value(&t.stats().tools).unwrap();
    let bash = serde_json::json!({"calls": 5, "errors": 1, "failed": 2, "failedCalls": 3, "totalMs": 20.0});
    let fetch =
        serde_json::json!({"calls": 1, "errors": 0, "failed": 1, "failedCalls": 1, "totalMs": 0.0});
    assert_eq!(tools, serde_json::json!({"bash": bash, "fetch": fetch}));
}

#[test]
fn assembled_messages_are_those_of_the_first_session() {
    let line = |session: &str| {
        format!(
            r#"{{"type":"text","timestamp":1,"sessionID":"{session}","part":{{"id":"p{session}","sessionID":"{session}","messageID":"m{session}","type":"text","text":"hi"}}}}"#
        )
    };
    let t = open(&format!("{}\n{}\n", line("a"), line("b"))).unwrap();
    assert_eq!((t.sessions().len(), t.session_places()), (2, vec![0]));
}

#[test]
fn messages_in_an_array_on_lines_or_alone() {
    for text in [
        format!("[{USER}, {ASSISTANT}]"),
        format!("{USER}\n{ASSISTANT}\n"),
        format!("{USER}{ASSISTANT}"),
    ] {
        let t = open(&text).unwrap();
        assert_eq!((t.format(), t.message_count()), (Some(Format::WithParts), 2), "{text}");
        assert_eq!(message(&t, 1).unwrap(), ASSISTANT.as_bytes());
        assert!(t.session().is_none());
    }
    assert_eq!(open(USER).unwrap().message_count(), 1);
    assert_eq!(open("[]").unwrap().message_count(), 0);
    assert_eq!(open("{\"messages\":[]}").unwrap().format(), Some(Format::OpenCodeExport));
}

#[test]
fn times_without_a_clock_are_no_start_and_end() {
    let of = |first: &str, last: &str| {
        let text = format!(
            r#"[{{"info":{{"role":"user"{first}}},"parts":[]}},{{"info":{{"role":"assistant"{last}}},"parts":[]}}]"#
        );
        let stats = open(&text).unwrap().stats();
        (stats.start, stats.end)
    };
    let at = |ms: f64| format!(r#","time":{{"created":{ms}}}"#);
    assert_eq!(of(&at(1e12), &at(2e12)), (Some(1e12), Some(2e12)));
    assert_eq!(of(&at(1e10), ""), (Some(1e10), Some(1e10)));
    // They count from 0, or there are none.
    for (first, last) in
        [(at(0.0), at(1e12)), (at(9.9e9), at(9.9e9)), (String::new(), String::new())]
    {
        assert_eq!(of(&first, &last), (None, None), "{first}");
    }
}

/// Steps say what a message took; where they have no cost, or no tokens, the message does (RF-16).
#[test]
fn a_message_says_what_its_steps_do_not() {
    let tokens = |input: u32| {
        format!(r#"{{"input":{input},"output":2,"reasoning":0,"cache":{{"read":0,"write":0}}}}"#)
    };
    let of = |info: &str, steps: &[String]| {
        let text =
            format!(r#"[{{"info":{{"role":"assistant"{info}}},"parts":[{}]}}]"#, steps.join(","));
        let stats = open(&text).unwrap().stats();
        (stats.cost, stats.tokens.input)
    };
    let step = |fields: &str| format!(r#"{{"type":"step-finish"{fields}}}"#);
    let info = format!(r#","cost":0.5,"tokens":{}"#, tokens(7));
    let both = step(&format!(r#","cost":0.25,"tokens":{}"#, tokens(3)));
    assert_eq!(of(&info, &[]), (0.5, 7.0));
    assert_eq!(of(&info, &[both.clone(), both.clone()]), (0.5, 6.0));
    assert_eq!(of(&info, &[step(r#","cost":0.25"#)]), (0.25, 7.0));
    assert_eq!(of(&info, &[step(&format!(r#","cost":0,"tokens":{}"#, tokens(3)))]), (0.5, 3.0));
    assert_eq!(of("", &[both]), (0.25, 3.0));
}

#[test]
fn stats() {
    let step = r#"{"info":{"role":"assistant"},"parts":[{"type":"step-start"},{"type":"step-finish","cost":0.5,"tokens":{"input":1,"output":2,"reasoning":3,"cache":{"read":4,"write":5}}},{"type":"step-finish","cost":"x"}]}"#;
    let t = open(&format!("[{USER},{ASSISTANT},{step}]")).unwrap();
    let stats = serde_json::to_value(t.stats()).unwrap();
    assert_eq!(
        stats,
        serde_json::json!({
            "messages": 3, "parts": {"text": 1, "tool": 1, "odd": 1, "step-start": 1, "step-finish": 2},
            "tools": {"bash": {"calls": 1, "errors": 1, "failed": 0, "failedCalls": 1, "totalMs": 2.0}}, "cost": 0.5,
            "tokens": {"input": 1.0, "output": 2.0, "reasoning": 3.0, "cache": {"read": 4.0, "write": 5.0}},
            "steps": 1
        })
    );
}

#[test]
fn problems_have_paths_and_offsets() {
    let t = open(&export()).unwrap();
    let at = export().find(ASSISTANT).unwrap();
    let problems = t.problems();
    assert!(problems.iter().all(|p| p.path.starts_with("/messages/1/")), "{problems:?}");
    #[allow(clippy::cast_precision_loss)]
    let offset = at as f64;
    assert!(problems.iter().all(|p| p.offset == Some(offset)));
    assert!(
        problems.iter().any(|p| p.rule == "BR-01" && p.path == "/messages/1/parts/1/sessionID")
    );
    let t = opened(
        format!("[{USER}]").as_bytes(),
        TranscriptOptions { ids: Some(Ids::Apex), ..TranscriptOptions::default() },
    )
    .unwrap();
    let rules: Vec<_> = t.problems().iter().map(|p| format!("{} {}", p.rule, p.path)).collect();
    assert!(rules.contains(&"BR-04 /0/parts/0/sessionID".to_owned()), "{rules:?}");
    let t = opened(
        format!("[{USER}]").as_bytes(),
        TranscriptOptions { ids: Some(Ids::OpenCode), ..TranscriptOptions::default() },
    )
    .unwrap();
    assert_eq!(t.problems(), []);
}

#[test]
fn a_cut_file_opens_up_to_the_cut() {
    let whole = export();
    let second = whole.find(ASSISTANT).unwrap();
    // Its parts come first: without `info` it is not a message.
    for cut in second..second + ASSISTANT.len() - 1 {
        let t = open(&whole[..cut]).unwrap();
        assert_eq!(t.message_count(), 1, "at {cut}");
        assert_eq!(lost(&t).len(), 1, "at {cut}");
        assert!(lost(&t)[0].contains("the file is cut off: message 1 is not whole"));
    }
    for cut in 0..whole.len() {
        if let Err(error) = open(&whole[..cut]) {
            assert_eq!(error.name(), "TranscriptError");
        }
    }
}

/// With the bytes in memory and with a host.
#[test]
fn a_message_that_is_cut_keeps_the_parts_before_the_cut() {
    let whole = format!("[{USER},{}]", USER.replace("m1", "m2").replace("p1", "p2"));
    let [from, parts] =
        ["{\"info\":{\"id\":\"m2\"", ",\"parts\":[{\"id\":\"p2\""].map(|t| whole.find(t).unwrap());
    let part = parts + ",\"parts\":[".len();
    for cut in from..whole.len() - 2 {
        for is_held in [true, false] {
            let bytes: Box<[u8]> = whole.as_bytes()[..cut].into();
            let file = bytes.clone();
            let read: Read = Box::new(move |start, end| {
                let range = start as usize..end as usize;
                file.get(range).map(<[u8]>::to_vec).ok_or_else(String::new)
            });
            let read = (!is_held).then_some(read);
            let t =
                opened(&bytes, TranscriptOptions { read, ..TranscriptOptions::default() }).unwrap();
            let count = if cut < part { 1 } else { 2 };
            assert_eq!(t.message_count(), count, "{cut}");
            assert_eq!(lost(&t).len(), 1);
            let mut seen = Vec::new();
            t.each(0..9, &mut |index, json| {
                seen.push((index, serde_json::from_slice::<Value>(json).unwrap()));
                true
            })
            .unwrap();
            assert_eq!(seen.len(), count);
            assert_eq!(seen[0].1, serde_json::from_str::<Value>(USER).unwrap());
            if count == 2 {
                let of = seen[1].1["parts"].as_array().unwrap().len();
                assert_eq!(of, usize::from(cut == whole.len() - 3), "{cut}");
                assert_eq!(t.part_count(), 1 + of);
                let said = format!("of message 1 the first {of} parts are there");
                assert!(lost(&t)[0].contains(&said), "{:?}", lost(&t));
                let alone = message(&t, 1).unwrap();
                assert_eq!(serde_json::from_slice::<Value>(&alone).unwrap(), seen[1].1);
            }
        }
    }
}

#[test]
fn bytes_after_the_end_are_reported() {
    for rest in ["{\"info\":{}}", "]", "}}}junk", "\n\n[5]", " \u{0}"] {
        for whole in [export(), format!("[{USER}]")] {
            let t = open(&format!("{whole}{rest}")).unwrap();
            let [said] = &lost(&t)[..] else { panic!("{rest}: {:?}", lost(&t)) };
            assert!(said.contains("something follows the end of the JSON"), "{said}");
        }
    }
    assert_eq!(lost(&open(&format!("{} \n\t", export())).unwrap()), Vec::<String>::new());
}

#[test]
fn text_in_front_and_bad_lines_are_skipped() {
    let t = open(&format!("\u{feff}Exporting session…\n{}", export())).unwrap();
    assert_eq!(t.message_count(), 2);
    assert_eq!(lost(&t), ["prefix 3: 21 bytes of text before the JSON, skipped"]);
    let t = open(&format!("{USER}\n{{\"info\": oops}}\nrubbish\n{ASSISTANT}")).unwrap();
    assert_eq!(t.message_count(), 2);
    assert_eq!(lost(&t).len(), 2);
    let t = open(&format!("[{USER}, 5, {{}}, {ASSISTANT}]")).unwrap();
    assert_eq!((t.message_count(), lost(&t).len()), (2, 2));
    let t = open(&format!("[{USER} {ASSISTANT}]")).unwrap();
    assert_eq!(t.message_count(), 2);
    assert!(lost(&t)[0].contains("expected `,` or `]`; 0 bytes before message 1 are left out"));
    let t = open(&export().replace(",\"later\"", "\"later\"")).unwrap();
    assert_eq!((t.message_count(), lost(&t).len()), (2, 1));
}

#[test]
fn invalid_utf_8_is_a_problem_and_shows_as_replacement() {
    let mut bytes = format!("[{USER}]").into_bytes();
    let at = bytes.windows(2).position(|w| w == b"hi").unwrap();
    bytes[at] = 0xff;
    let t = opened(&bytes, TranscriptOptions::default()).unwrap();
    assert_eq!(
        lost(&t),
        [format!("encoding {at}: bytes that are not UTF-8; they are shown as U+FFFD")]
    );
    assert_eq!(t.message_count(), 1);
}

#[test]
fn a_file_of_another_kind_is_refused_with_its_reason() {
    for (bytes, says) in [
        (&b""[..], "the file is empty"),
        (b" \n", "the file is empty"),
        (b"<html>", "HTML"),
        (b"plain text", "it contains no JSON"),
        (b"\x1f\x8b\x08\xff", "gzip"),
        (b"PK\x03\x04\xff", "ZIP"),
        (b"\xff\xfe{\0", "UTF-16"),
        (b"{}", "no message could be read"),
        (b"[1,2]", "no message could be read"),
        (b"{\"a\":1}", "not a session in any format that is read"),
    ] {
        let message = refused(bytes);
        assert!(message.contains(says), "{bytes:?}: {message}");
    }
}

/// The example of each format except streams of providers.
fn small_files() -> Vec<Vec<u8>> {
    let root = apex_parts_fixtures::path("formats");
    let is_file = |format: &Format| !matches!(format, Format::MadeUp | Format::Stream(_));
    for format in Format::all().filter(is_file) {
        let example = root.join(format!("{}.txt", format.as_str()));
        assert!(example.exists(), "there is no {}", example.display());
    }
    let files = fs::read_dir(root).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    files.collect()
}

#[test]
fn a_file_opens_wherever_it_is_cut() {
    for bytes in small_files() {
        for end in (1..700).chain((700..bytes.len()).step_by(61)) {
            let opened = opened(&bytes[..end], TranscriptOptions::default());
            assert!(opened.is_ok(), "{}: {opened:?}", String::from_utf8_lossy(&bytes[..end]));
        }
    }
    for cut in ["{", "[", "[{", " \n{\"in", "d", "data", "data:", "event: message", "data: {\"ty"] {
        let t = open(cut).unwrap();
        assert_eq!((t.message_count(), t.problems().len()), (0, 1), "{cut}");
    }
}

#[test]
fn formats_have_names() {
    for format in Format::all() {
        assert_eq!(Format::parse(format.as_str()), Some(format));
    }
    for name in ["nope", "delta", ""] {
        assert_eq!(Format::parse(name), None);
    }
    let options =
        TranscriptOptions { format: Some(Format::WithParts), ..TranscriptOptions::default() };
    assert!(opened(export().as_bytes(), options).is_err());
}
