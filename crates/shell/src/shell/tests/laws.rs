//! A denied inner command is denied under every wrapper, quoting and spacing.

use super::*;
use proptest::prelude::*;

/// A word in one of its spellings.
fn quoted(word: &'static str) -> impl Strategy<Value = String> {
    let piece = |c: char, kind: u8| match kind {
        0 => c.to_string(),
        1 => ['\\', c].iter().collect(),
        2 => ['\'', c, '\''].iter().collect(),
        3 => ['"', c, '"'].iter().collect(),
        4 => ["$'\\x", &format!("{:02x}", c as u32), "'"].concat(),
        5 => ["$\"", &c.to_string(), "\""].concat(),
        6 => ["''", &c.to_string()].concat(),
        _ => ["\\\n", &c.to_string()].concat(),
    };
    prop::collection::vec(0..8_u8, word.len())
        .prop_map(move |kinds| word.chars().zip(kinds).map(|(c, kind)| piece(c, kind)).collect())
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![" ", "  ", "\t", " \\\n", " \t "])
}

/// A text within single quotes.
fn single(text: &str) -> String {
    ["'", &text.replace('\'', "'\\''"), "'"].concat()
}

/// The words of `rm`, spelled in some way; no reserved word.
fn rm() -> impl Strategy<Value = String> {
    let names = prop::sample::select(vec!["rm", "/bin/rm", "./rm"]);
    (names, blank(), "[a-z]{1,4}").prop_flat_map(|(name, blank, file)| {
        quoted(name).prop_map(move |name| [&name, blank, "-f ", &file].concat())
    })
}

/// Puts something around a command line. Those from `LINES` on take any line, the others one simple command.
fn around(line: &str, kind: usize, blank: &str, end: &str) -> String {
    let simple = [
        "A=1",
        "sudo",
        "sudo -u root",
        "env",
        "env -i B=2",
        "nohup",
        "nice -n 3",
        "timeout -k 1 5s",
        "time",
        "command",
        "exec",
        "stdbuf -oL",
        "setsid",
        "xargs -0",
        "doas",
        "builtin",
        "2>&1",
        ">o",
        "A=1 B=\"x y\"",
        "\\sudo",
        "/usr/bin/env",
        "'nohup'",
    ];
    if let Some(wrapper) = simple.get(kind) {
        return [wrapper, blank, line].concat();
    }
    match kind - simple.len() {
        0 => ["find . -exec ", line, " {} \\;"].concat(),
        1 => ["bash -c ", &single(line)].concat(),
        2 => ["eval ", &single(line)].concat(),
        3 => ["{ ", line, "; }"].concat(),
        // Two parentheses side by side are arithmetic.
        4 => ["( ", line, ")"].concat(),
        5 => ["echo \"$( ", line, ")\""].concat(),
        6 => ["if true; then", blank, line, "\nfi"].concat(),
        7 => ["cat <<X", end, "\n$( ", line, ")\nX", end, "\n"].concat(),
        8 => ["ls &&", blank, line].concat(),
        9 => ["ls\n", line].concat(),
        10 => ["x=(a $( ", line, "))"].concat(),
        11 => ["case x in x) ", line, " ;; esac"].concat(),
        12 => ["cat <( ", line, ")"].concat(),
        13 => ["trap ", &single(line), " EXIT"].concat(),
        14 => ["f() { ", line, "\n}"].concat(),
        15 => ["! ", line, " | cat"].concat(),
        16 => ["echo ${x:-$( ", line, ")}"].concat(),
        17 => ["for i in 1; do ", line, "; done"].concat(),
        18 => ["sh <<'EOF", end, "'\n", line, "\nEOF", end, "\n"].concat(),
        _ => ["coproc { ", line, "; }"].concat(),
    }
}

/// The kinds that take a simple command only, and all.
const SIMPLE: usize = 23;
const LINES: usize = 42;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_denied_command_is_denied_under_every_wrapper_quoting_and_spacing(
        rm in rm(),
        simple in prop::collection::vec((0..SIMPLE, blank()), 0..4),
        lines in prop::collection::vec((SIMPLE..LINES, blank()), 0..4),
    ) {
        let mut text = rm;
        for (i, (kind, blank)) in simple.into_iter().chain(lines).enumerate() {
            text = around(&text, kind, blank, &i.to_string());
        }
        let request = request(&text);
        prop_assert!(denies_rm(&request), "{text}\n{request:#?}");
    }

    #[test]
    fn words_survive_quoting(words in prop::collection::vec("[ -~éß\n]{0,6}", 0..5)) {
        let mut text = "a".to_owned();
        let mut expected = vec![Some("a".to_owned())];
        for word in words {
            text.push(' ');
            text.push_str(&single(&word));
            expected.push(Some(word));
        }
        prop_assert_eq!(super::words(&text), expected);
        prop_assert!(!request(&text).opaque);
    }

    #[test]
    fn any_text_gives_a_value(text in "[rmx$(){}\\[\\]'\"`\\\\ \n;&|<>#=!~*?/.-]{0,40}") {
        let request = request(&text);
        for pattern in &request.patterns {
            prop_assert!(!pattern.is_empty());
        }
    }
}
