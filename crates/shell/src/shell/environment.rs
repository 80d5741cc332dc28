//! Variables that programs and bash read: which of them a text may set without being asked.

use super::letters::{begins, has_any, is_listed, is_made_of};
use super::word::{ShellWord, is_identifier};

/// Variables that bash itself reads.
const READ_BY_BASH: &str = "PATH HOME IFS CDPATH ENV PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND SHELL SHELLOPTS \
GLOBIGNORE EXECIGNORE FCEDIT HISTFILE MAILPATH INPUTRC TMPDIR TEXTDOMAIN TEXTDOMAINDIR POSIXLY_CORRECT LANG \
LANGUAGE LC_* BASH*";
/// Variables that decide what programs run, load or read.
const STEERING: &str = "PATH HOME IFS CDPATH ENV PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND SHELL SHELLOPTS GLOBIGNORE \
EXECIGNORE FCEDIT HISTFILE MAILPATH INPUTRC TMPDIR TEXTDOMAIN TEXTDOMAINDIR POSIXLY_CORRECT TERMINFO CLASSPATH \
KUBECONFIG MAKEFILES CC CXX LD BROWSER VISUAL LOCPATH LD_* DYLD_* GIT_* SSH_* XDG_* BASH* PYTHON* PERL* RUBY* \
NODE_OPTIONS NODE_PATH npm_config_* NPM_* CARGO_* RUST* GO* JAVA_* MAVEN_* GRADLE_* DOCKER_* AWS_* *_proxy \
*_OPTIONS *_OPTS *FLAGS *PAGER *EDITOR *_CONFIG* *_HOME *_COMMAND *_ASKPASS LESS*";
/// Variables that say how a program reports or runs, and nothing else.
const HARMLESS: &str = "CI NODE_ENV DEBUG VERBOSE LOG_LEVEL RUST_LOG RUST_BACKTRACE NO_COLOR FORCE_COLOR CLICOLOR \
COLUMNS LINES TZ PORT GOOS GOARCH GOARM CGO_ENABLED SOURCE_DATE_EPOCH PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE \
PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 DEBIAN_FRONTEND GOMAXPROCS RUST_TEST_THREADS CARGO_TERM_COLOR \
CARGO_INCREMENTAL DOCKER_BUILDKIT GIT_TERMINAL_PROMPT";
/// Harmless with one of some values.
const NAMED: &str = "APP_ENV RAILS_ENV RACK_ENV MIX_ENV FLASK_ENV";
const NAMED_VALUES: &str = "test testing development dev ci";
const HOSTS: &str = "localhost 127.0.0.1 ::1";
const LOCALES: &str = "LANG LANGUAGE LC_*";
const PAGERS: &str = "PAGER GIT_PAGER";

/// The names of the variables that a shell gets from its host.
#[derive(Clone, Debug, Default)]
pub struct Environment(Vec<String>);

impl Environment {
    /// No variables.
    #[must_use]
    pub const fn new() -> Environment {
        Environment(Vec::new())
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|own| own == name)
    }
}

impl<const N: usize> From<[String; N]> for Environment {
    fn from(names: [String; N]) -> Environment {
        Environment(names.into())
    }
}

impl FromIterator<String> for Environment {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Environment {
        Environment(names.into_iter().collect())
    }
}

/// Does a list have this name? In it, `*` stands for any letters at the beginning or the end.
fn is_covered(list: &str, name: &str) -> bool {
    list.split(' ').any(|entry| match (entry.strip_prefix('*'), entry.strip_suffix('*')) {
        (Some(_), Some(_)) => name.contains(entry.trim_matches('*')),
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        _ => entry == name,
    })
}

/// Does bash itself read it?
pub(super) fn is_read_by_bash(name: &str) -> bool {
    is_covered(READ_BY_BASH, name)
}

/// Does it decide what programs run, load or read?
pub(super) fn is_steering(name: &str) -> bool {
    let is_harmless = is_listed(HARMLESS, name) || is_covered(LOCALES, name);
    !is_harmless && is_covered(STEERING, name)
}

/// Does bash find or choose the translation of `$"…"` by it?
pub(super) fn is_message_setting(name: &str) -> bool {
    is_listed("TEXTDOMAIN TEXTDOMAINDIR", name) || is_covered(LOCALES, name)
}

/// Does no program run, load or read anything else because of this variable and value?
fn is_harmless(name: &str, value: &str) -> bool {
    if is_listed(HARMLESS, name) {
        let is_area = name == "TZ" && is_made_of(value, "_+-/") && value.matches('/').count() == 1;
        return !has_any(value, "/") || (is_area && !begins(value, "/"));
    }
    if is_listed(NAMED, name) {
        return is_listed(NAMED_VALUES, value);
    }
    if is_covered(LOCALES, name) {
        let is_plain = is_made_of(value, "._-@:");
        let is_unicode = ["", ".UTF-8", ".utf8"].iter().any(|end| {
            value.strip_suffix(end).is_some_and(|place| !end.is_empty() && !place.is_empty())
        });
        return is_plain && (is_listed("C POSIX", value) || is_unicode || name == "LANGUAGE");
    }
    match name {
        "HOST" => is_listed(HOSTS, value),
        _ => is_listed(PAGERS, name) && value == "cat",
    }
}

/// The name and the value of an assignment, if the value is known as it stands.
fn literal(word: &ShellWord) -> Option<(&str, &str)> {
    let (name, value) = word.text.split_once('=')?;
    (word.is_fixed() && !word.is_array && is_identifier(name)).then_some((name, value))
}

pub(super) fn is_harmless_word(word: &ShellWord) -> bool {
    literal(word).is_some_and(|(name, value)| is_harmless(name, value))
}
