//! Commits: what a shell's command and its output say of them.

use apex_parts_model::first_chars;

/// A commit: its abbreviated hash if git printed it, and the first line of its message.
pub(crate) type FoundCommit = (Option<String>, String);

/// The longest message that is given.
const LONGEST: usize = 200;

/// The commits that a command which passed has made.
pub(crate) fn commits(command: &str, output: &str) -> Vec<FoundCommit> {
    if !commits_something(command) {
        return Vec::new();
    }
    let printed: Vec<FoundCommit> = output.lines().take(10_000).filter_map(printed).collect();
    if !printed.is_empty() {
        return printed;
    }
    // `git commit -q` prints nothing.
    vec![(None, shortened(message(command).unwrap_or_default()))]
}

/// Does `git … commit` stand where a command begins?
fn commits_something(command: &str) -> bool {
    let mut rest = command;
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"git") {
        let (before, after) = rest.split_at(at);
        let after = after.get(3..).unwrap_or_default();
        let begins = before.chars().next_back().is_none_or(|c| " \t\n;&|({`/".contains(c));
        if begins && is_commit(after) {
            return true;
        }
        rest = after;
    }
    false
}

/// Do these words after `git` begin with options and then `commit`?
fn is_commit(after: &str) -> bool {
    let line = after.split(['\n', ';', '&', '|']).next().unwrap_or_default();
    if !line.starts_with([' ', '\t']) {
        return false;
    }
    let mut words = line.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-C" | "-c" | "--git-dir" | "--work-tree" => drop(words.next()),
            "commit" => return !line.contains("--dry-run"),
            option if option.starts_with('-') => {}
            _ => return false,
        }
    }
    false
}

/// `[main 1a2b3c4] message`, or `[main (root-commit) 1a2b3c4] message`.
fn printed(line: &str) -> Option<FoundCommit> {
    let (head, message) = line.strip_prefix('[')?.split_once("] ")?;
    let hash = head.rsplit(' ').next()?;
    let is_hash = (4..=64).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit());
    (is_hash && head.contains(' ')).then(|| (Some(hash.to_owned()), shortened(message)))
}

/// The message after `-m`.
fn message(command: &str) -> Option<&str> {
    let at = command.find(" -m").or_else(|| command.find(" -am"))?;
    let rest = command.get(at..)?.trim_start_matches([' ', '-', 'a', 'm', '=']);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let text = match quote {
        Some(quote) => rest.get(1..)?.split(quote).next()?,
        None => rest.split_ascii_whitespace().next()?,
    };
    text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("$("))
}

fn shortened(text: &str) -> String {
    first_chars(text.trim(), LONGEST).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_told_by_command_and_output() {
        let some = |hash: &str, message: &str| vec![(Some(hash.to_owned()), message.to_owned())];
        for (command, output, expected) in [
            ("git commit -m 'x'", "[main 1a2b3c4] x\n 1 file changed\n", some("1a2b3c4", "x")),
            (
                "cd a && git -C b commit -qam \"y\"",
                "[main (root-commit) abcdef0] y y\n",
                some("abcdef0", "y y"),
            ),
            ("git add . && git commit -q -m 'quiet one'", "", vec![(None, "quiet one".to_owned())]),
            ("git log --grep commit", "[main 1a2b3c4] x", vec![]),
            ("echo git commit", "", vec![(None, String::new())]),
            ("git commit --dry-run", "", vec![]),
            ("digit commit", "", vec![]),
        ] {
            assert_eq!(commits(command, output), expected, "{command}");
        }
    }
}
