//! The incremental reader of arguments, against serde_json, which reads the whole.

use super::dice::{Dice, pieces};
use super::streams::is_beyond;
use apex_parts::assemble::{MessagePart, Stream, StreamOptions, Text};
use apex_parts::json::JsonError;
use apex_parts::json::partial::Partial;
use apex_parts::model::delta::{Payload, Piece};
use serde_json::Value;

/// What is cut off may still become JSON; every other error is final.
const CUT: &str = "the text is cut off";

/// Pieces do not matter; a whole text is what serde_json makes of it, and refused where serde_json
/// refuses it; what is shown on the way is JSON and only grows; the depth is known beforehand; and
/// the assembler says so of a call's arguments.
pub fn partial_json(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut dice = Dice::of(data);
    let theirs = serde_json::from_str::<Value>(&text);
    let whole = read(&[&text]);
    let some = cut(&text, &mut dice);
    // What is shown is read anew at every step: not a thousand times.
    let chars =
        if text.len() > 1000 { vec![&*text] } else { text.split_inclusive(|_| true).collect() };
    for pieces in [&chars, &some] {
        assert_eq!(read(pieces), whole, "in pieces: {text:?}");
        grows(pieces, &theirs);
    }
    let (shown, verdict) = &whole;
    match &theirs {
        Ok(value) => {
            assert_eq!(*verdict, Ok(()), "{text:?}");
            assert_eq!(&serde_json::from_str::<Value>(shown).expect("it is JSON"), value);
            fits(&some, &text);
        }
        Err(error) => assert!(verdict.is_err() || is_beyond(error), "{text:?}: {error}"),
    }
    arguments(&text, &mut dice);
}

/// What is shown of the text, and whether it is whole.
fn read(pieces: &[&str]) -> (String, Result<(), JsonError>) {
    let (mut partial, mut raw) = (Partial::default(), Text::default());
    for piece in pieces {
        partial.feed(piece);
        raw.append(&(*piece).into());
    }
    let mut shown = String::new();
    partial.complete(&raw, &mut shown);
    (shown, partial.finish())
}

/// The text cut between characters.
fn cut<'t>(text: &'t str, dice: &mut Dice) -> Vec<&'t str> {
    let mut cuts = dice.cuts(text.len());
    for cut in &mut cuts {
        while !text.is_char_boundary(*cut) {
            *cut -= 1;
        }
    }
    let pieces = pieces(text.as_bytes(), &cuts);
    pieces.into_iter().map(|piece| std::str::from_utf8(piece).unwrap_or_default()).collect()
}

/// After each piece what is shown is JSON, and holds all that was shown before; after a mistake it
/// stays as it is.
fn grows(pieces: &[&str], whole: &Result<Value, serde_json::Error>) {
    let (mut partial, mut raw) = (Partial::default(), Text::default());
    let mut before: Option<Value> = None;
    let mut settled: Option<String> = None;
    // Of a name that comes twice the last value counts: that is no growth.
    let once = whole.as_ref().is_ok_and(|value| entries(value) == colons(&pieces.concat()));
    for piece in pieces {
        partial.feed(piece);
        raw.append(&(*piece).into());
        let mut shown = String::new();
        partial.complete(&raw, &mut shown);
        let value = serde_json::from_str::<Value>(&shown);
        if let Err(error) = &value {
            // What serde_json takes as a whole it takes at every step.
            assert!(whole.is_err() && is_beyond(error), "{raw} is shown as {shown}: {error}");
        }
        if let Some(settled) = &settled {
            assert_eq!(&shown, settled, "after a mistake");
        } else if partial.finish().is_err_and(|error| error.message != CUT) && !partial.is_blank() {
            settled = Some(shown);
        } else if let (Some(before), Ok(now)) = (&before, &value) {
            let nothing_yet = before.as_object().is_some_and(|fields| fields.is_empty());
            let once = once || colons(&raw.to_string()) == entries(now);
            assert!(!once || nothing_yet || holds(now, before), "{before} became {now}");
        }
        before = value.ok();
    }
}

/// Is everything of `old` in `new`? Strings and lists may be longer, numbers may be others: their
/// last digits have not come.
fn holds(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            old.iter().all(|(name, old)| new.get(name).is_some_and(|new| holds(new, old)))
        }
        (Value::Array(new), Value::Array(old)) => {
            new.len() >= old.len() && new.iter().zip(old).all(|(new, old)| holds(new, old))
        }
        (Value::String(new), Value::String(old)) => new.starts_with(old),
        (Value::Number(_), Value::Number(_)) => true,
        (new, old) => new == old,
    }
}

