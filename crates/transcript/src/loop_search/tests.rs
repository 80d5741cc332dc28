use super::*;
use crate::{Env, TranscriptOptions};

#[test]
fn a_search_in_steps_finds_the_same_loops() {
    let part = |id: &str, path: &str| {
        format!(
            r#"{{"id":"{id}","type":"tool","tool":"read","callID":"{id}","state":{{"status":"completed","input":{{"path":"{path}"}},"output":"text of {path}"}}}}"#
        )
    };
    let message = |i: usize| {
        let path = if i % 10 < 4 { "a".to_owned() } else { format!("file {i}") };
        let part = part(&format!("p{i}"), &path);
        format!(r#"{{"info":{{"id":"m{i}","sessionID":"s","role":"assistant"}},"parts":[{part}]}}"#)
    };
    let all: Vec<String> = (0..60).map(message).collect();
    let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
    let file = format!("[{}]", all.join(","));
    let t = Transcript::open(file.as_bytes(), TranscriptOptions::default(), &mut env).unwrap();
    let expected = t.loops(&Config::default()).unwrap();
    assert!(!expected.is_empty());
    for length in [1, 2, 7, 59, 60, 61] {
        let mut search = LoopSearch::new(Config::default());
        let mut last = 0;
        while search.looked() < t.total_messages() {
            let to = search.looked() + length;
            t.look_for_loops(&mut search, to).unwrap();
            assert!(search.looked() > last && search.looked() <= 60);
            last = search.looked();
        }
        assert_eq!(search.loops(), expected, "{length}");
        // Messages that were read are not read again.
        t.look_for_loops(&mut search, 3).unwrap();
        t.look_for_loops(&mut search, usize::MAX).unwrap();
        assert_eq!((search.looked(), search.loops()), (60, expected.clone()));
    }
}
