//! The names of commands, without their folder, and of variables: what some of them mean.

use super::git::is_idle;
use super::letters::{begins, has_any, is_listed, is_made_of};
use super::parser::SimpleCommand;
use super::word::{ShellWord, rest_words};

/// Variables that bash sets to what a text says.
const SPECIAL: &str = " _ REPLY MAPFILE OPTARG PWD OLDPWD DIRSTACK FUNCNAME COPROC \
READLINE_LINE COMPREPLY COMP_LINE COMP_WORDS HISTCMD PIPESTATUS_ ";

/// Variables that change what runs.
const SETTINGS: &str = "BASH_ENV PROMPT_COMMAND SHELLOPTS BASHOPTS BASH_COMPAT LD_PRELOAD LD_AUDIT \
BASH_LOADABLES_PATH";
/// Variables that are a command.
const COMMANDS: &str = "SHELL VISUAL BROWSER LESSOPEN LESSCLOSE GIT_EXTERNAL_DIFF GIT_SSH_COMMAND GIT_SSH \
GIT_PROXY_COMMAND GIT_EXEC_PATH";
/// Variables that have a number.
const NUMBERS: &str = " RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID COLUMNS LINES SHLVL OPTIND \
EPOCHSECONDS ";

/// The name of a command without its directory.
pub(crate) fn base_name(name: &str) -> &str {
    let base = name.rsplit('/').next().unwrap_or(name);
    // On Windows.
    match base.get(base.len().saturating_sub(4)..) {
        Some(end) if end.eq_ignore_ascii_case(".exe") => base.get(..base.len() - 4).unwrap_or(base),
        _ => base,
    }
}

/// May bash, or a program that many use, run this value of a variable, or read another text because of it?
/// The value is a text in which `$` begins an expansion.
pub(crate) fn is_code_variable(name: &str, value: &str) -> bool {
    // Bash expands them.
    if is_listed("PS0 PS1 PS2 PS4 ENV", name) {
        return has_any(value, "$`");
    }
    if is_listed(SETTINGS, name) {
        return !value.is_empty();
    }
    is_listed("BASH_CMDS BASH_ALIASES POSIXLY_CORRECT histchars", name)
        || name.starts_with("BASH_FUNC_")
        || (is_listed("GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM", name) && !is_idle(value))
        || (is_command_variable(name) && !is_made_of(value, " _./:,+@%-"))
}

/// Is the value of this variable a command that some program runs?
pub(crate) fn is_command_variable(name: &str) -> bool {
    is_listed(COMMANDS, name)
        || name.starts_with("GIT_CONFIG_")
        || ["PAGER", "EDITOR", "ASKPASS"].iter().any(|end| name.ends_with(end))
}

/// Is it a command that changes the directory and nothing else?
pub(crate) fn is_directory_change(name: &str) -> bool {
    is_listed("cd chdir pushd popd", name)
}

/// The words of what the shell itself runs: without assignments, `builtin`, `command`, `time` and `coproc`.
#[inline(never)]
pub(crate) fn own_words(command: &SimpleCommand) -> &[ShellWord] {
    let is_before = |word: &ShellWord| word.is("builtin command time coproc");
    let mut at = command.assignments();
    while command.words.get(at).is_some_and(is_before) {
        at += 1;
        let behind = command.words.iter().skip(at);
        at += behind.take_while(|word| begins(&word.text, "-") || word.is_assignment()).count();
    }
    rest_words(&command.words, at)
}

/// May the system have given it a value, as `USER`, which is a name?
pub(super) fn is_of_system(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && !is_listed(NUMBERS, name)
}

/// Does bash set this variable to what a text says?
pub(super) fn is_special(name: &str) -> bool {
    is_listed(SPECIAL, name) || name.starts_with("BASH_")
}
