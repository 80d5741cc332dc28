//! What a wrapper runs: `sudo rm x`, `find -exec rm {} +`, `bash -c 'rm x'`.

use super::parser::Input;
use super::word::{ShellWord, joined};
use std::ops::Range;

/// What one command runs besides itself.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// Words of a command, by their places.
    pub(crate) words: Vec<Range<usize>>,
    /// The same, less probable: an option that is not known could have a value.
    pub(crate) guesses: Vec<Range<usize>>,
    /// Texts of bash, and whether each is known as it stands.
    pub(crate) texts: Vec<(String, bool)>,
    /// Places of the words that are such texts.
    pub(crate) text_words: Vec<usize>,
    /// It runs something that is not known.
    pub(crate) is_opaque: bool,
    /// More words follow those given: `xargs`.
    pub(crate) is_prefix: bool,
    /// The text in the words for which something else is put.
    pub(crate) replaced: Option<String>,
    /// It is a wrapper, even if it runs nothing here.
    pub(crate) is_wrapper: bool,
}

/// How a wrapper's arguments are read.
struct Options {
    name: &'static str,
    /// Short options that have a value.
    short: &'static str,
    /// Long options that have a value, also without `=`.
    long: &'static str,
    /// The short option whose value is a text of bash, and the long one.
    text: &'static str,
    /// The number of words between options and command.
    operands: usize,
}

const fn row(
    name: &'static str,
    short: &'static str,
    long: &'static str,
    text: &'static str,
    operands: usize,
) -> Options {
    Options { name, short, long, text, operands }
}

/// The most guesses.
const MAX_GUESSES: usize = 4;
/// So many operands that no command follows.
const ALL: usize = usize::MAX;

const WRAPPERS: &[Options] = &[
    row("env", "uCa", " unset chdir argv0 ", "S split-string", 0),
    row("sudo", "ughpCrtTUDRac", SUDO, "", 0),
    row("doas", "uCa", "", "", 0),
    row("timeout", "ks", " kill-after signal ", "", 1),
    row("nice", "n", " adjustment ", "", 0),
    row("ionice", "cn", " class classdata ", "", 0),
    row("nohup", "", "", "", 0),
    row("time", "fo", " format output ", "", 0),
    row("coproc", "", "", "", 0),
    row("command", "", "", "", 0),
    row("builtin", "", "", "", 0),
    row("exec", "a", "", "", 0),
    row("xargs", "adEILnPs", XARGS, "", 0),
    row("stdbuf", "ioe", " input output error ", "", 0),
    row("setsid", "", "", "", 0),
    row("busybox", "", "", "", 0),
    row("toybox", "", "", "", 0),
    row("chroot", "", " userspec groups ", "", 1),
    row("chrt", "TPD", "", "", 1),
    row("taskset", "", "", "", 1),
    row("flock", "wE", " timeout wait conflict-exit-code ", "c command", 1),
    row("unbuffer", "", "", "", 0),
    row("caffeinate", "tw", "", "", 0),
    row("strace", "abeEIoOpPsSuUX", "", "", 0),
    row("ltrace", "aeFlnopsu", "", "", 0),
    row("systemd-run", "pEuMt", " unit property setenv slice description ", "", 0),
    row("setpriv", "", "", "", 0),
    row("su", "gGsw", " group supp-group shell ", "c command", ALL),
    row("runuser", "gGsw", " group supp-group shell ", "c command", ALL),
    row("runuser", "ugG", " user group supp-group ", "", 0),
    row("unshare", "SGRlw", UNSHARE, "", 0),
    row("nsenter", "tSG", " target setuid setgid ", "", 0),
    // The name of the machine may be left out.
    row("setarch", "p", "", "", 0),
    row("setarch", "p", "", "", 1),
    row("linux32", "", "", "", 0),
    row("linux64", "", "", "", 0),
    row("prlimit", "po", " pid output ", "", 0),
    row("fakeroot", "lisb", " lib faked ", "", 0),
    row("dbus-run-session", "", " config-file dbus-daemon ", "", 0),
    row("pkexec", "", " user ", "", 0),
    row("xvfb-run", "efnpsw", " error-file auth-file server-num server-args ", "", 0),
    row("script", "EIOBTmoa", "", "c command", ALL),
    row("mapfile", "dnOsuc", "", "C ", ALL),
    row("readarray", "dnOsuc", "", "C ", ALL),
    // The rest are joined and read as bash.
    row("eval", "", "", "", 0),
    row("watch", "nq", " interval equexit ", "", 0),
    row("parallel", "jaISN", " jobs arg-file colsep delay joblog timeout ", "", 0),
];
const SUDO: &str = " user group host prompt close-from chdir chroot role type other-user \
command-timeout login-class auth-type ";
const UNSHARE: &str = " root wd setuid setgid map-user map-group map-users map-groups propagation \
setgroups monotonic boottime ";
const XARGS: &str = " arg-file delimiter max-args max-procs max-chars process-slot-var ";
const JOINED: &[&str] = &["eval", "watch", "parallel"];
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish"];

