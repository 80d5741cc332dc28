//! What of git's options runs another program.

use super::letters::{begins, has_any, is_listed, until};
use super::word::{ShellWord, text_at};

/// Global options of git that have a value.
const GIT_VALUES: &str =
    "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source";
/// Keys of its configuration that run a program, or read another configuration.
const PROGRAMS: &str = "core.sshcommand core.fsmonitor core.pager core.editor core.hookspath core.askpass \
diff.external sequence.editor gpg.program";
/// The sections, and the last parts of keys, of which all do.
const SECTIONS: &str = "alias credential include includeif url pager";
const ENDS: &str = "textconv command cmd helper driver clean smudge process program editor askpass sshcommand \
fsmonitor hookspath pager external";

/// Is it a value that runs nothing which matters?
pub(super) fn is_idle(value: &str) -> bool {
    value.is_empty() || is_listed("cat true false : /dev/null", value)
}

/// Does this setting, `KEY=VALUE`, run a program? The value of one from the environment is not known.
fn runs_program(setting: &str, is_from_environment: bool) -> bool {
    let (key, value) = setting.split_once('=').unwrap_or((setting, "true"));
    let key = key.to_ascii_lowercase();
    let section = until(&key, ".");
    let last = key.rsplit('.').next().unwrap_or_default();
    let is_program =
        is_listed(PROGRAMS, &key) || is_listed(SECTIONS, section) || is_listed(ENDS, last);
    is_program && (is_from_environment || !is_idle(value))
}

/// Does an option of the subcommand run a program: `git grep -O`, `git difftool -x`?
pub(super) fn opens_program(words: &[ShellWord], place: usize) -> bool {
    let name = text_at(words, place);
    let (letter, long) = match name {
        "grep" => ('O', "--open-files-in-pager"),
        "difftool" => ('x', "--extcmd"),
        _ => return false,
    };
    let mut rest = words.iter().skip(place + 1).map(|word| word.text.as_str());
    while let Some(text) = rest.next() {
        if text == "--" {
            return false;
        }
        let (option, value) = match text.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (text, None),
        };
        let value = if option.starts_with("--") {
            // At least so much of it says which option it is.
            if option.len() < 4 || !long.starts_with(option) {
                continue;
            }
            value
        } else {
            let cluster = text.strip_prefix('-').unwrap_or_default();
            let Some((_, value)) = cluster.split_once(letter) else { continue };
            Some(value).filter(|value| !value.is_empty())
        };
        // The value of the one may only be attached.
        let value = value.or_else(|| if name == "difftool" { rest.next() } else { None });
        if value.is_none_or(|value| !is_idle(value)) {
            return true;
        }
    }
    false
}

/// The place of the subcommand of `git`, behind its global options; and whether these change what the
/// subcommand is.
pub(crate) fn git_subcommand(words: &[ShellWord]) -> (usize, bool) {
    let (mut at, mut is_opaque) = (1, false);
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !begins(text, "-") {
            break;
        }
        let has_value = is_listed(GIT_VALUES, text);
        let value = if has_value { text_at(words, at + 1) } else { text };
        let value = value.trim_start_matches("--config-env=").trim_start_matches("-c");
        // An option, or a name, that is not known may be any.
        let is_open = |text: &str| has_any(until(text, "="), "$`{");
        is_opaque |= is_open(text) || (is_listed("-c --config-env", text) && is_open(value));
        if is_listed("-c --config-env", text) || value.len() < text.len() {
            is_opaque |= runs_program(value, text.starts_with("--config-env"));
        }
        at += 1 + usize::from(has_value);
    }
    (at.min(words.len()), is_opaque)
}
