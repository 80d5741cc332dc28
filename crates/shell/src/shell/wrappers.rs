//! What a wrapper runs: `sudo rm x`, `find -exec rm {} +`, `bash -c 'rm x'`.

use super::bash_tables::BUILTINS;
use super::finders::{fd, find};
use super::letters::{begins, ends, has_any, is_listed, is_made_of, owned, until};
use super::parser::Input;
use super::runs::Runs;
use super::shells::{aliases, is_portable, script, shell, trap};
use super::word::{ShellWord, joined, rest_words};
use super::wrapper_table::{Behind, MACHINES, SHELLS, Wrapper};

/// The most guesses.
const MAX_GUESSES: usize = 4;

/// What the command of these words runs. Its name is the first word, here without its directory.
#[inline(never)]
pub(crate) fn runs(name: &str, words: &[ShellWord], input: Option<&Input>) -> Runs {
    let mut runs = Runs::default();
    let mut is_read = false;
    let mut is_opaque = true;
    // Of several ways to read it, one that knows its options suffices.
    let is_loader = name.starts_with("ld-") && name.contains(".so");
    let known = match () {
        () if is_listed(MACHINES, name) => "linux32",
        () if is_loader => "ld.so",
        () => name,
    };
    for options in Wrapper::all(known) {
        runs.is_wrapper = true;
        is_read = true;
        let before = std::mem::take(&mut runs.is_opaque);
        wrapper(&options, words, &mut runs);
        is_opaque &= runs.is_opaque;
        runs.is_opaque = before;
    }
    runs.is_opaque |= is_read && is_opaque;
    match name {
        _ if is_listed(SHELLS, name) => shell(words, input, &mut runs),
        "find" | "gfind" => find(words, &mut runs),
        "fd" | "fdfind" => fd(words, &mut runs),
        "source" | "." => {
            let is_end = words.get(1).is_some_and(|word| word.is("--"));
            runs.guesses.push(1 + usize::from(is_end)..words.len());
            script(rest_words(words, 1), input, &mut runs);
        }
        "alias" => aliases(words, &mut runs),
        "trap" => trap(words, &mut runs),
        "jobs" => jobs(words, &mut runs),
        // Another one may do anything.
        "builtin" => {
            let name = words.iter().skip(1).find(|word| word.text != "--");
            runs.is_opaque |= name.is_some_and(|name| !name.is(BUILTINS));
        }
        "start-stop-daemon" => runs.is_opaque = true,
        "run-parts" => {
            let is_listing = |word: &ShellWord| word.is("--test --list --report");
            runs.is_opaque = !words.iter().any(is_listing);
        }
        "set" | "shopt" => runs.is_opaque = changes_reading(words),
        // They change what a name means, or run what they are given for completion.
        "hash" => runs.is_opaque = has_option(words, "p"),
        "enable" => runs.is_opaque = has_option(words, "f"),
        "compgen" | "complete" => runs.is_unknown_text = has_option(words, "CFW"),
        "bind" => runs.is_opaque = has_option(words, "x"),
        // It runs what the history has, which commands may write.
        "fc" => runs.is_opaque = true,
        _ => {}
    }
    runs
}

/// `jobs -x COMMAND`, with other options between them.
fn jobs(words: &[ShellWord], runs: &mut Runs) {
    let (mut is_run, mut at) = (false, 1);
    while let Some(word) = words.get(at) {
        // It may be the option.
        runs.is_opaque |= !word.is_fixed();
        if !begins(&word.text, "-") {
            break;
        }
        at += 1;
        if word.is("--") {
            break;
        }
        is_run |= has_any(&word.text, "x");
    }
    if is_run {
        runs.is_wrapper = true;
        runs.run(at..words.len());
    }
}

fn has_option(words: &[ShellWord], letters: &str) -> bool {
    let rest = rest_words(words, 1);
    rest.iter()
        .any(|word| !word.is_fixed() || (begins(&word.text, "-") && has_any(&word.text, letters)))
}

/// Does `set` or `shopt` change how the rest of the text is read?
fn changes_reading(words: &[ShellWord]) -> bool {
    let is_set = words.first().is_some_and(|word| word.is("set"));
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if is_set && (text == "--" || text == "-" || !begins(text, "-+")) {
            // Arguments; the first could be an option.
            return !begins(text, "-") && word.may_be_word();
        }
        if word.expands || (is_set && has_any(text, "kH")) {
            return true;
        }
        let name = if !is_set || has_any(text, "o") {
            let next = if is_set { rest.next() } else { Some(word) };
            let Some(next) = next else { continue };
            if next.expands {
                return true;
            }
            next.text.as_str()
        } else {
            ""
        };
        if is_listed("posix history histexpand keyword extglob extquote", name)
            || name.starts_with("compat")
        {
            return true;
        }
    }
    false
}

