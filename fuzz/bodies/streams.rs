//! The invariants of streams for any bytes, in every format: nothing panics, the result does not
//! depend on the chunks, a snapshot can be taken anywhere, changes add up to the preview, and a
//! thrown violation loses nothing.

use super::dice::{Dice, pieces};
use super::readers::spelling;
use apex_parts::assemble::{
    Change, MessageContext, MessagePart, MessageStatus, OnDuplicate, OnProblem, Stream,
    StreamOptions, read_deltas,
};
use apex_parts::wire::{Provider, ThinkTags, WireFormat};
use serde_json::Value;

const NOW: f64 = 1_739_781_000_000.0;

/// The invariants of streams for the format of a provider, whose reader does not depend on the spelling. The first
/// byte chooses the provider, so that one target is enough for all of them.
pub fn provider(data: &[u8]) {
    let [first, stream @ ..] = data else { return };
    let format = Provider::ALL[usize::from(*first) % Provider::ALL.len()];
    of_format(WireFormat::Provider(format), stream);
    spelling(format, stream);
}

/// The invariants of streams.
pub(super) fn of_format(format: WireFormat, data: &[u8]) {
    let mut dice = Dice::new(data);
    let options = options(format, &mut dice);
    let whole = whole(&options, data);
    check(&whole);
    split(&options, data, &mut dice, &whole);
    snapshot(&options, data, &mut dice, &whole);
    throw(&options, data, &mut dice, &whole);
    let deltas = read_deltas(data, &options, NOW, &mut || "r".to_owned());
    good_json(&deltas.expect("collected problems are not thrown"));
}

/// Options that collect problems; sometimes with small limits.
fn options(format: WireFormat, dice: &mut Dice) -> StreamOptions {
    let tight = dice.roll(4) == 0;
    StreamOptions {
        format: Some(format),
        run_id: (format != WireFormat::Delta).then(|| "r".to_owned()),
        on_problem: Some(OnProblem::Collect),
        on_duplicate: (dice.roll(4) == 0).then_some(OnDuplicate::Ignore),
        max_bytes: tight.then(|| 64 + dice.roll(2048)),
        max_depth: tight.then(|| 2 + dice.roll(6)),
        think_tags: (dice.roll(4) == 0)
            .then(|| ThinkTags { tag: "think".to_owned(), open: dice.roll(2) == 0 }),
    }
}

/// Everything that a stream's API returns.
#[derive(PartialEq, Debug)]
pub(super) struct Seen {
    status: &'static str,
    preview: String,
    message: Option<String>,
    with_parts: String,
    problems: Vec<String>,
}

pub(super) fn seen(stream: &mut Stream) -> Seen {
    // All ids are the same, so it does not matter how often one is requested.
    let with_parts = stream.to_with_parts(&MessageContext::default(), &mut || "id".to_owned());
    Seen {
        status: stream.status().as_str(),
        preview: stream.preview().to_json(),
        message: stream.message().map(|message| message.to_json()),
        with_parts,
        problems: stream.problems().iter().map(ToString::to_string).collect(),
    }
}

fn whole(options: &StreamOptions, data: &[u8]) -> Seen {
    let mut stream = Stream::new(options.clone());
    stream.push_bytes(data, NOW).expect("collected problems are not thrown");
    stream.end(NOW);
    seen(&mut stream)
}

/// The output is JSON, and is consistent.
fn check(seen: &Seen) {
    for json in seen.message.iter().chain([&seen.preview, &seen.with_parts]) {
        good_json(json);
    }
    let done = seen.status == MessageStatus::Done.as_str();
    assert_eq!(seen.message.as_ref(), done.then_some(&seen.preview));
    assert!(
        done || seen.status == MessageStatus::Error.as_str(),
        "an ended stream is done or failed"
    );
}

/// The text is JSON for JavaScript, which accepts more than serde_json.
fn good_json(text: &str) {
    if let Err(error) = serde_json::from_str::<Value>(text) {
        assert!(is_beyond(&error), "{error}: {text}");
    }
}

/// Whether the error is only a limit of serde_json, which rejects lone surrogates, numbers that are
/// too large for a double, and deep nesting.
pub(super) fn is_beyond(error: &serde_json::Error) -> bool {
    let error = error.to_string();
    ["surrogate", "end of hex escape", "number out of range", "recursion limit"]
        .iter()
        .any(|reason| error.contains(reason))
}

// ── The result does not depend on the chunks, and changes add up to the preview ────────────────

fn split(options: &StreamOptions, data: &[u8], dice: &mut Dice, whole: &Seen) {
    let mut stream = Stream::new(options.clone());
    let mut screen = Screen::default();
    for piece in pieces(data, &dice.cuts(data.len())) {
        stream.push_bytes(piece, NOW).expect("collected problems are not thrown");
        if dice.roll(3) > 0 {
            screen.draw(&stream.take_changes());
            screen.compare(&stream);
        }
    }
    stream.end(NOW);
    screen.draw(&stream.take_changes());
    screen.compare(&stream);
    assert!(stream.take_changes().is_empty(), "a change is returned once");
    assert_eq!(&seen(&mut stream), whole, "in pieces");

    if data.len() > 2048 {
        return; // byte by byte it would take too long, and most of it is text
    }
    let mut stream = Stream::new(options.clone());
    for byte in data.chunks(1) {
        stream.push_bytes(byte, NOW).expect("collected problems are not thrown");
    }
    stream.end(NOW);
    assert_eq!(&seen(&mut stream), whole, "byte by byte");
}