/// What the command of these words runs. Its name is the first word, here without its directory.
pub(crate) fn runs(name: &str, words: &[ShellWord], input: Option<&Input>) -> Runs {
    let mut runs = Runs::default();
    for options in WRAPPERS.iter().filter(|options| options.name == name) {
        runs.is_wrapper = true;
        wrapper(options, words, &mut runs);
    }
    match name {
        _ if SHELLS.contains(&name) => shell(words, input, &mut runs),
        "find" | "gfind" => find(words, &mut runs),
        "fd" | "fdfind" => found(words, &mut runs),
        "source" | "." => script(words.get(1..).unwrap_or_default(), input, &mut runs),
        "alias" => aliases(words, &mut runs),
        "trap" => trap(words, &mut runs),
        // They change what a name means, or run what they are given for completion.
        "hash" => runs.is_opaque = has_option(words, &['p']),
        "enable" => runs.is_opaque = has_option(words, &['f']),
        "compgen" | "complete" => runs.is_opaque = has_option(words, &['C', 'F', 'W']),
        "bind" => runs.is_opaque = has_option(words, &['x']),
        // It runs what the history has, which commands may write.
        "fc" => runs.is_opaque = true,
        _ => {}
    }
    runs
}

fn has_option(words: &[ShellWord], letters: &[char]) -> bool {
    words.iter().any(|word| word.text.starts_with('-') && word.text.contains(letters))
}

fn wrapper(options: &Options, words: &[ShellWord], runs: &mut Runs) {
    let (mut at, mut operands, mut is_over) = (1, options.operands, false);
    let takes_assignments = matches!(options.name, "env" | "sudo" | "doas" | "time" | "coproc");
    let (text_short, text_long) = options.text.split_once(' ').unwrap_or_default();
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !is_over && text == "--" {
            is_over = true;
        } else if !is_over && let Some(long) = text.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
            if is_abbreviation(name, text_long) {
                return option_text(options, words, at, value, runs);
            }
            if value.is_none() && takes_value(options, name) {
                at += 1;
            } else if value.is_none() && at + 2 < words.len() && runs.guesses.len() < MAX_GUESSES {
                runs.guesses.push(at + 2..words.len());
            }
            if is_abbreviation(name, "replace") {
                runs.replaced = Some(value.unwrap_or("{}").to_owned());
            }
        } else if !is_over && let Some(cluster) = text.strip_prefix('-') {
            if options.name == "command" && cluster.contains(['v', 'V']) {
                // It tells what a name is, and runs nothing.
                return;
            }
            let mut left = cluster.chars();
            while let Some(c) = left.next() {
                let value = Some(left.as_str()).filter(|value| !value.is_empty());
                if text_short.starts_with(c) {
                    return option_text(options, words, at, value, runs);
                }
                if options.short.contains(c) {
                    if options.name == "xargs" && c == 'I' {
                        let next = words.get(at + 1).map(|word| word.text.as_str());
                        runs.replaced = value.or(next).map(str::to_owned);
                    }
                    at += usize::from(value.is_none());
                    break;
                }
                if options.name == "xargs" && matches!(c, 'i' | 'e' | 'l') {
                    if c == 'i' {
                        runs.replaced = Some(value.unwrap_or("{}").to_owned());
                    }
                    break;
                }
            }
        } else if takes_assignments && text.contains('=') {
        } else if operands > 0 {
            operands -= 1;
        } else {
            break;
        }
        at += 1;
    }
    runs.is_prefix |= options.name == "xargs";
    let rest = words.get(at..).unwrap_or_default();
    let Some(name) = rest.first() else { return };
    // Where an expansion is empty, what stands for the name is the operand or the option's value.
    let before = words.get(1..at).unwrap_or_default();
    let may_shift = before.iter().any(|word| word.splits && !word.text.contains('='));
    let may_be_operand =
        options.operands == 0 || name.text.starts_with(|c: char| c.is_ascii_digit());
    runs.is_opaque |= may_shift && may_be_operand;
    if !JOINED.contains(&options.name) {
        runs.words.push(at..words.len());
        return;
    }
    runs.texts.push((joined(rest, false), rest.iter().all(ShellWord::is_literal)));
    runs.text_words.extend(at..words.len());
    // It adds its input to what it runs.
    runs.is_opaque |= options.name == "parallel";
}

/// The value of an option is a text of bash; words behind it are its arguments.
fn option_text(
    options: &Options,
    words: &[ShellWord],
    at: usize,
    value: Option<&str>,
    runs: &mut Runs,
) {
    let next = if value.is_some() { at } else { at + 1 };
    let Some(word) = words.get(next) else {
        runs.is_opaque = true;
        return;
    };
    let mut text = value.unwrap_or(&word.text).to_owned();
    let mut is_literal = word.is_literal();
    runs.text_words.push(next);
    let rest = words.get(next + 1..).unwrap_or_default();
    if options.name == "env" && !rest.is_empty() {
        text.push(' ');
        text.push_str(&joined(rest, true));
        is_literal &= rest.iter().all(ShellWord::is_literal);
    }
    runs.texts.push((text, is_literal));
}

