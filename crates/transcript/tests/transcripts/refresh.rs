//! Refreshes of a growing transcript: they show what has been read so far, and do not change the result at
//! the end. Tested with files written by hand, and with recorded ones.

use apex_parts_assemble::{MessageContext, OnProblem, Stream, StreamOptions};
use apex_parts_fixtures::recorded;
use apex_parts_loops::Config;
use apex_parts_model::Severity;
use apex_parts_transcript::search::query::Query;
use apex_parts_transcript::{Env, Format, Transcript, TranscriptOptions};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

const NOW: f64 = 1_700_000_000_000.0;

struct File {
    name: String,
    bytes: Vec<u8>,
}

fn folder(path: &Path, longest: u64) -> Vec<File> {
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort_unstable();
    paths.retain(|path| {
        let name = path.to_string_lossy();
        (name.ends_with(".txt") || name.ends_with(".sse") || name.ends_with(".export.json"))
            && fs::metadata(path).unwrap().len() <= longest
    });
    assert!(!paths.is_empty(), "{} has no file to read", path.display());
    let read = |path: &std::path::PathBuf| File {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        bytes: fs::read(path).unwrap(),
    };
    paths.iter().map(read).collect()
}

/// The files of this repository: one of every format, and streams.
static OWN: LazyLock<Vec<File>> = LazyLock::new(|| {
    let fixtures = apex_parts_fixtures::path("");
    let mut files = folder(&fixtures.join("formats"), u64::MAX);
    files.extend(folder(&fixtures.join("streams"), u64::MAX));
    assert!(files.len() >= 17);
    files
});

/// The same, and recorded ones.
static ALL: LazyLock<Vec<File>> = LazyLock::new(|| {
    let own = OWN.iter().map(|f| File { name: f.name.clone(), bytes: f.bytes.clone() });
    let recorded = ["opencode", "providers"].map(|kind| folder(&recorded::folder(kind), 100_000));
    own.chain(recorded.into_iter().flatten()).collect()
});

/// Everything that can be asked of a transcript.
fn answers(t: &Transcript) -> Value {
    let sessions: Vec<_> = t.sessions().iter().map(|s| format!("{s:?}")).collect();
    let of: Vec<_> = t.sessions().iter().map(|s| t.messages_of(&s.id).unwrap()).collect();
    let messages = (0..t.message_count()).map(|i| t.message(i).unwrap().unwrap().into_owned());
    json!({
        "format": t.format().map(Format::as_str),
        "session": t.session().map(String::from_utf8_lossy),
        "sessions": sessions,
        "messages": messages.map(|m| String::from_utf8_lossy(&m).into_owned()).collect::<Vec<_>>(),
        "of": of.iter().flatten().map(|m| String::from_utf8_lossy(m)).collect::<Vec<_>>(),
        "parts": format!("{:?}", t.parts()),
        "facts": format!("{:?}", t.messages()),
        "tools": t.tool_names(),
        "places": t.session_places(),
        "stats": t.stats(),
        "problems": t.problems(),
        "found": format!("{:?}", t.search(&Query::new("the", false), 20).unwrap()),
        "loops": t.loops(&Config::default()).unwrap().len(),
    })
}

fn messages(t: &Transcript) -> Vec<Value> {
    let text = |i| String::from_utf8_lossy(&t.message(i).unwrap().unwrap()).into_owned();
    let json = |i| serde_json::from_str(&text(i)).unwrap();
    (0..t.message_count()).map(json).collect()
}

