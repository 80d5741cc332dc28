//! Questions about the whole file, and about one session.

use super::opened;
use crate::search::{Conditions, Query};
use crate::{
    BreakdownRow, Division, SearchScope, SessionKind, Summarizer, Transcript, TranscriptOptions,
};
use apex_parts_loops::Config;
use std::ops::ControlFlow;

/// A session of Claude Code with a rewound turn and a sub-agent, whose commands failed.
fn file() -> String {
    let line = |uuid: &str, parent: &str, kind: &str, side: bool, message: &str| {
        let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
        let agent = if side { ",\"agentId\":\"ag\"" } else { "" };
        format!(
            r#"{{"parentUuid":{parent},"isSidechain":{side}{agent},"sessionId":"S","type":"{kind}","uuid":"{uuid}","timestamp":"2026-01-01T10:00:0{}Z","message":{message}}}"#,
            uuid.len()
        ) + "\n"
    };
    let user = |uuid: &str, parent: &str, side: bool, text: &str| {
        line(uuid, parent, "user", side, &format!(r#"{{"role":"user","content":"{text}"}}"#))
    };
    let answer = |uuid: &str, parent: &str, side: bool, model: &str| {
        let block = format!(
            r#"{{"type":"tool_use","id":"c{uuid}","name":"Bash","input":{{"command":"make {uuid}"}}}}"#
        );
        let message = format!(
            r#"{{"id":"m{uuid}","role":"assistant","model":"{model}","content":[{block}],"stop_reason":"tool_use","usage":{{"input_tokens":1,"output_tokens":10}}}}"#
        );
        let result = format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c{uuid}","content":"no rule {uuid}","is_error":true}}]}}"#
        );
        let call = line(uuid, parent, "assistant", side, &message);
        call + &line(&format!("r{uuid}"), uuid, "user", side, &result)
    };
    [
        user("u1", "", false, "ask one"),
        answer("a1", "u1", false, "main-model"),
        user("s1", "", true, "ask sub"),
        answer("s2", "s1", true, "sub-model"),
        user("u2", "ra1", false, "ask two"),
        answer("a2", "u2", false, "left-model"),
        user("u3", "ra1", false, "ask three"),
        answer("a3", "u3", false, "main-model"),
    ]
    .concat()
}

fn transcript() -> Transcript {
    opened(file().as_bytes(), TranscriptOptions::default()).unwrap()
}

const IDS: [&str; 3] = ["S", "S/branch-1", "ag"];

#[test]
fn sessions_have_a_kind() {
    let kinds: Vec<_> =
        transcript().sessions().into_iter().map(|session| (session.id, session.kind)).collect();
    let expected = [SessionKind::Main, SessionKind::Branch, SessionKind::Task];
    assert_eq!(kinds, IDS.map(str::to_owned).into_iter().zip(expected).collect::<Vec<_>>());
}

#[test]
fn totals_are_of_the_whole_file() {
    let t = transcript();
    let stats = t.stats();
    assert_eq!((stats.messages, stats.tools["Bash"].errors, stats.tokens.output), (8, 4, 40.0));
    let mut sum = 0;
    for (id, output) in IDS.into_iter().zip([20.0, 10.0, 10.0]) {
        let own = t.stats_of(id).unwrap().unwrap();
        assert_eq!(own.tokens.output, output, "{id}");
        sum += own.messages;
    }
    assert_eq!(sum, stats.messages);
    assert_eq!(t.stats_of("none").unwrap(), None);
}

#[test]
fn a_summary_is_of_the_whole_file_or_of_a_session() {
    let t = transcript();
    let summary = |mut summarizer: Summarizer| {
        t.summarize(&mut summarizer, usize::MAX).unwrap();
        t.summary(&summarizer)
    };
    let whole = summary(Summarizer::default());
    assert_eq!((whole.failed, whole.requests), (4, 2));
    assert_eq!(whole.models, ["main-model", "left-model", "sub-model"]);
    assert_eq!(whole.asked.unwrap().text, "ask one");
    let at = whole.failures.last().unwrap();
    assert_eq!((at.at.session_id.as_deref(), at.at.message), (Some("ag"), 1));
    let sub = summary(Summarizer::of_session("ag"));
    assert_eq!((sub.failed, sub.requests, sub.models), (1, 1, vec!["sub-model".to_owned()]));
    assert_eq!(sub.asked.unwrap().text, "ask sub");
    assert_eq!(sub.failures[0].at.session_id.as_deref(), Some("ag"));
}

#[test]
fn a_breakdown_is_of_the_whole_file_or_of_a_session() {
    let t = transcript();
    let rows = |mut summarizer: Summarizer, by: Division| -> Vec<BreakdownRow> {
        t.summarize(&mut summarizer, usize::MAX).unwrap();
        t.breakdown(&summarizer, by, &(f64::NEG_INFINITY..=f64::INFINITY))
    };
    let tools = rows(Summarizer::default(), Division::Tool);
    assert_eq!((tools.len(), tools[0].calls, tools[0].failed), (1, 4, 4));
    let mut models: Vec<_> = rows(Summarizer::default(), Division::Model)
        .into_iter()
        .map(|row| (row.name, row.calls))
        .collect();
    apex_parts_model::order::sort_by(&mut models, |a, b| a.cmp(b));
    let expected = [("left-model", 1), ("main-model", 2), ("sub-model", 1)];
    assert_eq!(models, expected.map(|(name, calls)| (name.to_owned(), calls)));
    let steps = rows(Summarizer::default(), Division::Step);
    assert_eq!(steps.iter().filter(|row| row.session.as_deref() == Some("ag")).count(), 1);
    assert_eq!(rows(Summarizer::of_session("ag"), Division::Tool)[0].calls, 1);
}

#[test]
fn a_search_finds_what_is_in_any_session() {
    let t = transcript();
    let query = Query::new("no rule", false);
    let places = |found: Vec<crate::Found>| -> Vec<(Option<String>, usize)> {
        found.into_iter().map(|hit| (hit.session, hit.message)).collect()
    };
    let of = |session: &str| Some(session.to_owned());
    let all = [(None, 1), (None, 3), (of("S/branch-1"), 1), (of("ag"), 1)];
    assert_eq!(places(t.search(&query, 10).unwrap()), all);
    assert_eq!(places(t.search(&query, 3).unwrap()), all[..3]);
    let within = |scope: &SearchScope<'_>| {
        let mut found = Vec::new();
        let conditions = Conditions::literal(query.clone(), usize::MAX);
        t.each_match_of(&conditions, scope, &mut |(session, message), _, _| {
            found.push((session.map(str::to_owned), message));
            ControlFlow::Continue(())
        })
        .unwrap();
        let mut parts = Vec::new();
        t.each_part_of(scope, &mut |(session, message), _, _| {
            parts.push((session.map(str::to_owned), message));
            true
        })
        .unwrap();
        assert!(found.iter().all(|place| parts.contains(place)));
        found
    };
    let of_agent = SearchScope { session: Some("ag"), range: None };
    assert_eq!(within(&of_agent), [(of("ag"), 1)]);
    let of_range = SearchScope { session: None, range: Some(2..9) };
    assert_eq!(within(&of_range), [(None, 3)]);
}

