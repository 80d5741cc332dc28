//! Which words of a command may be files that it reads.

use super::git::git_subcommand;
use super::letters::{begins, has_any, is_listed};
use super::word::ShellWord;

/// Commands that only name or remove what their words say, or only write it.
const NAMING: &str = "ls test [ stat touch rm rmdir mkdir chmod chown basename dirname tee echo printf find gfind \
cd pushd popd unset export declare local readonly typeset";
/// Commands whose last operand is written, or made.
const TARGETED: &str = "cp mv ln install rsync scp";
/// Commands whose first operand is a pattern or a program, unless an option gives it.
const PATTERNED: &str = "grep egrep fgrep rg sed awk jq perl ruby";
/// Subcommands of git that read no file for its text.
const GIT: &str = "log status checkout restore rm add check-ignore ls-files mv";

/// For each word of a command whether it may be a file, or hold the name of one, that the command reads.
pub(super) fn opened(name: &str, words: &[ShellWord]) -> Vec<bool> {
    let mut opened = vec![true; words.len()];
    let is_operand = |word: &ShellWord| !begins(&word.text, "-") || word.is("-");
    if let Some(first) = opened.first_mut() {
        *first = false;
    }
    let is_naming = is_listed(NAMING, name)
        || (name == "git" && {
            let (place, _) = git_subcommand(words);
            words.get(place).is_some_and(|word| word.is(GIT))
        });
    if is_naming {
        opened.fill(false);
    }
    let mut operands = words.iter().enumerate().skip(1).filter(|(_, word)| is_operand(word));
    let hidden = if is_listed(PATTERNED, name) {
        let gives_pattern = |word: &ShellWord| {
            let text = word.text.as_str();
            let is_short = begins(text, "-") && !text.starts_with("--");
            (is_short && has_any(text, "ef"))
                || ["--regexp", "--file", "--expression"].iter().any(|long| text.starts_with(long))
        };
        let is_given = words.iter().skip(1).any(gives_pattern);
        operands.next().filter(|_| !is_given)
    } else if is_listed(TARGETED, name) {
        operands.next_back()
    } else {
        None
    };
    let hidden = hidden.map(|(at, _)| at);
    for (at, open) in opened.iter_mut().enumerate() {
        let is_env = |word: &ShellWord| word.is("--env-file");
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let is_value = before.is_some_and(is_env)
            || words.get(at).is_some_and(|word| word.text.starts_with("--env-file="));
        *open &= Some(at) != hidden && !is_value;
    }
    opened
}