/// What a screen shows after changes.
#[derive(Default)]
struct Screen {
    parts: Vec<Shown>,
    status: MessageStatus,
}

/// A part on the screen. The parsed arguments of an open call are not compared, because changes
/// have only their text.
#[derive(PartialEq, Debug)]
struct Shown {
    kind: &'static str,
    grows: Option<String>,
    rest: String,
}

impl Shown {
    fn new(part: &MessagePart<'_>) -> Shown {
        let kind = part.kind();
        let whole: serde_json::Value = serde_json::from_str(&part.to_json()).expect("JSON");
        let state = whole["payload"]["provider"].to_string();
        match part {
            MessagePart::Text { text, .. } | MessagePart::Thinking { text, .. } => {
                Shown { kind, grows: Some(text.to_string()), rest: state }
            }
            MessagePart::ToolCall { id, name, raw: Some(raw), .. } => {
                Shown { kind, grows: Some(raw.to_string()), rest: format!("{id} {name} {state}") }
            }
            whole @ (MessagePart::ToolCall { raw: None, .. } | MessagePart::Custom { .. }) => {
                Shown { kind, grows: None, rest: whole.to_json() }
            }
        }
    }
}

impl Screen {
    fn draw(&mut self, changes: &[Change<'_>]) {
        for change in changes {
            match change {
                Change::Add { part, value } => {
                    assert_eq!(*part, self.parts.len(), "parts come in their order");
                    self.parts.push(Shown::new(value));
                }
                Change::Set { part, value } => self.parts[*part] = Shown::new(value),
                Change::Append { part, field, text } => {
                    let shown = &mut self.parts[*part];
                    assert!(!text.is_empty());
                    assert_eq!(field.as_str() == "args", shown.kind == "tool_call");
                    shown.grows.as_mut().expect("it grows").push_str(text);
                }
                Change::Remove { part } => {
                    self.parts.pop();
                    assert_eq!(*part, self.parts.len(), "the last part goes");
                }
                Change::Status(status) => {
                    assert_ne!(*status, self.status, "the status changed");
                    self.status = *status;
                }
            }
        }
    }

    fn compare(&self, stream: &Stream) {
        let parts: Vec<Shown> = stream.preview().parts().map(|part| Shown::new(&part)).collect();
        assert_eq!(self.parts, parts, "the changes and the preview");
        assert_eq!(self.status, stream.status());
    }
}

// ── A snapshot can be taken anywhere ────────────────────────────────────────────────────────────

fn snapshot(options: &StreamOptions, data: &[u8], dice: &mut Dice, whole: &Seen) {
    let (first, rest) = data.split_at(dice.roll(data.len() + 1));
    let mut stream = Stream::new(options.clone());
    stream.push_bytes(first, NOW).expect("collected problems are not thrown");
    let saved = stream.snapshot();
    let mut again =
        Stream::restore(&saved, StreamOptions::default()).expect("a snapshot is restored");
    // First, because ids of parts that are asked for are kept.
    assert_eq!(again.snapshot(), saved, "the snapshot of what was restored");
    assert_eq!(seen(&mut again), seen(&mut stream), "after {} bytes", first.len());
    let mut screen = Screen::default();
    screen.draw(&again.take_changes());
    screen.compare(&again);
    again.push_bytes(rest, NOW).expect("collected problems are not thrown");
    again.end(NOW);
    screen.draw(&again.take_changes());
    screen.compare(&again);
    assert_eq!(&seen(&mut again), whole, "cut after {} bytes", first.len());
    // An ended stream is restored too.
    let mut ended =
        Stream::restore(&again.snapshot(), StreamOptions::default()).expect("it is restored");
    assert_eq!(&seen(&mut ended), whole);
    // Any bytes are a snapshot or an error.
    let _ = Stream::restore(data, options.clone());
}

// ── A thrown violation loses nothing ────────────────────────────────────────────────────────────

/// The rules that a violation may name.
const RULES: &[&str] = &["DC-1", "DC-2", "DC-3", "DC-4", "DC-6", "DC-8", "schema", "json", "limit"];

/// A host that catches every violation and continues gets the result of one that collects them.
fn throw(options: &StreamOptions, data: &[u8], dice: &mut Dice, whole: &Seen) {
    let options = StreamOptions { on_problem: Some(OnProblem::Throw), ..options.clone() };
    let mut stream = Stream::new(options);
    let mut caught = 0;
    for piece in pieces(data, &dice.cuts(data.len())) {
        let mut result = stream.push_bytes(piece, NOW);
        while let Err(violation) = result {
            assert!(
                RULES.contains(&violation.rule) && !violation.message.is_empty(),
                "{violation:?}"
            );
            caught += 1;
            assert!(caught <= data.len(), "no record is a violation twice");
            if dice.roll(4) == 0 {
                // The rest of the piece is a part of the state.
                let saved = stream.snapshot();
                stream = Stream::restore(&saved, StreamOptions::default()).expect("it is restored");
                assert_eq!(stream.snapshot(), saved);
            }
            // Reads that rest.
            result = stream.push_bytes(b"", NOW);
        }
    }
    stream.end(NOW);
    let seen = seen(&mut stream);
    assert_eq!(
        (&seen.status, &seen.preview, &seen.message, &seen.with_parts),
        (&whole.status, &whole.preview, &whole.message, &whole.with_parts)
    );
}
