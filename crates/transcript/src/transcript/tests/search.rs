//! Search in a transcript that is held in memory or read again from its host.
#![cfg(not(target_arch = "wasm32"))]

use super::pieces::{files, host, message};
use crate::Found;
use crate::loader::HELD;
use crate::search::strings::error_strings;
use crate::search::{Conditions, Hit, MatchColumns, Query};
use crate::transcript::{Transcript, TranscriptOptions};
use apex_parts_agents::Env;
use apex_parts_json::tape::Tape;
use apex_parts_model::{Key, View};
use proptest::prelude::*;
use std::ops::{ControlFlow, Range};

/// The search by its definition: every part is read and searched.
fn by_definition(t: &Transcript, query: &Query) -> Vec<Found> {
    let (mut found, mut tape) = (Vec::new(), Tape::default());
    for (message, fact) in t.messages().iter().enumerate() {
        let bytes = t.message(message).unwrap().unwrap();
        assert_eq!(fact.size as usize, bytes.len());
        tape.read(&bytes, 0).unwrap();
        let root = tape.root(&bytes);
        let conditions = Conditions::literal(query.clone(), usize::MAX);
        let _ = conditions.in_strings(&|visit| error_strings(root, visit), &mut |shown| {
            found.push(Found { session: None, message, part: None, hit: shown.hit() });
            ControlFlow::Continue(())
        });
        for (part, node) in tape.root(&bytes).get(Key::Parts).children().enumerate() {
            let _ = query.in_part(&bytes, node, &mut |shown| {
                let part = Some(part);
                found.push(Found { session: None, message, part, hit: shown.hit() });
                ControlFlow::Continue(())
            });
        }
    }
    found
}

type Row<'a> = (u32, u32, &'a str, u32, u32);

fn row(found: &Found) -> Row<'_> {
    let index = |n| u32::try_from(n).unwrap();
    let Hit { field, start, end, .. } = &found.hit;
    (index(found.message), found.part.map_or(u32::MAX, index), field, *start, *end)
}

fn rows(columns: &MatchColumns) -> Vec<Row<'_>> {
    let field = |i: usize| columns.field_names[columns.fields[i] as usize].as_str();
    let MatchColumns { messages, parts, starts, ends, .. } = columns;
    let one = |i| (messages[i], parts[i], field(i), starts[i], ends[i]);
    (0..messages.len()).map(one).collect()
}

#[test]
fn a_search_finds_all_matches_in_the_parts() {
    let mut all = 0;
    for file in files() {
        let bytes = file.as_bytes();
        let mut env = Env { now_ms: 0.0, new_id: &mut String::new };
        for options in [TranscriptOptions::default(), host(bytes)] {
            let t = Transcript::open(bytes, options, &mut env).unwrap();
            for text in ["x", "INFO", "é", "ses_1", "\u{1f600}", "xxxxxxx", "\\ \n", "t", "nowhere"]
            {
                let query = Query::new(text, false);
                let expected = by_definition(&t, &query);
                all += expected.len();
                assert_eq!(t.search(&query, usize::MAX).unwrap(), expected, "{text}");
                for limit in [0, 1, 3] {
                    let some: Vec<_> = expected.iter().take(limit).cloned().collect();
                    assert_eq!(t.search(&query, limit).unwrap(), some, "{text}");
                }
                for limit in [0, 1, 3, expected.len(), usize::MAX] {
                    let some = expected.get(..limit).unwrap_or(&expected);
                    let columns = t.search_columns(&query, limit).unwrap();
                    assert_eq!(rows(&columns), some.iter().map(row).collect::<Vec<_>>(), "{text}");
                    assert_eq!(columns.is_capped, expected.len() > limit, "{text}");
                }
            }
        }
    }
    assert!(all > 1000, "{all}");
}

