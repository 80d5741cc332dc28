//! Lists in braces: `{a,b}c` is two words.

use super::letters::has_any;
use super::word::ShellWord;

/// The most words of one.
const MAX_WORDS: usize = 64;

/// The words that a word with lists becomes; none if it has no list, or one that is not read here.
pub(super) fn expanded(word: &ShellWord) -> Option<Vec<String>> {
    if !word.braces || word.quoted || word.expands {
        return None;
    }
    let (mut open, mut done) = (vec![word.text.clone()], Vec::new());
    while let Some(text) = open.pop() {
        if open.len() + done.len() > MAX_WORDS || text.contains("..") && has_any(&text, "{") {
            return None;
        }
        match first_list(&text) {
            Some((before, items, behind)) => {
                open.extend(items.iter().map(|item| [before, item, behind].concat()));
            }
            None => done.push(text),
        }
    }
    Some(done)
}

/// What is before the first list, its items, and what is behind.
fn first_list(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    for (start, _) in text.match_indices('{') {
        let (mut depth, mut from, mut items) = (0_usize, start + 1, Vec::new());
        for (at, c) in text.char_indices().skip_while(|(at, _)| *at < start) {
            match c {
                '{' => depth += 1,
                ',' if depth == 1 => {
                    items.push(text.get(from..at)?);
                    from = at + 1;
                }
                '}' => {
                    depth -= 1;
                    if depth == 0 {
                        if items.is_empty() {
                            break;
                        }
                        items.push(text.get(from..at)?);
                        return Some((text.get(..start)?, items, text.get(at + 1..)?));
                    }
                }
                _ => {}
            }
        }
    }
    None
}
