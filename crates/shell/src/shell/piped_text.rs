//! Texts that a pipe gives to a shell: `echo 'ls' | sh`.

use super::letters::{begins, has_any, is_listed};
use super::names::base_name;
use super::parser::{Input, Script, SimpleCommand};
use super::word::{ShellWord, joined, text_at};
use super::wrapper_table::SHELLS;

/// What may give `echo` or `cat` another meaning.
const RENAMING: [&str; 9] =
    ["()", "function", "alias", "eval", "source", ". ", "enable", "hash", "PATH"];

/// Gives shells that read a pipe what is written into it, where that is known.
#[inline(never)]
pub(super) fn give_piped(script: &mut Script, source: &str) {
    let is_open = |command: &SimpleCommand| {
        let name = text_at(&command.words, 0);
        command.piped.is_some() && command.input.is_none() && is_listed(SHELLS, base_name(name))
    };
    if !script.commands.iter().any(is_open) || RENAMING.iter().any(|word| source.contains(word)) {
        return;
    }
    for at in 0..script.commands.len() {
        let Some(command) = script.commands.get(at).filter(|command| is_open(command)) else {
            continue;
        };
        let before = command.piped.and_then(|before| script.commands.get(before));
        let input = before.and_then(written);
        if let Some(command) = script.commands.get_mut(at) {
            command.input = input;
        }
    }
}

/// What a command writes, if it does nothing else and that is known as it stands.
fn written(command: &SimpleCommand) -> Option<Input> {
    let (name, rest) = command.words.split_first()?;
    match name.text.as_str() {
        "echo" if command.redirects.is_empty() => {
            // Options, and escapes that some read.
            let is_plain = |word: &ShellWord| {
                word.is_fixed() && !begins(&word.text, "-") && !has_any(&word.text, "\\")
            };
            let text = joined(rest, false);
            rest.iter().all(is_plain).then_some(Input { text, is_literal: true, is_piped: true })
        }
        "cat" if rest.is_empty() && command.redirects.len() == 1 => {
            let input = command.input.clone().filter(|input| input.is_literal);
            input.map(|input| Input { is_piped: true, ..input })
        }
        _ => None,
    }
}
