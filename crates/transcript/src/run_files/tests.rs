use super::*;

fn meta(id: &str, more: &str) -> String {
    format!(r#"{{"type":"session_meta","payload":{{"id":"{id}"{more}}}}}"#)
}
/// The runs of files, each session as the places of its files.
fn runs(files: &[(&str, &str)]) -> Vec<Vec<Vec<usize>>> {
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, head)| (*path, head.as_bytes())).collect();
    let runs = run_files(&files);
    runs.iter().map(|run| run.iter().map(|session| session.files.clone()).collect()).collect()
}

#[test]
fn sub_agents_of_sub_agents_are_of_one_run_in_any_order() {
    let files = [
        ("3.jsonl", meta("c", r#","parent_thread_id":"b""#)),
        (
            "2.jsonl",
            meta("b", r#","source":{"subagent":{"thread_spawn":{"parent_thread_id":"a"}}}"#),
        ),
        ("1.jsonl", meta("a", "")),
        ("4.jsonl", meta("d", r#","parent_thread_id":"gone""#)),
        ("5.jsonl", meta("e", r#","forked_from_id":"a""#)),
    ];
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, head)| (*path, head.as_bytes())).collect();
    let all = run_files(&files);
    let places: Vec<Vec<_>> =
        all.iter().map(|run| run.iter().map(|s| (s.files.clone(), s.parent)).collect()).collect();
    assert_eq!(
        places,
        [
            vec![(vec![2], None), (vec![1], Some(0)), (vec![0], Some(1))],
            vec![(vec![3], None)],
            vec![(vec![4], None)],
        ]
    );
}

#[test]
fn the_files_of_a_thread_are_in_the_order_in_which_they_were_begun() {
    let at = |second: u32, base: &str| {
        meta("a", &format!(r#","timestamp":"2026-01-01T00:00:{second:02}Z"{base}"#))
    };
    let base = r#","history_base":{"thread_id":"a","end_ordinal_exclusive":3}"#;
    let [third, first, second] = [at(30, base), at(10, ""), at(20, base)];
    assert_eq!(runs(&[("z", &third), ("y", &first), ("x", &second)]), [[[1, 2, 0]]]);
    // Those without the first are of one session too.
    assert_eq!(runs(&[("z", &third), ("x", &second)]), [[[1, 0]]]);
}

#[test]
fn copies_and_circles_are_runs_of_their_own() {
    let a = meta("a", "");
    assert_eq!(runs(&[("1", &a), ("2", &a)]), [[[0]], [[1]]]);
    let [b, c] = [meta("b", r#","parent_thread_id":"c""#), meta("c", r#","parent_thread_id":"b""#)];
    assert_eq!(runs(&[("1", &b), ("2", &c)]), [[[0]], [[1]]]);
    let own = meta("b", r#","parent_thread_id":"b""#);
    assert_eq!(runs(&[("1", &own)]), [[[0]]]);
    assert_eq!(runs(&[]), Vec::<Vec<Vec<usize>>>::new());
}

#[test]
fn sub_agents_in_a_folder_of_their_session() {
    let files = [
        ("p/s/subagents/agent-7.jsonl", "{}"),
        ("p/s/subagents/agent-7.meta.json", "{}"),
        ("p/s.jsonl", "{}"),
        ("q/s.jsonl", "{}"),
        ("q/t/subagents/agent-8.jsonl", "{}"),
    ];
    assert_eq!(runs(&files), [vec![vec![2], vec![0]], vec![vec![3]], vec![vec![4]]]);
    let files = files.map(|(path, head)| (path, head.as_bytes()));
    assert_eq!(run_files(&files)[0][1].description, Some(1));
    let chat = |id: &str, kind: &str| {
        format!(r#"{{"sessionId":"{id}","projectHash":"h","kind":"{kind}"}}"#)
    };
    let [main, agent] = [chat("g", "main"), chat("k", "subagent")];
    assert_eq!(runs(&[("c/session-1.jsonl", &main), ("c/g/k.jsonl", &agent)]), [[[0], [1]]]);
    // Without its folder it is not known whose it is.
    assert_eq!(runs(&[("session-1.jsonl", &main), ("k.jsonl", &agent)]), [[[0]], [[1]]]);
    // The folder that is opened may be that of the chats.
    assert_eq!(runs(&[("session-1.jsonl", &main), ("g/k.jsonl", &agent)]), [[[0], [1]]]);
}
