use crate::{Action, Channel, Config, Detector, LoopKind, Verdict};
use proptest::prelude::*;

fn text(text: &str) -> Verdict {
    Detector::new(Config::default()).text(text, Channel::Text)
}

/// Pushes the chunks character by character: the last verdict with a loop in each chunk, and the verdict
/// at the end.
fn one_by_one(chunks: &[&str]) -> (Vec<Option<Verdict>>, Verdict) {
    let mut detector = Detector::new(Config::default());
    let of_chunk = |chunk: &&str| {
        let mut last = None;
        for c in chunk.chars() {
            let verdict = detector.text(c.encode_utf8(&mut [0; 4]), Channel::Text);
            last = Some(verdict).filter(Verdict::is_detected).or(last);
        }
        last
    };
    (chunks.iter().map(of_chunk).collect(), detector.detect())
}

/// The same with whole chunks.
fn at_once(chunks: &[&str]) -> (Vec<Option<Verdict>>, Verdict) {
    let mut detector = Detector::new(Config::default());
    let of_chunk =
        |chunk: &&str| Some(detector.text(chunk, Channel::Text)).filter(Verdict::is_detected);
    (chunks.iter().map(of_chunk).collect(), detector.detect())
}

#[test]
fn a_chant_that_ended_within_a_chunk_is_found() {
    let building = "The build is still running. ".repeat(40) + "It has now finished.";
    for (given, unit, repeats) in [
        (building.as_str(), "The build is still running.", 40),
        (&("N".to_owned() + &"o".repeat(256) + "!"), "o", 256),
        (&("ha".repeat(128) + ", that is funny"), "ha", 128),
        (&("ü".repeat(48) + " end"), "ü", 48),
        (&("nope ".repeat(12) + "and no more"), "nope", 12),
        (&("über ".repeat(10) + "übel"), "über", 10),
        (&("I go on. ".repeat(11) + "```\ncode\n```\n"), "I go on.", 11),
        (&("I go on.\n".repeat(11) + "| a | b |\n"), "I go on.", 11),
    ] {
        let verdict = text(given);
        assert_eq!((verdict.kind, verdict.action), (Some(LoopKind::Chanting), Action::Interrupt));
        assert_eq!((verdict.pattern.as_str(), verdict.repeats), (unit, repeats), "{given}");
        assert_eq!(at_once(&[given]), one_by_one(&[given]), "{given}");
    }
    for harmless in ["Nooooooooo!", "hahahahahahahahaha, that is funny", "---------------- end"] {
        assert_eq!(text(harmless).kind, None, "{harmless}");
    }
}

/// The number of characters at which a repeated unit becomes a chant, whatever comes before it.
fn length_of_chant(unit: &str, before: &str) -> Option<usize> {
    let mut detector = Detector::new(Config::default());
    assert_eq!(detector.text(before, Channel::Text).kind, None);
    let mut characters = unit.chars().cycle().take(2_000);
    let is_chant = |c: char| detector.text(c.encode_utf8(&mut [0; 4]), Channel::Text).is_detected();
    characters.position(is_chant).map(|at| at + 1)
}

#[test]
fn a_chant_has_a_length() {
    let long = "a sentence that is longer than sixty-four characters, and it does not end. ";
    let unbroken = "ABCDEFGHIJKLMNOPQRSTUVWXYZ.abcdefghijklmnopqrstuvwxyz:0123456789-_+/*=();";
    for (unit, length) in [
        // Unbroken ASCII: masks, payloads, hidden passwords.
        ("f", 256),
        ("xy", 256),
        ("0f", 256),
        ("Ab1_", 256),
        // White space of any kind, or other characters than ASCII.
        ("a ", 48),
        ("no\n", 48),
        ("no\u{a0}", 48),
        ("ü", 48),
        ("😀x", 48),
        ("哈", 48),
        // Ten repeats, or six of a long unit, are longer.
        ("Once more. ", 110),
        (long, 6 * long.len()),
        (unbroken, 6 * unbroken.len()),
    ] {
        for before in ["", "Some words first:", "Wörter–"] {
            assert_eq!(length_of_chant(unit, before), Some(length), "{unit:?} after {before:?}");
        }
    }
    for harmless in ["1", "-", "1 2 ", "=-"] {
        assert_eq!(length_of_chant(harmless, ""), None, "{harmless}");
    }
}

#[test]
fn the_last_of_several_chants_is_returned() {
    let verdict = text(&("one ".repeat(12) + "and " + &"two ".repeat(13) + "and so on"));
    assert_eq!((verdict.pattern.as_str(), verdict.repeats), ("two", 13));
}

#[test]
fn a_unit_is_shown_as_it_began() {
    let mut detector = Detector::new(Config::default());
    let mut patterns = Vec::new();
    for c in ("Now: ".to_owned() + &"again and ".repeat(14)).chars() {
        let verdict = detector.text(c.encode_utf8(&mut [0; 4]), Channel::Text);
        patterns.extend(verdict.kind.map(|_| verdict.pattern));
    }
    patterns.dedup();
    assert_eq!(patterns, ["again and"]);
}

const UNITS: [&str; 20] = [
    "a",
    "ü",
    "ö",
    "ha",
    "no. ",
    "xxxxxxxxxxxxxxxxxxxxxxxx",
    "nope nope nope ",
    "I go on. ",
    "über 😀",
    "😁",
    "\n",
    "```\n",
    "````js\n",
    "`x` ",
    "> ",
    "| x |\n",
    "- | -\n",
    "x | y\n",
    "ein Satz, der länger ist als vierundsechzig Zeichen, und er hört nicht auf. ",
    "ein Satz mit Umlauten: ääääääääääöööööööööüüüüüüüüüüßßßßßß. ",
];

proptest! {
    /// However a text is cut, a chunk has a chant if one of its characters, pushed one by one, completes
    /// one, and it is the same chant; and the last verdict is the same.
    #[test]
    fn chants_do_not_depend_on_how_the_text_is_cut(
        runs in prop::collection::vec((0..UNITS.len(), 1usize..16), 1..12),
        sizes in prop::collection::vec(1usize..200, 1..12),
    ) {
        let text: String = runs.iter().map(|(unit, times)| UNITS[*unit].repeat(*times)).collect();
        let mut chunks = Vec::new();
        let (mut rest, mut sizes) = (text.as_str(), sizes.iter().cycle());
        while !rest.is_empty() {
            let size = sizes.next().unwrap();
            let end = rest.char_indices().nth(*size).map_or(rest.len(), |(at, _)| at);
            let (chunk, later) = rest.split_at(end);
            chunks.push(chunk);
            rest = later;
        }
        prop_assert_eq!(at_once(&chunks), one_by_one(&chunks));
        let (whole, last_of_whole) = at_once(&[&text]);
        let (cut, last_of_cut) = at_once(&chunks);
        prop_assert_eq!(whole.into_iter().flatten().last(), cut.into_iter().flatten().last());
        prop_assert_eq!(last_of_whole, last_of_cut);
    }

    #[test]
    fn any_text_gives_the_same_verdicts_however_it_is_cut(text in "[ab`|\n ü-]{0,80}", size in 1usize..9) {
        let chars: Vec<String> = text.chars().map(String::from).collect();
        let chunks: Vec<String> = chars.chunks(size).map(|chunk| chunk.concat()).collect();
        let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
        prop_assert_eq!(at_once(&chunks), one_by_one(&chunks));
    }
}