/// The matches and the parts of consecutive ranges of messages, which end before these indexes.
fn in_ranges(t: &Transcript, query: &Query, ends: &[usize]) -> (Vec<Found>, Vec<(usize, usize)>) {
    let (mut found, mut parts, mut from) = (Vec::new(), Vec::new(), 0);
    for to in ends {
        let conditions = Conditions::literal(query.clone(), usize::MAX);
        t.each_match(&conditions, from..*to, &mut |message, part, shown| {
            assert!((from..*to).contains(&message), "{message} is not in {from}..{to}");
            found.push(Found { session: None, message, part, hit: shown.hit() });
            ControlFlow::Continue(())
        })
        .unwrap();
        t.each_part(from..*to, &mut |message, part, _| {
            parts.push((message, part));
            true
        })
        .unwrap();
        from = *to;
    }
    (found, parts)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn searches_in_ranges_add_up_to_the_whole_search(
        which in 0_usize..13,
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let file = files().swap_remove(which);
        let mut env = Env { now_ms: 0.0, new_id: &mut String::new };
        for options in [TranscriptOptions::default(), host(file.as_bytes())] {
            let t = Transcript::open(file.as_bytes(), options, &mut env).unwrap();
            let mut ends: Vec<_> = cuts.iter().map(|cut| cut.index(t.message_count() + 2)).collect();
            ends.sort_unstable();
            ends.push(usize::MAX);
            for text in ["x", "é", "t", "xxxxxxx"] {
                let query = Query::new(text, false);
                let (found, parts) = in_ranges(&t, &query, &ends);
                prop_assert_eq!(&found, &t.search(&query, usize::MAX).unwrap());
                prop_assert_eq!(parts, in_ranges(&t, &query, &[usize::MAX]).1);
            }
        }
    }
}

/// Some ranges end within a held slice, some span several.
#[test]
fn ranges_of_a_long_file() {
    let messages: Vec<String> = (0..12_000).map(|i| message(i % 40).to_string()).collect();
    let file = messages.join("\n");
    let bytes = file.as_bytes();
    assert!(bytes.len() > 4 * HELD / 3);
    let query = Query::new("é", false);
    let mut counts = Vec::new();
    for options in [TranscriptOptions::default(), host(bytes)] {
        let mut env = Env { now_ms: 0.0, new_id: &mut String::new };
        let mut t = Transcript::new(options);
        for piece in bytes.chunks(1_000_003) {
            t.push(piece, &mut env).unwrap();
        }
        t.end(&mut env).unwrap();
        let all = t.search(&query, usize::MAX).unwrap();
        for step in [7, 1000, 5999] {
            let ends: Vec<usize> = (step..12_000 + step).step_by(step).collect();
            assert!(in_ranges(&t, &query, &ends).0 == all, "{step}");
        }
        counts.push(all.len());
    }
    assert!(counts[0] > 1000 && counts[0] == counts[1], "{counts:?}");
}

#[test]
fn the_byte_range_of_messages_begins_and_ends_with_them() {
    for file in files() {
        let bytes = file.as_bytes();
        let mut env = Env { now_ms: 0.0, new_id: &mut String::new };
        for options in [TranscriptOptions::default(), host(bytes)] {
            let t = Transcript::open(bytes, options, &mut env).unwrap();
            let count = t.message_count();
            for (from, to) in [(0, 1), (0, count), (count - 1, usize::MAX), (count / 2, count)] {
                let place = t.byte_range(from..to).unwrap();
                let at = |offset| usize::try_from(offset).unwrap();
                let own = &bytes[at(place.start)..at(place.end)];
                if t.lost().iter().any(|problem| problem.message.contains("whole parts")) {
                    // The damage is blanked in what is read, but not in the file.
                    continue;
                }
                assert!(own.starts_with(&t.message(from).unwrap().unwrap()));
                assert!(own.ends_with(&t.message(to.min(count) - 1).unwrap().unwrap()));
            }
            let backwards = Range { start: 2, end: 1 };
            for none in [0..0, count..count + 5, backwards] {
                assert_eq!(t.byte_range(none.clone()), None, "{none:?}");
                let conditions = Conditions::literal(Query::new("t", false), 1);
                t.each_match(&conditions, none, &mut |_, _, _| panic!("found")).unwrap();
            }
        }
    }
}
