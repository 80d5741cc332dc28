//! What is read from files, and shown: JSON, transcripts, Markdown.

use apex_parts::check;
use apex_parts::model::View;
use apex_parts::transcript::json::Tape;
use apex_parts::transcript::{Options, Transcript};

/// The tape accepts what serde_json accepts, refuses what it refuses, and holds the same.
pub fn json(data: &[u8]) {
    let mut tape = Tape::default();
    let ours = tape.read(data, 0);
    // serde_json has its own limit of depth, and refuses invalid UTF-8, which we keep for later.
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
            check::transcript(&Some(&value), check::Ids::Apex, &mut theirs);
            let mut ours = Vec::new();
            check::transcript(&root, check::Ids::Apex, &mut ours);
            assert_eq!(ours, theirs);
            assert_eq!(root.kind(), Some(&value).kind());
        }
        (Err(_), Some(Err(_)) | None) => {}
        // A number too large for a double is an error there and a number here.
        (Ok(_), Some(Err(error))) if error.to_string().contains("number out of range") => {}
        // `01`: we read the 0 and leave what is behind it to whoever asked.
        (Ok(end), Some(Err(_))) if data.get(end).is_some_and(u8::is_ascii_digit) => {}
        // A scalar may have something stuck to it, which the reader of a stream refuses.
        (Ok(_), Some(Err(error))) if error.to_string().contains("trailing characters") => {}
        // serde_json refuses a lone surrogate; JavaScript does not, and neither do we.
        (Ok(_), Some(Err(error))) if error.to_string().contains("surrogate") => {}
        (Ok(_), Some(Err(error))) if error.to_string().contains("unexpected end of hex escape") => {
        }
        (ours, theirs) => panic!("ours {ours:?}, theirs {theirs:?}"),
    }
}

fn nesting(data: &[u8]) -> usize {
    data.iter().filter(|b| matches!(b, b'{' | b'[')).count()
}

/// Whatever the bytes are, a transcript opens or says why not, and all that can be asked of it is
/// answered.
pub fn transcript(data: &[u8]) {
    let Ok(t) = Transcript::open(data.to_vec(), Options::default()) else { return };
    let problems = t.problems();
    assert!(problems.iter().all(|p| p.offset.is_some()));
    for i in 0..t.message_count() {
        assert!(t.message(i).is_some());
    }
    let first = t.messages().iter().map(|m| m.first_part).max();
    assert!(first.is_none_or(|f| f <= t.part_count()));
    assert!(serde_json::to_string(t.stats()).is_ok());
}

/// No Markdown gives a tag or an attribute that could run something.
pub fn markdown(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let html = apex_parts::convert::markdown_to_html(&text).to_ascii_lowercase();
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
