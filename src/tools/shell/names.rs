//! The names of commands: without their folder, and what some of them mean.

use super::word::ShellWord;

/// The place of the subcommand of `git`, behind its global options; and whether these change what the
/// subcommand is.
pub(crate) fn git_subcommand(words: &[ShellWord]) -> (usize, bool) {
    let (mut at, mut is_opaque) = (1, false);
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !text.starts_with('-') {
            break;
        }
        let has_value = matches!(
            text,
            "-C" | "-c"
                | "--git-dir"
                | "--work-tree"
                | "--namespace"
                | "--super-prefix"
                | "--config-env"
                | "--attr-source"
        );
        let value = if has_value { words.get(at + 1).map_or("", |word| &word.text) } else { text };
        let value = value.trim_start_matches("--config-env=").trim_start_matches("-c");
        // An alias is another subcommand, or a command of the shell.
        is_opaque |= value.get(..6).is_some_and(|name| name.eq_ignore_ascii_case("alias."));
        at += 1 + usize::from(has_value);
    }
    (at.min(words.len()), is_opaque)
}

/// The name of a command without its directory.
pub(crate) fn base_name(name: &str) -> &str {
    let base = name.rsplit('/').next().unwrap_or(name);
    // On Windows.
    match base.get(base.len().saturating_sub(4)..) {
        Some(end) if end.eq_ignore_ascii_case(".exe") => base.get(..base.len() - 4).unwrap_or(base),
        _ => base,
    }
}

/// Does this command evaluate its words as names of variables, whose subscripts are arithmetic?
pub(crate) fn takes_variables(name: &str) -> bool {
    matches!(
        name,
        "let"
            | "declare"
            | "typeset"
            | "local"
            | "export"
            | "readonly"
            | "test"
            | "["
            | "read"
            | "unset"
            | "printf"
            | "wait"
            | "mapfile"
            | "readarray"
    )
}

/// Does bash run this value of a variable by itself, or the file that it names?
pub(crate) fn is_run_variable(name: &str, value: &str) -> bool {
    match name {
        "BASH_ENV" | "PROMPT_COMMAND" => !value.is_empty(),
        "PS4" => value.contains(['$', '`']),
        _ => false,
    }
}

/// Is it a command that changes the directory and nothing else?
pub(crate) fn is_directory_change(name: &str) -> bool {
    matches!(name, "cd" | "chdir" | "pushd" | "popd")
}