/// Runs with a fixed time and counted ids.
fn counted<T>(run: impl FnOnce(&mut Env<'_>) -> T) -> T {
    let mut count = 0;
    let mut id = || {
        count += 1;
        format!("0198c3f0-8d5e-7cc1-b5d1-{count:012}")
    };
    run(&mut Env { now_ms: NOW, new_id: &mut id })
}

fn whole(bytes: &[u8]) -> Result<Value, String> {
    let opened = counted(|env| Transcript::open(bytes, TranscriptOptions::default(), env));
    opened.map(|t| answers(&t)).map_err(|e| e.to_string())
}

/// Pushes the pieces, and refreshes after those for which `refreshes` is true.
fn grown(
    bytes: &[u8],
    pieces: &[Range<usize>],
    refreshes: &dyn Fn(usize) -> bool,
    options: TranscriptOptions,
) -> Result<Value, String> {
    counted(|env| {
        let mut t = Transcript::new(options);
        t.refresh(env);
        for (i, piece) in pieces.iter().enumerate() {
            t.push(&bytes[piece.clone()], env).unwrap();
            if refreshes(i) {
                t.refresh(env);
                answers(&t);
            }
        }
        let end = t.end(env);
        let said = answers(&t);
        t.refresh(env);
        assert_eq!(answers(&t), said, "a refresh behind the end");
        end.map(|()| said).map_err(|e| e.to_string())
    })
}

fn host(bytes: &[u8]) -> TranscriptOptions {
    let copy = bytes.to_vec();
    let read = move |start: u64, end: u64| {
        let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
        copy.get(range).map(<[u8]>::to_vec).ok_or_else(|| "behind its end".to_owned())
    };
    TranscriptOptions { read: Some(Box::new(read)), ..TranscriptOptions::default() }
}

fn chunks(length: usize, of: usize) -> Vec<Range<usize>> {
    (0..of).step_by(length).map(|at| at..(at + length).min(of)).collect()
}

/// The ends of the lines of a file, or of the events of an SSE stream: nothing is incomplete there.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let is_sse = [&b"data:"[..], b"event:", b":", b"id:"].iter().any(|s| bytes.starts_with(s));
    let ends = (1..=bytes.len()).filter(|end| {
        if is_sse {
            bytes[..*end].ends_with(b"\n\n") || bytes[..*end].ends_with(b"\r\n\r\n")
        } else {
            bytes[end - 1] == b'\n'
        }
    });
    ends.collect()
}

/// A transcript of the bytes before a cut, refreshed but not ended.
fn so_far(bytes: &[u8], cut: usize) -> Transcript {
    counted(|env| {
        let mut t = Transcript::new(TranscriptOptions::default());
        t.push(&bytes[..cut], env).unwrap();
        t.refresh(env);
        t
    })
}

#[test]
fn every_recorded_file_is_the_same_in_the_end() {
    for file in ALL.iter() {
        let expected = whole(&file.bytes);
        let length = 1 + file.bytes.len() / 13;
        let pieces = chunks(length, file.bytes.len());
        let got = grown(&file.bytes, &pieces, &|_| true, TranscriptOptions::default());
        assert_eq!(got, expected, "{}", file.name);
        let got = grown(&file.bytes, &pieces, &|i| i % 2 == 1, host(&file.bytes));
        assert_eq!(got, expected, "{}, not held", file.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// For any pieces, any refreshes, and damaged bytes.
    #[test]
    fn refreshes_change_nothing_in_the_end(
        which in any::<prop::sample::Index>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..8),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        host_reads in any::<bool>(),
    ) {
        let mut bytes = which.get(&OWN).bytes.clone();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut cuts: Vec<(usize, bool)> =
            cuts.iter().map(|(at, refresh)| (at.index(bytes.len() + 1), *refresh)).collect();
        cuts.sort_unstable();
        let starts = std::iter::once(0).chain(cuts.iter().map(|cut| cut.0));
        let stops = cuts.iter().map(|cut| cut.0).chain([bytes.len()]);
        let pieces: Vec<_> = starts.zip(stops).map(|(from, to)| from..to).collect();
        let options = || if host_reads { host(&bytes) } else { TranscriptOptions::default() };
        let refresh = |i: usize| cuts.get(i).is_none_or(|cut| cut.1);
        let got = grown(&bytes, &pieces, &refresh, options());
        prop_assert_eq!(got, grown(&bytes, &pieces, &|_| false, options()));
    }
}

/// The paths at which two values differ, and the values of the first there.
fn differences(a: &Value, b: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let mut keys: Vec<_> = x.keys().chain(y.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                differences(&a[key.as_str()], &b[key.as_str()], &format!("{path}/{key}"), found);
            }
        }
        (Value::Array(x), Value::Array(y)) => {
            for i in 0..x.len().max(y.len()) {
                differences(&a[i], &b[i], &format!("{path}/*"), found);
            }
        }
        _ if a == b => {}
        _ => found.push((path.to_owned(), a.clone())),
    }
}

