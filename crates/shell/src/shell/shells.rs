//! Shells, and builtins that execute a string.

use super::grammar::is_reserved;
use super::letters::{begins, ends, has_any, is_listed, is_made_of};
use super::names::base_name;
use super::parser::Input;
use super::runs::Runs;
use super::word::{ShellWord, rest_words, text_at};

/// Modes of bash that do not change how it reads.
const MODES: &str = "pipefail errexit nounset xtrace noglob noclobber verbose globstar nullglob dotglob lastpipe \
failglob inherit_errexit";

/// Is a text read by other shells as bash reads it?
pub(super) fn is_portable(text: &str) -> bool {
    let is_odd = |mark: &str| text.contains(mark);
    let odd = ["$'", "$\"", "<<<", "<(", ">(", "=(", "[[", "&>", "|&", ";&", "$[", "\\\n"];
    let has_parentheses =
        text.match_indices("((").any(|(at, _)| !text.get(..at).is_some_and(|t| ends(t, "$")));
    !odd.into_iter().any(is_odd) && !has_parentheses
}

/// Is it so of shells that have another language?
fn is_plain(text: &str) -> bool {
    is_made_of(text, " _./;&|\n'\"-,:@%+")
}

/// `bash -c TEXT`, `bash FILE`, or a shell that reads its input.
#[inline(never)]
pub(super) fn shell(words: &[ShellWord], input: Option<&Input>, runs: &mut Runs) {
    runs.is_wrapper = true;
    let (mut at, mut is_text, mut reads_input) = (1, false, false);
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !begins(text, "-+") {
            break;
        }
        at += 1;
        if is_listed("-- -", text) {
            break;
        }
        if let Some(long) = text.strip_prefix("--") {
            match long {
                "version" | "help" => return,
                // Its own file is read, of a shell that is interactive.
                "rcfile" | "init-file" => {
                    runs.is_opaque |= words.get(at).is_none_or(ShellWord::may_be_several);
                    at += 1;
                }
                "command" => is_text = true,
                "norc" | "noprofile" | "login" | "verbose" | "noediting" | "restricted" => {}
                _ => runs.is_opaque = true,
            }
            continue;
        }
        // Options are not known if the word is not; an interactive shell reads texts its own way.
        runs.is_opaque |= !word.is_fixed() || has_any(text, "ikH");
        // `+c` is `-c`.
        is_text |= has_any(text, "c");
        reads_input |= has_any(text, "s");
        for _ in text.chars().filter(|c| matches!(c, 'o' | 'O')) {
            let name = text_at(words, at);
            runs.is_opaque |= !name.is_empty() && !is_listed(MODES, name);
            at += 1;
        }
    }
    let rest = rest_words(words, at);
    if is_text {
        let Some(word) = rest.first() else {
            runs.is_opaque = true;
            return;
        };
        let name = base_name(text_at(words, 0));
        let is_read = match name {
            "bash" | "rbash" => true,
            "sh" | "dash" | "ash" => is_portable(&word.text),
            _ => is_plain(&word.text),
        };
        runs.text(&word.text, word.is_fixed() && is_read);
        runs.text_words.push(at);
        return;
    }
    let is_bash = words.first().is_some_and(|word| is_listed("bash rbash", base_name(&word.text)));
    let is_input_read = input.is_none_or(|input| is_bash || is_portable(&input.text));
    runs.is_opaque |= !is_input_read;
    if reads_input {
        return script(&[], input, runs);
    }
    // A script that is found as a command is.
    runs.guesses.push(at..words.len());
    script(rest, input, runs);
}

/// A script: the first of these words is its file; without one it is read from the input.
pub(super) fn script(rest: &[ShellWord], input: Option<&Input>, runs: &mut Runs) {
    runs.is_wrapper = true;
    let rest = match rest.split_first() {
        Some((first, behind)) if first.is("--") => behind,
        _ => rest,
    };
    let file = rest.first();
    let is_input = |file: &ShellWord| {
        let name = |part: &str| {
            is_listed("dev proc fd stdin", part) || part.bytes().all(|b| b.is_ascii_digit())
        };
        file.is("-") || file.text.split('/').any(|part| !part.is_empty() && name(part))
    };
    match (file, input) {
        (Some(file), _) if !is_input(file) => {
            runs.is_unknown_text |= !file.is_fixed() || file.is_home();
        }
        (_, Some(input)) => {
            runs.is_opaque |= input.is_piped;
            runs.text(&input.text, input.is_literal);
        }
        _ => runs.is_unknown_text = true,
    }
}

/// `alias NAME=TEXT …`
pub(super) fn aliases(words: &[ShellWord], runs: &mut Runs) {
    for (at, word) in words.iter().enumerate() {
        runs.is_opaque |= word.expands || word.wild.is_some();
        if let Some((name, text)) = word.text.split_once('=') {
            // What follows the name where it is used is read behind its text.
            let is_whole = !text.is_empty() && !ends(text, " ") && is_made_of(text, "_./=- ");
            let is_name = is_made_of(name, "_");
            let is_known = word.is_fixed() && is_whole && is_name && !is_reserved(name);
            runs.text(text, is_known);
            runs.has_arguments = true;
            runs.text_words.push(at);
        }
    }
}

/// `trap TEXT SIGNAL …`; with `-` or nothing it runs nothing.
pub(super) fn trap(words: &[ShellWord], runs: &mut Runs) {
    let skipped = words.iter().skip(1).take_while(|word| word.is("--")).count();
    let at = 1 + skipped;
    let Some(word) = words.get(at).filter(|_| words.len() > at + 1) else { return };
    if skipped == 0 && begins(&word.text, "-") {
        runs.is_opaque |= !word.is_fixed();
        return;
    }
    if !word.text.is_empty() {
        runs.text(&word.text, word.is_fixed());
        runs.text_words.push(at);
    }
}
