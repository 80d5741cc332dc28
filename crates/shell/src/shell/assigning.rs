//! Assignments of a text that need no permission.

use super::bash_tables::{ARRAYS, NUMBERS};
use super::environment::{Environment, is_harmless_word, is_read_by_bash};
use super::letters::{has_any, is_listed, is_made_of, owned, rest_of, until, up_to};
use super::names::own_words;
use super::parser::SimpleCommand;
use super::values::Variables;
use super::word::{ShellWord, is_identifier, rest_words};

/// What the assignments of a command ask for.
pub(super) enum Assigning {
    /// As they stand.
    AsWritten,
    /// Nothing: nothing else is in the command.
    Nothing,
    /// What the command asks for without them.
    Without(String),
}

/// Judges the assignments of a command.
#[inline(never)]
pub(super) fn assigning(
    command: &SimpleCommand,
    variables: &Variables,
    environment: Option<&Environment>,
) -> Assigning {
    let count = command.assignments();
    let (before, behind) = command.words.split_at(count);
    if command.is_cut {
        return Assigning::AsWritten;
    }
    let Some(name) = behind.first() else {
        let is_free = |word: &ShellWord| is_own(word, variables, environment);
        let is_alone = command.redirects.is_empty() && count > 0;
        return match is_alone && before.iter().all(is_free) {
            true => Assigning::Nothing,
            false => Assigning::AsWritten,
        };
    };
    if count > 0 {
        let is_separator = |word: &ShellWord| word.text.starts_with("IFS=") && !word.is_array;
        let is_read = name.is_known_name() && name.is("read");
        let is_free = |word: &ShellWord| is_harmless_word(word) || (is_read && is_separator(word));
        let rest = before.iter().try_fold(command.text.as_str(), |rest, word| {
            rest.strip_prefix(word.raw.as_str()).map(str::trim_start)
        });
        return match rest.filter(|_| before.iter().all(is_free)) {
            Some(rest) => Assigning::Without(owned(rest)),
            None => Assigning::AsWritten,
        };
    }
    let words = own_words(command);
    let is_same = words.len() == command.words.len() && command.redirects.is_empty();
    let rest = rest_words(words, 1);
    let is_free = match name.text.as_str() {
        "export" => rest.iter().all(is_harmless_word),
        "declare" | "typeset" | "local" => {
            rest.iter().all(|word| match word.text.strip_prefix('-') {
                Some(letters) => {
                    word.is_fixed() && is_made_of(letters, "") && !has_any(letters, "xnfFp")
                }
                None => is_own(word, variables, environment),
            })
        }
        _ => false,
    };
    if name.is_known_name() && is_same && !rest.is_empty() && is_free {
        Assigning::Nothing
    } else {
        Assigning::AsWritten
    }
}

/// Does it set, or declare, a variable that no one but the text itself reads?
fn is_own(word: &ShellWord, variables: &Variables, environment: Option<&Environment>) -> bool {
    let at = word.value.unwrap_or(word.text.len());
    let name = up_to(&word.text, at).trim_end_matches('=');
    let name = until(name.trim_end_matches('+'), "[");
    let Some(environment) = environment else { return false };
    let is_number = || {
        let value = rest_of(&word.text, at);
        !word.is_array && !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_known = word.value.is_some() || (word.is_fixed() && is_identifier(name));
    let is_read = is_read_by_bash(name) || is_listed(ARRAYS, name);
    is_known
        && is_identifier(name)
        && !is_read
        && (!is_listed(NUMBERS, name) || is_number())
        && !environment.contains(name)
        && !variables.exports(name)
}
