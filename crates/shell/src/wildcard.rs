//! Wildcards of permission rules: `*` is any run of characters, `/` and line feeds too; `?` is one
//! character; nothing else is special.

/// Whether the whole text matches the wildcard.
///
/// `\` reads as `/` on both sides, and a wildcard that ends with a space and `*` matches the text before
/// that space too: `git push *` covers `git push`. Case matters unless `windows`. Costs at most the product
/// of both lengths, whatever the wildcard is; needs no memory.
///
/// ```
/// use apex_parts_shell::wildcard::matches;
///
/// assert!(matches("git push origin", "git push *", false));
/// assert!(matches("git push", "git push *", false));
/// assert!(!matches("git pushed", "git push *", false));
/// assert!(matches(r"src\app.ts", "src/?pp.*", false));
/// ```
#[must_use]
pub fn matches(text: &str, wildcard: &str, windows: bool) -> bool {
    let is = |wildcard| whole(text, wildcard, windows);
    is(wildcard) || wildcard.strip_suffix(" *").is_some_and(is)
}

/// The greedy matcher with two pointers: after a mismatch it goes back to the last `*` only.
fn whole(whole_text: &str, whole_wildcard: &str, windows: bool) -> bool {
    let (text, wildcard) = (whole_text.as_bytes(), whole_wildcard.as_bytes());
    let (mut at, mut want) = (0, 0);
    // The place after the last `*`, and where in the text its run ends for now.
    let mut star: Option<(usize, usize)> = None;
    loop {
        // The bytes that are taken of both.
        let (step, wanted) = match (text.get(at), wildcard.get(want)) {
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
            (Some(byte), Some(b'?')) => (width(*byte), 1),
            // Character by character: the lower case of a whole text may have more of them.
            _ if windows => folded(whole_text, at, whole_wildcard, want),
            (Some(byte), Some(wanted)) if slashed(*byte) == slashed(*wanted) => (1, 1),
            _ => (0, 0),
        };
        if step > 0 {
            at += step;
            want += wanted;
            continue;
        }
        let Some((after, end)) = &mut star else { return false };
        *end += text.get(*end).map_or(1, |byte| width(*byte));
        (at, want) = (*end, *after);
    }
}

/// Whether a text may match in which each NUL stands for any text. Costs the product of both lengths; a long
/// text may match.
#[must_use]
pub fn may_match(text: &str, wildcard: &str) -> bool {
    let is = |wildcard: &str| may(text.as_bytes(), wildcard.as_bytes());
    is(wildcard) || wildcard.strip_suffix(" *").is_some_and(is)
}

fn may(text: &[u8], wildcard: &[u8]) -> bool {
    /// The most work.
    const MOST: usize = 1 << 22;
    if text.len().saturating_mul(wildcard.len()) > MOST {
        return true;
    }
    // Whether a beginning of the wildcard of each length matches the text so far.
    let mut fits = vec![false; wildcard.len() + 1];
    let mark = |fits: &mut Vec<bool>, at: usize| {
        if let Some(slot) = fits.get_mut(at) {
            *slot = true;
        }
    };
    let through = |fits: &mut Vec<bool>| {
        for (at, byte) in wildcard.iter().enumerate() {
            if *byte == b'*' && fits.get(at) == Some(&true) {
                mark(fits, at + 1);
            }
        }
    };
    mark(&mut fits, 0);
    through(&mut fits);
    for byte in text {
        let mut next = vec![false; fits.len()];
        let first = fits.iter().position(|is| *is).unwrap_or(fits.len());
        if *byte == 0 {
            next.iter_mut().skip(first).for_each(|is| *is = true);
        } else {
            for (at, wanted) in wildcard.iter().enumerate().skip(first) {
                if fits.get(at) != Some(&true) {
                    continue;
                }
                let to = match wanted {
                    b'*' => at,
                    // A character may have several bytes.
                    b'?' if *byte & 0xc0 == 0x80 => continue,
                    b'?' => at + 1,
                    wanted if slashed(*wanted) == slashed(*byte) => at + 1,
                    _ => continue,
                };
                mark(&mut next, to);
            }
            if *byte & 0xc0 == 0x80 {
                // It belongs to the `?` before.
                for (at, wanted) in wildcard.iter().enumerate() {
                    if *wanted == b'?' && fits.get(at + 1) == Some(&true) {
                        mark(&mut next, at + 1);
                    }
                }
            }
        }
        through(&mut next);
        fits = next;
    }
    fits.last() == Some(&true)
}

fn slashed(byte: u8) -> u8 {
    if byte == b'\\' { b'/' } else { byte }
}

/// The lengths of the characters at these places if they differ in case at most, else 0.
fn folded(text: &str, at: usize, wildcard: &str, want: usize) -> (usize, usize) {
    let first = |text: &str, at: usize| text.get(at..).and_then(|rest| rest.chars().next());
    let (Some(own), Some(wanted)) = (first(text, at), first(wildcard, want)) else {
        return (0, 0);
    };
    let slashed = |c: char| if c == '\\' { '/' } else { c };
    let is_same = match (slashed(own), slashed(wanted)) {
        (own, wanted) if own.is_ascii() && wanted.is_ascii() => own.eq_ignore_ascii_case(&wanted),
        // By the upper case too, as a sigma has two lower ones; but a dotless i is no i.
        (own, wanted) => {
            own.to_lowercase().eq(wanted.to_lowercase())
                || (!own.is_ascii()
                    && !wanted.is_ascii()
                    && own.to_uppercase().eq(wanted.to_uppercase()))
        }
    };
    if is_same { (own.len_utf8(), wanted.len_utf8()) } else { (0, 0) }
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
    fn on_windows_too_a_question_mark_is_one_character_and_what_follows_does_not_count() {
        assert!(matches("İ", "?", true) && matches("aİ/b", "a?/B", true));
        assert!(!matches("İ", "i\u{307}", true));
        assert!(matches("ΑΣΑ", "ας*", true) && matches("ΑΣΑ", "ΑΣ*", true));
        assert!(matches("\u{212a}/É", "k/é", true) && !matches("ı", "i", true));
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