#[inline(never)]
fn wrapper(options: &Wrapper, words: &[ShellWord], runs: &mut Runs) {
    let (mut at, mut operands, mut is_over) = (1, options.operands, false);
    let takes_assignments = matches!(options.name, "env" | "sudo" | "doas" | "time" | "coproc");
    let mut text_names = options.text.split(' ');
    let text_short = text_names.next().unwrap_or_default();
    let text_long: Vec<&str> = text_names.filter(|name| !name.is_empty()).collect();
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        let may_be_option = !is_over && begins(text, "-");
        let is_assignment = takes_assignments && !may_be_option && names_variable(word);
        // A glob in the name of a variable.
        runs.is_opaque |= takes_assignments && word.is_assignment() && !is_assignment;
        // A word that is not known may be an option, which could have a value.
        let is_unknown = !word.is_fixed();
        if is_unknown && !is_assignment {
            let is_first = operands == 0;
            if is_first {
                break;
            }
            // One word that is no option, if the values of its variable are none.
            let is_value =
                word.variable.is_some() && word.bare.is_empty() && !word.may_be_several();
            if is_value {
                runs.values.push(at);
            } else {
                runs.is_opaque = true;
            }
        }
        if !is_over && text == "--" {
            is_over = true;
            runs.is_opaque |= matches!(options.behind, Behind::OnlyText | Behind::Nothing);
        } else if !is_over && let Some(long) = text.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
            if text_long.iter().any(|option| is_abbreviation(name, option)) {
                return option_text(options, words, at, value, runs);
            }
            let kind = long_option(options, name);
            runs.is_opaque |= kind.is_none();
            if value.is_none() && kind == Some(true) {
                at += 1;
                runs.is_opaque |= words.get(at).is_some_and(ShellWord::may_be_several);
            } else if value.is_none()
                && kind.is_none()
                && at + 2 < words.len()
                && runs.guesses.len() < MAX_GUESSES
            {
                runs.guesses.push(at + 2..words.len());
            }
            if is_abbreviation(name, "replace") {
                runs.replaced = Some(owned(value.unwrap_or("{}")));
            }
        } else if !is_over && let Some(cluster) = text.strip_prefix('-') {
            if options.name == "command" && has_any(cluster, "vV") && word.is_literal() {
                // It tells what a name is, and runs nothing.
                return;
            }
            // `env -` and `su -` have a meaning.
            runs.is_opaque |=
                cluster.is_empty() && !matches!(options.name, "env" | "su" | "runuser" | "sg");
            let mut left = cluster.chars();
            while let Some(c) = left.next() {
                let value = Some(left.as_str()).filter(|value| !value.is_empty());
                let mut buffer = [0; 4];
                let letter = c.encode_utf8(&mut buffer);
                let has = |letters: &str| has_any(letter, letters);
                if has(text_short) {
                    return option_text(options, words, at, value, runs);
                }
                if has(options.short) {
                    let next = words.get(at + 1);
                    if options.name == "xargs" && c == 'I' {
                        let next = next.map(|word| word.text.as_str());
                        runs.replaced = value.or(next).map(owned);
                    }
                    if value.is_none() {
                        at += 1;
                        runs.is_opaque |= next.is_some_and(ShellWord::may_be_several);
                    }
                    break;
                }
                if has(options.attached) {
                    if options.name == "xargs" && c == 'i' {
                        runs.replaced = Some(owned(value.unwrap_or("{}")));
                    }
                    break;
                }
                runs.is_opaque |= !has(options.flags);
            }
        } else if is_assignment {
            runs.is_opaque |= word.splits && word.value.is_none();
        } else if operands > 0 {
            operands -= 1;
        } else {
            break;
        }
        at += 1;
    }
    runs.is_prefix |= options.name == "xargs";
    let rest = rest_words(words, at);
    let is_text = options.behind == Behind::Text;
    if rest.is_empty() {
        runs.is_opaque |= matches!(options.behind, Behind::Shell | Behind::OnlyText);
        return;
    }
    if !is_text {
        if !runs.words.contains(&(at..words.len())) {
            runs.run(at..words.len());
        }
        return;
    }
    let text = joined(rest, false);
    // All but `eval` use the shell of the system.
    let is_read = options.name == "eval" || is_portable(&text);
    runs.text(&text, is_read && rest.iter().all(ShellWord::is_fixed));
    runs.text_words.extend(at..words.len());
    // It adds its input to what it runs.
    runs.is_opaque |= options.name == "parallel";
}

/// Is it `NAME=…`, whose name is known?
fn names_variable(word: &ShellWord) -> bool {
    let name = until(&word.bare, "=");
    let is_known = !word.braces && !has_any(name, "*?[");
    is_known && name.len() < word.bare.len()
}

/// The value of an option is a bash command line; words behind it are its arguments.
fn option_text(
    options: &Wrapper,
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
    let mut text = owned(value.unwrap_or(&word.text));
    let mut is_literal = word.is_fixed();
    runs.text_words.push(next);
    let rest = rest_words(words, next + 1);
    match options.name {
        "env" => {
            // What it splits, its own way, are arguments of its own.
            is_literal &= is_made_of(&text, " _./:=,+@%-'\"");
            text = ["env ", &text].concat();
            if !rest.is_empty() {
                text.push(' ');
                text.push_str(&joined(rest, true));
                is_literal &= rest.iter().all(ShellWord::is_fixed);
            }
        }
        // The shell of the system reads it.
        "split" => is_literal &= is_portable(&text),
        // It adds words.
        "mapfile" | "readarray" => is_literal = false,
        // What follows is an argument of the shell, or the text of another such option.
        "su" | "runuser" | "script" | "sg" | "flock" => {
            is_literal &= rest.iter().all(|word| word.is_fixed() && !begins(&word.text, "-"));
            is_literal &= is_portable(&text);
        }
        _ => {}
    }
    runs.text(&text, is_literal);
}

/// Long options may be cut short: `--sig` is `--signal`.
fn is_abbreviation(name: &str, option: &str) -> bool {
    !name.is_empty() && option.starts_with(name)
}

/// Whether the long option has a value; none if it is not known.
fn long_option(options: &Wrapper, name: &str) -> Option<bool> {
    if options.name == "nice" && !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
        return Some(false);
    }
    let mut known = options.long.split(' ').filter(|option| !option.is_empty());
    let exact = known.clone().find(|option| option.trim_end_matches('=') == name);
    let option = exact.or_else(|| known.find(|option| is_abbreviation(name, option)))?;
    Some(ends(option, "="))
}
