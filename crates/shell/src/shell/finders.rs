//! `find` and `fd`, which run commands on what they find.

use super::letters::{begins, ends, has_any, is_listed, owned};
use super::runs::Runs;
use super::word::{ShellWord, rest_words};

/// May the word be an option, once it is expanded?
fn may_be_option(word: &ShellWord) -> bool {
    let is_array = has_any(&word.text, "@*");
    is_array || word.bare.is_empty() || begins(&word.bare, "-*?[") || word.splits
}

/// The commands of `find`, each up to `;` or `+`.
#[inline(never)]
pub(super) fn find(words: &[ShellWord], runs: &mut Runs) {
    let mut start = None;
    let is_put = |word: &ShellWord| word.is("{}");
    let rest = rest_words(words, 1);
    // A word that is not known may be `-exec`, and one the `;` behind it. Values of variables are looked at later.
    let is_variable =
        |word: &ShellWord| word.splits && word.variable.is_some() && word.bare.is_empty();
    let variables = words.iter().enumerate().filter(|(_, word)| is_variable(word));
    runs.values.extend(variables.map(|(at, _)| at));
    let rest = || rest.iter().filter(|word| !is_variable(word));
    let open = rest().filter(|word| !word.is_fixed() && may_be_option(word));
    let ends = rest().any(|word| word.is("; +"));
    runs.is_opaque |= rest().any(|word| !word.is_fixed() && word.splits && may_be_option(word))
        || open.count() > usize::from(!ends);
    for (at, word) in words.iter().enumerate() {
        match (word.text.as_str(), start) {
            ("-exec" | "-execdir" | "-ok" | "-okdir", None) => start = Some(at + 1),
            (";", Some(from)) => {
                runs.run(from..at);
                start = None;
            }
            // One that is not behind `{}` is a word of the command.
            ("+", Some(from)) if at > from && words.get(at - 1).is_some_and(is_put) => {
                runs.run(from..at);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        runs.run(from..words.len());
    }
    runs.words.retain(|range| !range.is_empty());
    if !runs.words.is_empty() {
        runs.is_wrapper = true;
        runs.replaced = Some(owned("{}"));
    }
}

/// `fd -x COMMAND`
pub(super) fn fd(words: &[ShellWord], runs: &mut Runs) {
    let is_exec = |word: &ShellWord| {
        let text = word.text.as_str();
        let is_short = !text.starts_with("--") && begins(text, "-") && ends(text, "xX");
        is_short || is_listed("--exec --exec-batch", text)
    };
    if let Some(at) = words.iter().position(is_exec).filter(|at| at + 1 < words.len()) {
        runs.is_wrapper = true;
        runs.is_prefix = true;
        runs.replaced = Some(owned("{}"));
        runs.run(at + 1..words.len());
    }
}