/// The fields of all objects in a value.
fn entries(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.values().map(|value| 1 + entries(value)).sum(),
        Value::Array(list) => list.iter().map(entries).sum(),
        _ => 0,
    }
}

/// The bytes of a JSON text that stand outside of its strings.
fn outside(text: &str) -> impl Iterator<Item = u8> {
    let (mut inside, mut escaped) = (false, false);
    text.bytes().filter(move |byte| {
        let was = inside;
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            _ => {}
        }
        !was
    })
}

/// The fields that a JSON text writes down.
fn colons(text: &str) -> usize {
    outside(text).filter(|byte| *byte == b':').count()
}

/// Before each piece of a good text it is known how deep it goes.
fn fits(pieces: &[&str], text: &str) {
    let mut partial = Partial::default();
    let mut end = 0;
    for piece in pieces {
        end += piece.len();
        // Up to here the text is at its deepest so deep: brackets in strings do not count.
        let deepest = outside(&text[..end]).scan(0_usize, |depth, byte| {
            match byte {
                b'{' | b'[' => *depth += 1,
                b'}' | b']' => *depth -= 1,
                _ => {}
            }
            Some(*depth)
        });
        let deepest = deepest.max().unwrap_or_default();
        assert!(partial.fits(piece, deepest), "{text:?}: {piece:?} within {deepest}");
        let mut whole = Partial::default();
        assert!(whole.fits(&text[..end], deepest));
        assert!(deepest == 0 || !whole.fits(&text[..end], deepest - 1), "{text:?}");
        partial.feed(piece);
        whole.feed(&text[..end]);
    }
}

/// The text cut anywhere, even between the halves of a surrogate pair.
fn halves<'t>(text: &str, dice: &mut Dice) -> Vec<Piece<'t>> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut at = 0;
    let mut found = Vec::new();
    for cut in dice.cuts(units.len()).into_iter().chain([units.len()]) {
        let units = &units[at..cut];
        let low = units.first().filter(|unit| (0xdc00..0xe000).contains(*unit));
        let units = &units[usize::from(low.is_some())..];
        let high = units.last().filter(|unit| (0xd800..0xdc00).contains(*unit));
        let inner = &units[..units.len() - usize::from(high.is_some())];
        let text = String::from_utf16_lossy(inner).into();
        found.push(Piece { low: low.copied(), text, high: high.copied() });
        at = cut;
    }
    found
}

/// DC-7: what a call makes of this text of its arguments.
fn arguments(text: &str, dice: &mut Dice) {
    let mut pieces = halves(text, dice);
    let mut text = text.to_owned();
    if dice.roll(4) == 0 {
        // A half that waits for its other half in vain.
        pieces.push(Piece { high: Some(0xd83d), ..Piece::default() });
        text.push(char::REPLACEMENT_CHARACTER);
    }
    let mut stream =
        Stream::new(StreamOptions { max_depth: Some(usize::MAX), ..StreamOptions::default() });
    let id = || "c".into();
    let start = [
        Payload::Start { model_id: "m".into(), request_id: "q".into() },
        Payload::ToolCallStart { id: id(), name: "t".into() },
    ];
    let args = pieces.into_iter().map(|text| Payload::ToolCallArgs { id: id(), text });
    let end = [Payload::ToolCallEnd { id: id() }];
    for (seq, payload) in start.into_iter().chain(args).chain(end).enumerate() {
        stream.push_delta(seq as i64, "", payload).expect("no rule is broken");
    }
    let preview = stream.preview();
    let part = preview.parts().next();
    let Some(MessagePart::ToolCall { arguments, raw, .. }) = part else { panic!("{part:?}") };
    let (arguments, raw) = (arguments.to_json(), raw.map(ToString::to_string));
    let mut meta = String::new();
    preview.write_meta(&mut meta);
    let meta: Value = serde_json::from_str(&meta).expect("it is JSON");
    let blank = text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    let verdict = read(&[&text]).1;
    if verdict.is_ok() || blank {
        let want = if blank { "{}" } else { &text };
        assert_eq!((arguments.as_str(), raw), (want, None));
        assert_eq!(meta.get("parseErrors"), None);
        return;
    }
    assert_eq!((arguments.as_str(), raw.as_deref()), ("{}", Some(&*text)));
    let error = &meta["parseErrors"][0];
    assert_eq!(error["toolCallId"], "c");
    let at = verdict.map_or_else(|error| error.offset, |()| text.len());
    assert_eq!(error["offset"], text[..at].encode_utf16().count(), "{text:?}");
}
