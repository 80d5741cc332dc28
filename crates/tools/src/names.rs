//! Names that are near to one that does not exist.

use apex_parts_model::order;

/// Longer names are compared by their first characters only.
const LONGEST: usize = 64;

/// The indexes of the names nearest to `wanted`, the best first and at most `most` of them: first those
/// of which one contains the other, whatever their case, then by the number of characters to change, as
/// long as that is at most a third of the longer name. The name itself is never among them.
///
/// ```
/// use apex_parts_tools::names::nearest;
///
/// assert_eq!(nearest("reed", &["write", "read", "grep"], 3), [1]);
/// assert_eq!(nearest("app.ts", &["App.tsx", "app.ts", "main.rs"], 3), [0]);
/// ```
#[must_use]
pub fn nearest(wanted: &str, names: &[&str], most: usize) -> Vec<usize> {
    let folded: Vec<char> = fold(wanted);
    let mut ranked: Vec<(bool, usize, usize)> = Vec::new();
    for (index, name) in names.iter().enumerate().filter(|(_, name)| **name != wanted) {
        let other = fold(name);
        let apart = distance(&folded, &other);
        let has = contains(&folded, &other) || contains(&other, &folded);
        if has || apart * 3 <= folded.len().max(other.len()) {
            ranked.push((!has, apart, index));
        }
    }
    // By name where nothing else differs, so that the order of a folder does not show.
    order::sort_by(&mut ranked, |a, b| (a.0, a.1, names.get(a.2)).cmp(&(b.0, b.1, names.get(b.2))));
    ranked.into_iter().take(most).map(|(_, _, index)| index).collect()
}

fn fold(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Whether one contains the other, which has at least two characters.
fn contains(whole: &[char], piece: &[char]) -> bool {
    piece.len() > 1 && whole.windows(piece.len()).any(|window| window == piece)
}

/// The least number of characters to insert, remove or replace (Levenshtein).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b) {
            let replaced = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn containment_comes_before_distance_and_neither_cares_for_case() {
        let names = ["hello.txt", "hallo.py", "HELLO.PYC", "zebra"];
        assert_eq!(nearest("hello.py", &names, 3), [2, 1, 0]);
        assert_eq!(nearest("hello.py", &names, 1), [2]);
    }

    #[test]
    fn the_name_itself_and_far_ones_are_left_out() {
        assert!(nearest("read", &["read", "task"], 3).is_empty());
        assert_eq!(nearest("Read", &["read"], 3), [0]);
        assert!(nearest("x", &["xylophone"], 3).is_empty());
    }

    #[test]
    fn distances_are_those_of_levenshtein() {
        let of = |a: &str, b: &str| {
            distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        assert_eq!(of("kitten", "sitting"), 3);
        assert_eq!(of("", "abc"), 3);
        assert_eq!(of("abc", ""), 3);
        assert_eq!(of("same", "same"), 0);
    }

    #[test]
    fn long_names_cost_what_short_ones_do() {
        let long = "x".repeat(1 << 20);
        assert_eq!(nearest(&long, &[&format!("{long}y")], 1).len(), 1);
    }
}