/// Long options may be cut short: `--sig` is `--signal`.
fn is_abbreviation(name: &str, option: &str) -> bool {
    !name.is_empty() && option.starts_with(name)
}

fn takes_value(options: &Options, name: &str) -> bool {
    // An option of sudo's own, not `--login-class`.
    name != "login" && options.long.split(' ').any(|option| is_abbreviation(name, option))
}

/// `bash -c TEXT`, `bash FILE`, or a shell that reads its input.
fn shell(words: &[ShellWord], input: Option<&Input>, runs: &mut Runs) {
    runs.is_wrapper = true;
    let (mut at, mut is_text, mut reads_input) = (1, false, false);
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !text.starts_with(['-', '+']) || text.len() < 2 {
            break;
        }
        at += 1;
        if text == "--" {
            break;
        }
        if let Some(long) = text.strip_prefix("--") {
            match long {
                "version" | "help" => return,
                "rcfile" | "init-file" => at += 1,
                "command" => is_text = true,
                _ => {}
            }
            continue;
        }
        // Options are not known if the word is not.
        runs.is_opaque |= !word.is_literal();
        // `+c` is `-c`.
        is_text |= text.contains('c');
        reads_input |= text.contains('s');
        at += text.chars().filter(|c| matches!(c, 'o' | 'O')).count();
    }
    let rest = words.get(at..).unwrap_or_default();
    if is_text {
        let Some(word) = rest.first() else {
            runs.is_opaque = true;
            return;
        };
        runs.texts.push((word.text.clone(), word.is_literal()));
        runs.text_words.push(at);
        return;
    }
    let rest = if reads_input { &[] } else { rest };
    script(rest, input, runs);
}

/// A script: the first of these words is its file; without one it is read from the input.
fn script(rest: &[ShellWord], input: Option<&Input>, runs: &mut Runs) {
    runs.is_wrapper = true;
    let rest = match rest.split_first() {
        Some((first, behind)) if first.text == "--" => behind,
        _ => rest,
    };
    let file = rest.first();
    let is_input = |file: &ShellWord| {
        let path = file.text.as_str();
        path == "-" || ["/dev/stdin", "/dev/fd", "/proc/"].iter().any(|dir| path.starts_with(dir))
    };
    match (file, input) {
        (Some(file), _) if !is_input(file) => {
            runs.is_opaque |= !file.is_literal() || file.wild.is_some();
        }
        (_, Some(input)) => runs.texts.push((input.text.clone(), input.is_literal)),
        _ => runs.is_opaque = true,
    }
}

/// The commands of `find`, each up to `;` or `+`.
fn find(words: &[ShellWord], runs: &mut Runs) {
    let mut start = None;
    for (at, word) in words.iter().enumerate() {
        match (word.text.as_str(), start) {
            ("-exec" | "-execdir" | "-ok" | "-okdir", None) => start = Some(at + 1),
            (";" | "+", Some(from)) => {
                runs.words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        runs.words.push(from..words.len());
    }
    runs.words.retain(|range| !range.is_empty());
    if !runs.words.is_empty() {
        runs.is_wrapper = true;
        runs.replaced = Some("{}".to_owned());
    }
}

/// `fd -x COMMAND`
fn found(words: &[ShellWord], runs: &mut Runs) {
    let is_exec = |word: &ShellWord| {
        let text = word.text.as_str();
        let is_short =
            !text.starts_with("--") && text.starts_with('-') && text.ends_with(['x', 'X']);
        is_short || matches!(text, "--exec" | "--exec-batch")
    };
    if let Some(at) = words.iter().position(is_exec).filter(|at| at + 1 < words.len()) {
        runs.is_wrapper = true;
        runs.is_prefix = true;
        runs.replaced = Some("{}".to_owned());
        runs.words.push(at + 1..words.len());
    }
}

/// `alias NAME=TEXT …`
fn aliases(words: &[ShellWord], runs: &mut Runs) {
    for (at, word) in words.iter().enumerate() {
        if let Some((_, text)) = word.text.split_once('=') {
            runs.texts.push((text.to_owned(), word.is_literal()));
            runs.text_words.push(at);
        }
    }
}

/// `trap TEXT SIGNAL …`; with `-` or nothing it runs nothing.
fn trap(words: &[ShellWord], runs: &mut Runs) {
    let skipped = words.iter().skip(1).take_while(|word| word.text == "--").count();
    let at = 1 + skipped;
    let Some(word) = words.get(at).filter(|_| words.len() > at + 1) else { return };
    if skipped == 0 && word.text.starts_with('-') {
        return;
    }
    if !word.text.is_empty() {
        runs.texts.push((word.text.clone(), word.is_literal()));
        runs.text_words.push(at);
    }
}
