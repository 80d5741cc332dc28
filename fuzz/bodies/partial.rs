//! The incremental reader of arguments, compared with serde_json, which reads the complete text.

use super::dice::{Dice, pieces};
use super::streams::is_beyond;
use apex_parts::assemble::{MessagePart, Stream, StreamOptions, Text};
use apex_parts::json::JsonError;
use apex_parts::json::partial::Partial;
use apex_parts::model::delta::{Payload, Piece};
use serde_json::Value;

/// The error of a text that may still become JSON; every other error is final.
const CUT: &str = "the text is cut off";

/// The result does not depend on the pieces; a complete text has the value that serde_json reads,
/// and is rejected if serde_json rejects it; previews are JSON and only grow; the depth is known
/// before a piece is read; and the assembler reports the same for a call's arguments.
pub fn partial_json(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut dice = Dice::new(data);
    let theirs = serde_json::from_str::<Value>(&text);
    let whole = read(&[&text]);
    let some = cut(&text, &mut dice);
    // The preview is parsed at every step, so a long text is not fed by characters.
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

/// The preview of the text, and whether the text is complete.
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

/// After each piece the preview is JSON and contains the previous preview; after an error it does
/// not change.
fn grows(pieces: &[&str], whole: &Result<Value, serde_json::Error>) {
    let (mut partial, mut raw) = (Partial::default(), Text::default());
    let mut before: Option<Value> = None;
    let mut settled: Option<String> = None;
    // If a name occurs twice its last value counts, so the preview may shrink.
    let once = whole.as_ref().is_ok_and(|value| entries(value) == colons(&pieces.concat()));
    for piece in pieces {
        partial.feed(piece);
        raw.append(&(*piece).into());
        let mut shown = String::new();
        partial.complete(&raw, &mut shown);
        let value = serde_json::from_str::<Value>(&shown);
        if let Err(error) = &value {
            // If serde_json accepts the complete text it accepts every preview.
            assert!(whole.is_err() && is_beyond(error), "{raw} is shown as {shown}: {error}");
        }
        if let Some(settled) = &settled {
            assert_eq!(&shown, settled, "after an error");
        } else if partial.finish().is_err_and(|error| error.message != CUT) && !partial.is_blank() {
            settled = Some(shown);
        } else if let (Some(before), Ok(now)) = (&before, &value) {
            let nothing_yet = before.as_object().is_some_and(|fields| fields.is_empty());
            let once = once || colons(&raw.to_string()) == entries(now);
            assert!(!once || nothing_yet || contains(now, before), "{before} became {now}");
        }
        before = value.ok();
    }
}

/// Whether `new` contains `old`. Strings and lists may be longer, and numbers may differ, because
/// their last digits may have been missing.
fn contains(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            old.iter().all(|(name, old)| new.get(name).is_some_and(|new| contains(new, old)))
        }
        (Value::Array(new), Value::Array(old)) => {
            new.len() >= old.len() && new.iter().zip(old).all(|(new, old)| contains(new, old))
        }
        (Value::String(new), Value::String(old)) => new.starts_with(old),
        (Value::Number(_), Value::Number(_)) => true,
        (new, old) => new == old,
    }
}

/// The number of fields of all objects in a value.
fn entries(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.values().map(|value| 1 + entries(value)).sum(),
        Value::Array(list) => list.iter().map(entries).sum(),
        _ => 0,
    }
}

/// The bytes of a JSON text outside its strings.
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

/// The number of fields in a JSON text, repeated names included.
fn colons(text: &str) -> usize {
    outside(text).filter(|byte| *byte == b':').count()
}

/// Before each piece of a valid text is read, its depth is known.
fn fits(pieces: &[&str], text: &str) {
    let mut partial = Partial::default();
    let mut end = 0;
    for piece in pieces {
        end += piece.len();
        // The greatest depth up to here; brackets in strings do not count.
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

/// The text cut anywhere, even inside a surrogate pair.
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

/// DC-7: the arguments of a call with this text.
fn arguments(text: &str, dice: &mut Dice) {
    let mut pieces = halves(text, dice);
    let mut text = text.to_owned();
    if dice.roll(4) == 0 {
        // A high surrogate whose low surrogate never comes.
        pieces.push(Piece { high: Some(0xd83d), ..Piece::default() });
        text.push(char::REPLACEMENT_CHARACTER);
    }
    let mut stream =
        Stream::new(StreamOptions { max_depth: Some(usize::MAX), ..StreamOptions::default() });
    let id = || "c".into();
    let start = [
        Payload::Start { model_id: "m".into(), request_id: "q".into() },
        Payload::ToolCallStart { id: id(), name: "t".into(), provider: None },
    ];
    let args = pieces.into_iter().map(|text| Payload::ToolCallArgs { id: id(), text });
    let end = [Payload::ToolCallEnd { id: id(), provider: None }];
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
