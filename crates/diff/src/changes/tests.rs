use super::*;
use proptest::prelude::*;

fn check(old: &[&[u8]], new: &[&[u8]], steps: usize) -> usize {
    let found = within_steps(old, new, steps);
    let (mut made, mut at) = (Vec::new(), 0);
    for change in &found {
        assert!(made.is_empty() || change.old.start > at || at == 0, "{found:?}");
        made.extend_from_slice(&old[at..change.old.start]);
        assert_eq!(made.len(), change.new.start);
        made.extend_from_slice(&new[change.new.clone()]);
        at = change.old.end;
    }
    made.extend_from_slice(&old[at..]);
    assert_eq!(made, new);
    found.iter().map(|change| change.old.len() + change.new.len()).sum()
}

/// The number of lines that no shortest list of changes can do without.
fn fewest(old: &[&[u8]], new: &[&[u8]]) -> usize {
    let mut row = vec![0; new.len() + 1];
    for a in old {
        let mut diagonal = 0;
        for (j, b) in new.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if a == b { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    old.len() + new.len() - 2 * row[new.len()]
}

proptest! {
    #[test]
    fn changes_lead_from_old_to_new_and_are_the_fewest(
        old in proptest::collection::vec(0usize..4, 0..24),
        new in proptest::collection::vec(0usize..4, 0..24),
        steps in 0usize..60,
    ) {
        let texts: [&[u8]; 4] = [b"a\n", b"b\n", b"c\n", b"d"];
        let old: Vec<_> = old.iter().map(|i| texts[*i]).collect();
        let new: Vec<_> = new.iter().map(|i| texts[*i]).collect();
        prop_assert_eq!(check(&old, &new, MOST_STEPS), fewest(&old, &new));
        check(&old, &new, steps);
    }
}

#[test]
fn lists_that_differ_in_very_many_places_end_soon() {
    let (old, new) = (hostile(1), hostile(2));
    let old: Vec<&[u8]> = old.iter().map(Vec::as_slice).collect();
    let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).collect();
    check(&old, &new, 2_000_000);
}

fn hostile(seed: u64) -> Vec<Vec<u8>> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed);
        state >> 33
    };
    (0..100_000).map(|_| vec![b'a' + (next() % 20) as u8, b'\n']).collect()
}
