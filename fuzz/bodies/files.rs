//! What is read from files and displayed: JSON, transcripts, Markdown.

use apex_parts::json::tape::Tape;
use apex_parts::loops::Config;
use apex_parts::model::View;
use apex_parts::transcript::search::query::Query;
use apex_parts::transcript::{Env, Format, Transcript, TranscriptOptions};
use apex_parts::validate;

/// The tape accepts what serde_json accepts, rejects what it rejects, and has the same values.
pub fn json(data: &[u8]) {
    let mut tape = Tape::default();
    let ours = tape.read(data, 0);
    // serde_json has its own depth limit, and rejects invalid UTF-8, which the tape keeps.
    let Ok(text) = std::str::from_utf8(data) else { return };
    if nesting(data) > 100 {
        return;
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let theirs = stream.next();
    match (ours, theirs) {
        (Ok(end), Some(Ok(value))) => {
            assert_eq!(end, stream.byte_offset());
            let root = tape.root(data);
            let mut theirs = Vec::new();
            validate::transcript(&Some(&value), validate::Ids::Apex, &mut theirs);
            let mut ours = Vec::new();
            validate::transcript(&root, validate::Ids::Apex, &mut ours);
            assert_eq!(ours, theirs);
            assert_eq!(root.kind(), Some(&value).kind());
        }
        (Err(_), Some(Err(_)) | None) => {}
        // serde_json rejects a number too large for a double; the tape accepts it.
        (Ok(_), Some(Err(error))) if error.to_string().contains("number out of range") => {}
        // `01`: the tape reads the 0 and leaves the rest to its caller.
        (Ok(end), Some(Err(_))) if data.get(end).is_some_and(u8::is_ascii_digit) => {}
        // serde_json's stream rejects characters directly after a scalar.
        (Ok(_), Some(Err(error))) if error.to_string().contains("trailing characters") => {}
        // serde_json rejects a lone surrogate; JavaScript and the tape accept it.
        (Ok(_), Some(Err(error))) if error.to_string().contains("surrogate") => {}
        (Ok(_), Some(Err(error))) if error.to_string().contains("unexpected end of hex escape") => {
        }
        (ours, theirs) => panic!("ours {ours:?}, theirs {theirs:?}"),
    }
}

fn nesting(data: &[u8]) -> usize {
    data.iter().filter(|b| matches!(b, b'{' | b'[')).count()
}

/// Everything that a transcript's API returns, as text.
fn answers(t: &Transcript) -> String {
    let problems = t.problems();
    let messages: Vec<_> = (0..t.message_count()).map(|i| t.message(i).unwrap().unwrap()).collect();
    let first = t.messages().iter().map(|m| m.first_part as usize).max();
    assert!(first.is_none_or(|f| f <= t.part_count()));
    let stats = serde_json::to_string(&t.stats()).unwrap();
    let mut of = 0;
    for session in t.sessions() {
        of += t.messages_of(&session.id).unwrap().len();
    }
    let found = t.search(&Query::new("a", false), 100).unwrap();
    let loops = t.loops(&Config::default()).unwrap().len();
    let format = t.format();
    format!("{format:?} {messages:?} {:?} {stats} {of} {found:?} {loops} {problems:?}", t.parts())
}

fn opened(
    pieces: &mut dyn Iterator<Item = &[u8]>,
    options: TranscriptOptions,
    refresh: bool,
) -> Result<String, String> {
    let mut count = 0;
    let mut id = || {
        count += 1;
        format!("0198c3f0-8d5e-7cc1-b5d1-{count:012}")
    };
    let mut env = Env { now_ms: 1_700_000_000_000.0, new_id: &mut id };
    let mut t = Transcript::new(options);
    let mut length = 0;
    for (i, piece) in pieces.enumerate() {
        length += piece.len();
        t.push(piece, &mut env).unwrap();
        // Each refresh takes time in proportion to what was read, so there are only a few.
        if refresh && (i + 1).is_power_of_two() {
            t.refresh(&mut env);
            answers(&t);
        }
    }
    t.end(&mut env).map_err(|e| e.to_string())?;
    for problem in t.problems() {
        assert!(problem.offset.is_none_or(|offset| offset <= length as f64), "{problem:?}");
    }
    Ok(answers(&t))
}

/// Any bytes open as a transcript or give an error, its API does not fail, and the result is the
/// same if the bytes come in pieces, are read through the host, or are refreshed between pieces.
pub fn transcript(data: &[u8]) {
    transcript_as(None, data);
}

/// The same in a format, where one is given.
pub(super) fn transcript_as(format: Option<Format>, data: &[u8]) {
    let given = || TranscriptOptions { format, ..TranscriptOptions::default() };
    let whole = opened(&mut std::iter::once(data), given(), false);
    let length = 1 + data.first().map_or(0, |b| usize::from(*b) % 61);
    assert_eq!(opened(&mut data.chunks(length), given(), false), whole);
    assert_eq!(opened(&mut data.chunks(1 + length * 7), given(), true), whole);
    let copy = data.to_vec();
    let read = move |start: u64, end: u64| {
        let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
        copy.get(range).map(<[u8]>::to_vec).ok_or_else(|| "after its end".to_owned())
    };
    let host = TranscriptOptions { read: Some(Box::new(read)), ..given() };
    assert_eq!(opened(&mut data.chunks(length), host, false), whole);
}

/// The same for bytes that begin like an archive.
pub fn archive(data: &[u8]) {
    const ENTRY: &[u8] = b"PK\x03\x04";
    if data.starts_with(ENTRY) {
        return transcript(data);
    }
    transcript(&[ENTRY, data].concat());
}

/// No Markdown becomes HTML with a tag or an attribute that could execute something.
pub fn markdown(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let html =
        apex_parts::convert::markdown_to_html(&text).unwrap_or_default().to_ascii_lowercase();
    for tag in
        ["<script", "<iframe", "<object", "<embed", "<svg", "<math", "<style", "<form", "<base"]
    {
        assert!(!html.contains(tag), "{tag} in {html}");
    }
    for piece in html.split('<').skip(1) {
        let tag = piece.split('>').next().unwrap_or_default();
        for attribute in ["href=\"", "src=\""] {
            if let Some(url) = tag.split(attribute).nth(1) {
                let allowed = ["http://", "https://", "mailto:", "#", "data:image/"];
                assert!(allowed.iter().any(|a| url.trim_start().starts_with(a)), "{tag}");
            }
        }
    }
}