#[test]
fn sessions_in_one_list_are_told_apart() {
    let message = |id: &str, session: &str, text: &str| {
        format!(
            r#"{{"info":{{"id":"{id}","sessionID":"{session}","role":"user"}},"parts":[{{"id":"p","sessionID":"{session}","messageID":"{id}","type":"text","text":"{text}"}}]}}"#
        )
    };
    let all = [
        message("m1", "A", "x"),
        message("m2", "B", "x"),
        message("m3", "A", "x"),
        message("m4", "B", "x"),
    ];
    let bytes = format!("[{}]", all.join(","));
    let t = opened(bytes.as_bytes(), TranscriptOptions::default()).unwrap();
    let found = t.search(&Query::new("x", false), 10).unwrap();
    let places: Vec<_> = found.iter().map(|hit| (hit.session.as_deref(), hit.message)).collect();
    // Those of the main session are places in the list, which is shown whole.
    assert_eq!(places, [(None, 0), (Some("B"), 0), (None, 2), (Some("B"), 1)]);
    assert_eq!(t.stats_of("B").unwrap().unwrap().messages, 2);
    let mut summarizer = Summarizer::of_session("B");
    t.summarize(&mut summarizer, usize::MAX).unwrap();
    assert_eq!(t.summary(&summarizer).requests, 2);
    assert!(t.loops(&Config::default()).unwrap().is_empty());
}
