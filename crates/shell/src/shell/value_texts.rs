//! Values as texts: what a word gives a variable, and what operators leave of it.

use super::by_name::Names;
use super::letters::{begins, ends, has_any, is_made_of, name_at, owned, rest_of, up_to};
use super::lists;
use super::word::{ShellWord, is_identifier};

/// In a value it stands for a number that is not known.
pub(super) const NUMBER: &str = "\0";
/// In a value what follows is a glob, which stands for what it finds.
pub(super) const GLOB: &str = "\u{1}";
/// What stands in a value that is not known to the letter.
const OPEN: &str = "\0\u{1}";
/// The same, and what begins a glob.
pub(super) const WILD: &str = "\0\u{1}*?[";
/// The name of an element of an array.
pub(super) fn element(name: &str, number: usize) -> String {
    [name, "[", &number.to_string(), "]"].concat()
}

/// The name that a word is.
pub(super) fn plain_name(word: &ShellWord) -> Option<&str> {
    Some(word.text.as_str()).filter(|name| is_identifier(name) && word.is_fixed())
}

/// The value of a word from this offset on, a text in which `$` begins an expansion.
pub(super) fn text_of(word: &ShellWord, at: usize) -> Option<String> {
    // A sign that stands for itself may be the beginning of code.
    let is_code = has_any(&word.bare, "$`") || (!word.expands && has_any(&word.text, "$`"));
    let text = word.text.get(at..)?;
    if is_code || word.braces || word.is_array || has_any(text, OPEN) || text.contains(":~") {
        return None;
    }
    if let Some(rest) = text.strip_prefix('~') {
        let is_home = begins(rest_of(&word.raw, at), "~") && (rest.is_empty() || begins(rest, "/"));
        return is_home.then(|| ["$HOME", rest].concat());
    }
    let is_glob = word.wild.is_some() && word.value.is_none();
    Some(if is_glob { [GLOB, text].concat() } else { owned(text) })
}

/// The values of a word of a list.
pub(super) fn listed_texts(word: &ShellWord, is_list: bool) -> Vec<Option<String>> {
    if !word.braces || !is_list {
        return vec![text_of(word, 0)];
    }
    if let Some(words) = lists::expanded(word) {
        let is_glob = |text: &str| has_any(text, "*?[~$`");
        return words.into_iter().map(|text| Some(text).filter(|text| !is_glob(text))).collect();
    }
    // `{1..9}`
    let number = || {
        let (before, rest) = word.text.split_once('{')?;
        let (list, behind) = rest.split_once('}')?;
        let is_plain =
            !word.expands && !word.quoted && !has_any(before, "~*?[") && !has_any(behind, "{*?[");
        let is_number =
            list.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && list.contains("..");
        (is_plain && is_number).then(|| [before, NUMBER, behind].concat())
    };
    vec![number()]
}

/// A value without what an operator takes off; none if it is another one.
pub(super) fn trimmed(value: &str, operator: &str) -> Option<String> {
    if operator.is_empty() {
        return Some(owned(value));
    }
    // What these stand for may end with anything.
    let is_open = has_any(value, OPEN);
    let is_end = operator.strip_prefix('%').is_some_and(|end| value.ends_with(end));
    if is_open && !is_end {
        return None;
    }
    let kept = match operator {
        "%/*" => value.rsplit_once('/').map(|(before, _)| before),
        "##*/" => value.rsplit_once('/').map(|(_, behind)| behind),
        "%.*" => value.rsplit_once('.').map(|(before, _)| before),
        _ => {
            let end = operator.strip_prefix('%')?;
            if !is_made_of(end, "._-/") {
                return None;
            }
            value.strip_suffix(end)
        }
    };
    Some(owned(kept.unwrap_or(value)))
}

/// The length of `((…))`; none if it is something else.
pub(super) fn arithmetic_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 2 => {
                return (text.as_bytes().get(at + 1) == Some(&b')')).then_some(at + 2);
            }
            b')' => depth = depth.checked_sub(1)?,
            b'\'' | b'"' | b'`' | b'\\' => return None,
            _ => {}
        }
    }
    None
}

/// The variables that arithmetic sets; none if that is not known.
pub(super) fn counted(text: &str) -> Option<Names> {
    let bytes = text.as_bytes();
    let mut names = Names::default();
    for (at, byte) in bytes.iter().enumerate() {
        let before = up_to(text, at);
        let next = bytes.get(at + 1);
        let is_step = matches!(byte, b'+' | b'-') && next == Some(byte);
        let is_shift = before.ends_with("<<") || before.ends_with(">>");
        let is_set = *byte == b'=' && next != Some(&b'=') && (is_shift || !ends(before, "=<>!"));
        if !is_step && !is_set {
            continue;
        }
        let left = before.trim_end_matches(|c: char| {
            c.is_ascii_whitespace() || is_set && "+-*/%&|^<>".contains(c)
        });
        let name = left.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let behind = rest_of(text, at + 2).trim_start();
        let right = if is_step { name_at(behind) } else { "" };
        let is_open = ends(name, "${") || ends(left, "})]") || (is_step && begins(behind, "$"));
        if is_open {
            return None;
        }
        for name in [rest_of(left, name.len()), right] {
            if is_identifier(name) {
                names.add(name);
            }
        }
    }
    Some(names)
}
