//! Case folding: which characters are the same to a search that ignores case.
//!
//! The rule: a character is folded to its lower-case letter if Unicode gives it a single one, otherwise to
//! itself. So `É` is `é`, `Σ` is `σ` and `ẞ` is `ß`; but `ß` is not `ss`, `ς` is not `σ`, and `İ`, whose
//! lower case is two characters, is only itself. No character beyond ASCII is folded to one of ASCII (the
//! Kelvin sign is not `k`), as in JavaScript's regular expressions. Characters that are the same have the
//! same length in UTF-16.

/// The character to which `c` is folded.
#[inline]
pub(crate) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) if !lower.is_ascii() => lower,
        _ => c,
    }
}

/// Characters that are not the upper case of what they are folded to. A test checks that the list is
/// complete.
const UNUSUAL: &str = "ẞϴ\u{2126}\u{212b}ǅǈǋǲᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ";

/// All characters that are folded to `folded`, including itself.
pub(crate) fn variants(folded: char) -> impl Iterator<Item = char> {
    let mut upper = folded.to_uppercase();
    let upper = match (upper.next(), upper.next()) {
        (Some(upper), None) => Some(upper),
        _ => None,
    };
    let others = upper.into_iter().chain(if folded.is_ascii() { "" } else { UNUSUAL }.chars());
    let others = others.filter(move |c| *c != folded && fold(*c) == folded);
    std::iter::once(folded).chain(others)
}

#[cfg(test)]
mod tests {
    use super::{fold, variants};
    use std::collections::BTreeMap;

    #[test]
    fn every_character_is_a_variant_of_what_it_is_folded_to() {
        let mut all: BTreeMap<char, Vec<char>> = BTreeMap::new();
        for c in '\0'..=char::MAX {
            let folded = fold(c);
            if folded != c {
                assert_eq!(fold(folded), folded);
                assert_eq!(folded.len_utf16(), c.len_utf16());
                all.entry(folded).or_default().push(c);
            }
        }
        for c in '\0'..='\u{1ffff}' {
            let mut found: Vec<char> = variants(c).skip(1).collect();
            found.sort_unstable();
            assert_eq!(found, all.remove(&c).unwrap_or_default(), "{c:?}");
        }
        assert!(all.is_empty());
    }

    #[test]
    fn the_rule_in_examples() {
        for (a, b) in [('É', 'é'), ('Σ', 'σ'), ('ẞ', 'ß'), ('Д', 'д'), ('𐐀', '𐐨')] {
            assert_eq!(fold(a), fold(b));
        }
        for (a, b) in [('ς', 'σ'), ('İ', 'i'), ('ı', 'i'), ('\u{212a}', 'k'), ('ſ', 's')] {
            assert_ne!(fold(a), fold(b));
        }
    }
}
