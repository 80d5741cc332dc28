//! Wildcards of permission rules: `*` is any run of characters, `/` and line feeds too; `?` is one
//! character; nothing else is special.

use std::borrow::Cow;

/// Whether the whole text matches the wildcard.
///
/// `\` reads as `/` on both sides, and a wildcard that ends with a space and `*` matches the text before
/// that space too: `git push *` covers `git push`. Case matters unless `windows`. Costs at most the product
/// of both lengths, whatever the wildcard is; needs no memory unless `windows`.
///
/// ```
/// use apex_parts::tools::wildcard::matches;
///
/// assert!(matches("git push origin", "git push *", false));
/// assert!(matches("git push", "git push *", false));
/// assert!(!matches("git pushed", "git push *", false));
/// assert!(matches(r"src\app.ts", "src/?pp.*", false));
/// ```
#[must_use]
pub fn matches(text: &str, wildcard: &str, windows: bool) -> bool {
    let fold =
        |text: &'_ str| if windows { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed("") };
    let (folded_text, folded_wildcard) = (fold(text), fold(wildcard));
    let (text, wildcard) =
        if windows { (&*folded_text, &*folded_wildcard) } else { (text, wildcard) };
    let (text, wildcard) = (text.as_bytes(), wildcard.as_bytes());
    whole(text, wildcard) || wildcard.strip_suffix(b" *").is_some_and(|front| whole(text, front))
}

/// The greedy matcher with two pointers: after a mismatch it goes back to the last `*` only.
fn whole(text: &[u8], wildcard: &[u8]) -> bool {
    let (mut at, mut want) = (0, 0);
    // The place after the last `*`, and where in the text its run ends for now.
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match (text.get(at), wildcard.get(want)) {
            (_, Some(b'*')) => {
                want += 1;
                if want == wildcard.len() {
                    return true;
                }
                star = Some((want, at));
                continue;
            }
            (None, None) => return true,
            // No longer run of a `*` can help: every one leaves less text.
            (None, Some(_)) => return false,
            (Some(byte), Some(b'?')) => width(*byte),
            (Some(byte), Some(wanted)) if slashed(*byte) == slashed(*wanted) => 1,
            _ => 0,
        };
        if step > 0 {
            at += step;
            want += 1;
            continue;
        }
        let Some((after, end)) = &mut star else { return false };
        *end += text.get(*end).map_or(1, |byte| width(*byte));
        (at, want) = (*end, *after);
    }
}

fn slashed(byte: u8) -> u8 {
    if byte == b'\\' { b'/' } else { byte }
}

/// The number of bytes of the character that begins with this byte.
fn width(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::matches;
    use proptest::prelude::*;

    /// The definition, as slow as it is short.
    fn slow(text: &[char], wildcard: &[char]) -> bool {
        match wildcard.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|skipped| slow(&text[skipped..], rest)),
            Some((wanted, rest)) => text.split_first().is_some_and(|(first, after)| {
                let slashed = |c: char| if c == '\\' { '/' } else { c };
                (*wanted == '?' || slashed(*first) == slashed(*wanted)) && slow(after, rest)
            }),
        }
    }

    fn reference(text: &str, wildcard: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let is = |wildcard: &str| slow(&text, &wildcard.chars().collect::<Vec<_>>());
        is(wildcard) || wildcard.strip_suffix(" *").is_some_and(is)
    }

    #[test]
    fn a_star_matches_slashes_and_line_feeds_and_a_question_mark_one_character() {
        assert!(matches("a/b\nc", "a*c", false));
        assert!(matches("", "*", false));
        assert!(matches("😀", "?", false));
        assert!(!matches("😀", "??", false));
        assert!(matches("日本", "*?", false));
        assert!(!matches("", "?", false));
        assert!(matches("a.b", "a.b", false));
        assert!(!matches("axb", "a.b", false));
        assert!(matches("[a]", "[a]", false));
        assert!(!matches("a", "[a]", false));
    }

    #[test]
    fn only_a_last_space_and_star_may_match_nothing() {
        assert!(matches("ls", "ls *", false));
        assert!(matches("ls -l", "ls *", false));
        assert!(!matches("lsof", "ls *", false));
        assert!(!matches("ls", "ls ?", false));
        assert!(!matches("git", "git * push *", false));
        assert!(matches("", " *", false));
    }

    #[test]
    fn case_matters_except_on_windows() {
        assert!(!matches("Src/A", "src/a", false));
        assert!(matches("Src/A", "src/a", true));
        assert!(matches("C:\\Users", "c:/users", true));
    }

    #[test]
    fn a_hostile_wildcard_ends_soon() {
        let text = "a".repeat(20_000);
        assert!(!matches(&text, &format!("{}b", "a*".repeat(1_000)), false));
        assert!(matches(&text, &"*".repeat(10_000), false));
    }

    proptest! {
        #[test]
        fn equals_the_definition(text in "[ab/\\\\ é😀]{0,8}", wildcard in "[ab*?/\\\\ é]{0,8}") {
            prop_assert_eq!(matches(&text, &wildcard, false), reference(&text, &wildcard));
        }
    }
}