/// A refresh shows the same as a file that ends there, with two exceptions. An incomplete message is not
/// shown; of a file that ends there the first parts would be, and of a record the first messages. A streaming response stays open, while the
/// end of a file closes it: calls are pending, with their raw arguments, and there is no finish reason,
/// completion time or step-finish yet if the format gives these only with the next response (Gemini) or
/// in a further record (`[DONE]`).
#[test]
fn a_refresh_shows_a_recorded_file_up_to_there() {
    let (mut compared, mut unfinished) = (0, 0);
    for file in ALL.iter() {
        let all = counted(|env| Transcript::open(&file.bytes, TranscriptOptions::default(), env))
            .unwrap();
        let is_stream = matches!(all.format(), Some(Format::Stream(_)));
        let ends = ends(&file.bytes);
        for cut in ends.iter().step_by(1 + ends.len() / 12) {
            let t = so_far(&file.bytes, *cut);
            let opened = counted(|env| {
                Transcript::open(&file.bytes[..*cut], TranscriptOptions::default(), env)
            });
            if t.format().is_none() {
                assert_eq!(t.message_count(), 0);
                continue;
            }
            let expected = opened.as_ref().map(messages).unwrap_or_default();
            let got = messages(&t);
            let is_told = |words: &str| {
                let told = |t: &Transcript| t.problems().iter().any(|p| p.message.contains(words));
                opened.as_ref().is_ok_and(told)
            };
            // A record that is cut off may have several messages.
            if is_told("the last complete value") {
                assert!(got.len() <= expected.len(), "{} at {cut}", file.name);
            } else {
                let of_cut = usize::from(is_told("of message"));
                assert_eq!(got.len() + of_cut, expected.len(), "{} at {cut}", file.name);
            }
            for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
                if is_stream && got["info"]["time"]["completed"].is_null() {
                    let mut found = Vec::new();
                    differences(got, expected, "", &mut found);
                    let odd = found.iter().find(|(path, got)| match path.as_str() {
                        "/info/finish" | "/info/time/completed" | "/parts/*/time/end" => false,
                        // Arguments that are cut off are reported there once their call has ended.
                        "/parts/*" => !got.is_null(),
                        // So is state that is told when a block or the stream ends.
                        path if path.starts_with("/parts/*/metadata") => !got.is_null(),
                        path => !path.starts_with("/parts/*/state/"),
                    });
                    assert_eq!(odd, None, "{} at {cut}", file.name);
                    unfinished += 1;
                    continue;
                }
                assert_eq!(got, expected, "{} at {cut}, message {i}", file.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 100 && unfinished > 10, "{compared}, {unfinished}");
}

/// After every event of a stream of one response, a refresh shows the message of an assembler that got the
/// same events.
#[test]
fn a_recorded_response_is_what_an_assembler_has() {
    let (mut files, mut compared) = (0, 0);
    for file in ALL.iter() {
        let all = counted(|env| Transcript::open(&file.bytes, TranscriptOptions::default(), env))
            .unwrap();
        let Some(Format::Stream(format)) = all.format() else { continue };
        if all.message_count() != 1 {
            continue;
        }
        files += 1;
        let mut new_id = || "0198c3f0-8d5e-7cc1-b5d1-000000000001".to_owned();
        let id = new_id();
        let mut stream = Stream::new(StreamOptions {
            format: Some(format),
            run_id: Some(id.clone()),
            on_problem: Some(OnProblem::Collect),
            ..StreamOptions::default()
        });
        let mut t = Transcript::new(TranscriptOptions {
            format: all.format(),
            ..TranscriptOptions::default()
        });
        let mut from = 0;
        for end in ends(&file.bytes) {
            let piece = &file.bytes[from..end];
            from = end;
            stream.push_bytes(piece, NOW).unwrap();
            let mut env = Env { now_ms: NOW, new_id: &mut new_id };
            t.push(piece, &mut env).unwrap();
            t.refresh(&mut env);
            if t.message_count() == 0 {
                continue;
            }
            let context = MessageContext {
                session_id: &id,
                provider_id: format.as_str(),
                now_ms: NOW,
                keeps_empty_output: true,
                ..MessageContext::default()
            };
            let expected: Value =
                serde_json::from_str(&stream.to_with_parts(&context, &mut new_id)).unwrap();
            assert_eq!(messages(&t), [expected], "{} at {end}", file.name);
            compared += 1;
        }
    }
    assert!(files >= 5 && compared > 100, "{files} files, {compared} events");
}

/// Refreshes after each of the first bytes, while the format is a guess, do not change the result at the
/// end; and a guess shows the same messages as a file that ends there.
#[test]
fn a_recorded_file_is_shown_before_its_format_is_sure() {
    let mut early = 0;
    for file in ALL.iter() {
        let first = file.bytes.len().min(700);
        let mut pieces = chunks(1, first);
        pieces.push(first..file.bytes.len());
        let got = grown(&file.bytes, &pieces, &|_| true, TranscriptOptions::default());
        assert_eq!(got, whole(&file.bytes), "{}", file.name);
        let read = grown(&file.bytes, &pieces, &|_| true, host(&file.bytes));
        assert_eq!(read, whole(&file.bytes), "{}, not held", file.name);
        for cut in ends(&file.bytes).into_iter().filter(|cut| *cut < 256) {
            let t = so_far(&file.bytes, cut);
            let opened = counted(|env| {
                Transcript::open(&file.bytes[..cut], TranscriptOptions::default(), env)
            });
            let expected = opened.as_ref().map_or(0, Transcript::message_count);
            assert_eq!(t.message_count(), expected, "{} at {cut}", file.name);
            early += usize::from(expected > 0);
        }
    }
    assert!(early > 5, "{early} files showed so early");
}

/// If later bytes show another format, the file is read again.
#[test]
fn a_wrong_guess_is_replaced() {
    let line = r#"{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]}"#;
    let head = format!("{line}\n{}", " ".repeat(100));
    // Alone this is a message; with the rest of the line it is part of an export.
    let export = format!(r#"{{"info":{{"id":"s"}},"messages":[{line},{line}]}}"#);
    for (start, rest) in [(head.as_str(), line), export.split_at(20)] {
        let bytes = format!("{start}{rest}");
        let expected = whole(bytes.as_bytes());
        let pieces = [0..start.len(), start.len()..bytes.len()];
        assert_eq!(
            grown(bytes.as_bytes(), &pieces, &|_| true, TranscriptOptions::default()),
            expected
        );
    }
    // A format that was given is not a guess.
    counted(|env| {
        let given =
            TranscriptOptions { format: Some(Format::WithParts), ..TranscriptOptions::default() };
        let mut t = Transcript::new(given);
        t.push(line.as_bytes(), env).unwrap();
        t.push(b"\n", env).unwrap();
        t.refresh(env);
        assert_eq!(t.message_count(), 1);
        t.push(line.as_bytes(), env).unwrap();
        t.end(env).unwrap();
        assert_eq!(t.message_count(), 2);
    });
}

/// A file of broken records that is read under a guess takes no more ids than one that is read whole: the
/// braces of the first line begin a session as long as nothing better follows.
#[test]
fn a_wrong_guess_takes_no_id() {
    let bytes = b"{    },\n   p\",\n{\"\":\"\",\"role\":\"assistant\",\"parts\":[";
    let open = |pieces: &[Range<usize>]| {
        let options =
            TranscriptOptions { format: Some(Format::Messages), ..TranscriptOptions::default() };
        grown(bytes, pieces, &|_| true, options).unwrap()
    };
    let whole = open(&chunks(bytes.len(), bytes.len()));
    assert!(whole["messages"][0].as_str().unwrap().contains("-000000000001"), "{whole}");
    for length in 1..bytes.len() {
        assert_eq!(open(&chunks(length, bytes.len())), whole, "in pieces of {length} bytes");
    }
}

/// Pieces of records of several formats, none of which need fit to another.
const SCRAPS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    " ",
    "x",
    "{}",
    "oops",
    "{    },",
    "data: ",
    "event: a",
    "\n\n",
    "\"info\":{\"id\":\"m\",\"role\":\"user\"}",
    "\"parts\":[",
    "\"messages\":[",
    "{\"type\":\"text\"}",
    "{\"kind\":\"text\",\"payload\":{\"text\":\"a\"}}",
    "{\"role\":\"user\",\"parts\":[",
    "{\"runId\":\"r\",\"seq\":0,\"kind\":\"text\",\"payload\":{\"text\":\"a\"}}",
    "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"role\":\"assistant\"}}",
    "{\"info\":{\"id\":\"m\"},\"parts\":[{\"type\":\"text\",\"text\":\"a\"},oops,{\"type\":\"text\"}]}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a guess was, nothing of it is left when the file is read again.
    #[test]
    fn a_wrong_guess_leaves_nothing(
        scraps in prop::collection::vec(any::<prop::sample::Index>(), 2..12),
        given in prop::option::of(any::<prop::sample::Index>()),
        length in 1_usize..40,
        host_reads in any::<bool>(),
    ) {
        let rest: String = scraps.iter().map(|scrap| *scrap.get(SCRAPS)).collect();
        let text = format!("{{ {rest}");
        let bytes = text.as_bytes();
        let formats = ["with-parts", "messages", "deltas", "anthropic"].map(|name| Format::parse(name).unwrap());
        let format = given.map(|index| *index.get(&formats));
        let options = || {
            let own = if host_reads { host(bytes) } else { TranscriptOptions::default() };
            TranscriptOptions { format, ..own }
        };
        let pieces = chunks(length, bytes.len());
        let got = grown(bytes, &pieces, &|_| true, options());
        prop_assert_eq!(got, grown(bytes, &pieces, &|_| false, options()), "{:?} {}", format, text);
    }
}

/// Messages and parts keep their ids from refresh to refresh. Not so in trajectories: their first messages come last
/// in the file, and they have no ids of their own.
#[test]
fn ids_stay() {
    let has_order = |name: &str| !name.contains("events") && name != "swe-agent.txt";
    for file in ALL.iter().filter(|file| has_order(&file.name)) {
        let mut before: Vec<Vec<String>> = Vec::new();
        counted(|env| {
            let mut t = Transcript::new(TranscriptOptions::default());
            let ids = |t: &Transcript| -> Vec<Vec<String>> {
                let id = |v: &Value| v["id"].as_str().unwrap_or_default().to_owned();
                let of = |message: &Value| {
                    let parts = message["parts"].as_array().unwrap().iter().map(id);
                    std::iter::once(id(&message["info"])).chain(parts).collect()
                };
                messages(t).iter().map(of).collect()
            };
            let mut branches = 0;
            let mut check = |t: &Transcript| {
                let now = ids(t);
                let all = t.sessions();
                let count = all.iter().filter(|session| session.id.contains("/branch-")).count();
                if std::mem::replace(&mut branches, count) != count {
                    // The file took messages back: they are in a session of their own now.
                    before.truncate(now.len().min(1));
                }
                for (old, new) in before.iter().zip(&now) {
                    let lost: Vec<_> = old.iter().filter(|id| !new.contains(id)).collect();
                    assert!(lost.is_empty(), "{}: {lost:?}", file.name);
                    assert_eq!(old[0], new[0]);
                }
                assert!(now.len() >= before.len());
                before = now;
            };
            for piece in chunks(1 + file.bytes.len() / 20, file.bytes.len()) {
                t.push(&file.bytes[piece], env).unwrap();
                t.refresh(env);
                check(&t);
            }
            t.end(env).unwrap();
            check(&t);
        });
        assert!(!before.is_empty(), "{}", file.name);
    }
}

/// A refresh of a valid file that is cut anywhere has no errors.
#[test]
fn incomplete_input_is_not_an_error() {
    let mut good = 0;
    for file in OWN.iter() {
        let all = counted(|env| Transcript::open(&file.bytes, TranscriptOptions::default(), env))
            .unwrap();
        let errors = |t: &Transcript| -> Vec<String> {
            let all = t.problems().into_iter().filter(|p| p.severity == Severity::Error);
            all.map(|p| format!("{} {} {}", p.rule, p.path, p.message)).collect()
        };
        if !errors(&all).is_empty() {
            continue;
        }
        good += 1;
        for cut in (0..file.bytes.len()).step_by(1 + file.bytes.len() / 150) {
            let t = so_far(&file.bytes, cut);
            assert_eq!(errors(&t), Vec::<String>::new(), "{} at {cut}", file.name);
        }
    }
    assert!(good >= 12, "{good}");
}

/// A refused file stays refused; the error is returned at its end.
#[test]
fn a_refused_file_stays_refused() {
    for bytes in [&b"<!doctype html><html>"[..], b"\x1f\x8b\x08\0", b"[\0{\0"] {
        let long = [bytes, &[b' '; 600]].concat();
        counted(|env| {
            let mut t = Transcript::new(TranscriptOptions::default());
            t.push(&long, env).unwrap();
            t.refresh(env);
            assert_eq!((t.message_count(), t.problems().len(), t.format()), (0, 0, None));
            t.push(b"{\"info\":{},\"parts\":[]}\n", env).unwrap();
            t.refresh(env);
            assert_eq!(t.message_count(), 0);
            assert_eq!(t.end(env).unwrap_err().name(), "TranscriptError");
            t.refresh(env);
            assert_eq!(t.message_count(), 0);
        });
    }
}
