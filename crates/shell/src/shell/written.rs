//! Files that a command writes to by a word rather than a redirect.

use super::letters::{begins, find_any, has_any};
use super::word::{ShellWord, rest_words};

/// Short options of `script` that have a value, and those of which it is a file.
const SCRIPT_VALUES: &str = "cEmotIOBT";
const SCRIPT_FILES: &str = "IOBT";

/// The words that name a file which the command writes to.
pub(super) fn written<'w>(name: &str, words: &'w [ShellWord]) -> Vec<&'w ShellWord> {
    let rest = rest_words(words, 1);
    match name {
        "history" => history(rest),
        "script" => script(rest),
        _ => Vec::new(),
    }
}

/// `history -w FILE`, `history -a FILE`
fn history(rest: &[ShellWord]) -> Vec<&ShellWord> {
    let is_option = |word: &&ShellWord| begins(&word.text, "-") || !word.is_fixed();
    let options = rest.iter().take_while(is_option);
    let writes = options.clone().any(|word| !word.is_fixed() || has_any(&word.text, "wa"));
    let count = options.take_while(|word| word.is_fixed()).count();
    if writes { rest.iter().skip(count).collect() } else { Vec::new() }
}

/// `script FILE`, `script -O FILE`
fn script(rest: &[ShellWord]) -> Vec<&ShellWord> {
    let (mut found, mut rest) = (Vec::new(), rest.iter());
    while let Some(word) = rest.next() {
        let Some(option) = word.text.strip_prefix('-').filter(|option| !option.is_empty()) else {
            found.push(word);
            continue;
        };
        if let Some(long) = option.strip_prefix('-') {
            let is_file = long.starts_with("log-");
            if long == "command" || long == "echo" || (is_file && !has_any(long, "=")) {
                found.extend(rest.next().filter(|_| is_file));
            } else if is_file {
                // The file is a part of the word.
                found.push(word);
            }
            continue;
        }
        let Some(at) = find_any(option, SCRIPT_VALUES) else { continue };
        let is_file = has_any(option.get(at..=at).unwrap_or_default(), SCRIPT_FILES);
        if at + 1 == option.len() {
            found.extend(rest.next().filter(|_| is_file));
        } else if is_file {
            found.push(word);
        }
    }
    found
}
