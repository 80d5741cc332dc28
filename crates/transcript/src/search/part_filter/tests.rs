use super::*;
use crate::search::{Condition, Conditions, Query, QueryOptions, TextPattern, parse_query};
use crate::transcript::{Transcript, TranscriptOptions};
use apex_parts_agents::Env;
use std::ops::ControlFlow;

/// Two messages: what the user said, and an answer of two steps with three calls, which has an error.
const RUN: &str = r#"[
{"info":{"id":"m1","sessionID":"s","role":"user","agent":"build","time":{"created":1}},"parts":[
  {"id":"p1","type":"text","text":"words"}]},
{"info":{"id":"m2","sessionID":"s","role":"assistant","agent":"plan","time":{"created":10,"completed":20010},
  "error":{"name":"APIError","data":{"message":"Overloaded, words"}}},"parts":[
  {"id":"q0","type":"step-start"},
  {"id":"q1","type":"tool","tool":"bash","callID":"a","state":{"status":"completed","input":{},"output":"no words","title":"t","metadata":{"exit":0},"time":{"start":1,"end":12001}}},
  {"id":"q2","type":"tool","tool":"webfetch","callID":"b","state":{"status":"error","input":{},"error":"gone","time":{"start":1,"end":501}}},
  {"id":"q3","type":"step-finish","reason":"stop","cost":0.04,"tokens":{"input":900,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}},
  {"id":"q4","type":"reasoning","text":"words","time":{"start":1,"end":101}},
  {"id":"q5","type":"future","text":"words"},
  {"id":"q6","type":"step-finish","reason":"stop","cost":0.03,"tokens":{"input":300,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}},
  {"id":"q7","type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{},"output":"no rule","title":"t","metadata":{"exit":-1073741510},"time":{"start":1,"end":2}}}]}]"#;

/// A regular expression that has no special characters.
struct PlainPattern(String);

impl TextPattern for PlainPattern {
    fn matches(&self, text: &str, most: usize) -> Vec<(u32, u32)> {
        let lower = text.to_lowercase();
        let found = lower.match_indices(&self.0).take(most);
        let unit =
            |at: usize| u32::try_from(text.get(..at).unwrap().encode_utf16().count()).unwrap();
        found.map(|(at, words)| (unit(at), unit(at + words.len()))).collect()
    }
}

/// The parts that a query finds: `1.2` the third part of the second message, `1` its error.
fn passing(query: &str, as_patterns: bool) -> String {
    let mut env = Env { now_ms: 5.0, new_id: &mut || "id".to_owned() };
    let t = Transcript::open(RUN.as_bytes(), TranscriptOptions::default(), &mut env).unwrap();
    let parsed = parse_query(query, QueryOptions::default(), &mut |_| None).unwrap();
    let texts = parsed.terms.into_iter().map(|term| {
        if as_patterns {
            return Condition::Pattern(Box::new(PlainPattern(term.text)));
        }
        Condition::Literal(Box::new(Query::new(&term.text, false)))
    });
    let conditions = Conditions { texts: texts.collect(), filters: parsed.filters, most: 9 };
    let mut found: Vec<String> = Vec::new();
    t.each_match_of(&conditions, &crate::SearchScope::default(), &mut |(_, message), part, _| {
        found.push(part.map_or(message.to_string(), |part| format!("{message}.{part}")));
        ControlFlow::Continue(())
    })
    .unwrap();
    found.dedup();
    found.join(" ")
}

#[test]
fn parts_pass_by_what_the_index_knows() {
    for (query, expected) in [
        ("role:user", "0.0"),
        ("-role:user type:tool", "1.1 1.2 1.7"),
        ("agent:plan words", "1 1.1 1.4"),
        ("tool:web*", "1.2"),
        ("tool:*", "1.1 1.2 1.7"),
        ("type:tool -tool:bash", "1.2"),
        ("status:error", "1 1.2"),
        ("status:error tool:bash", ""),
        ("status:completed", "1.1"),
        ("status:failed", "1.2 1.7"),
        ("status:failed,error", "1 1.2 1.7"),
        ("status:requested", ""),
        ("exit:0", "1.1"),
        ("exit:3221225786", "1.7"),
        ("exit:-1073741510", "1.7"),
        ("-exit:0 tool:*", "1.2 1.7"),
        ("type:reasoning", "1.4"),
        ("type:custom", "1.5"),
        ("type:future", "1.5"),
        ("type:past", ""),
        ("type:step-*", "1.0 1.3 1.6"),
        ("cost>0.035", "1.3"),
        ("cost>=0.04", "1.3"),
        ("cost>0.04", ""),
        ("tokens>=300", "1.3 1.6"),
        ("dur>10s", "1.1"),
        ("dur<200ms", "1.4 1.7"),
        ("tool:webfetch cost>=0.07", "1.2"),
        ("tool:webfetch cost>0.07", ""),
        ("words cost>0.05 type:reasoning", "1.4"),
        ("words dur>15s", "1"),
        ("words", "0.0 1 1.1 1.4"),
        ("\"words\" \"no\"", "1.1"),
        ("overloaded", "1"),
        ("overloaded tool:bash", ""),
        ("overloaded status:error", "1"),
    ] {
        assert_eq!(passing(query, false), expected, "{query}");
        // Every message is read then, and not only what may have the text.
        assert_eq!(passing(query, true), expected, "{query}");
    }
}

#[test]
fn a_cost_in_32_bits_is_what_was_written() {
    for cost in [0.05_f32, 0.1, 12.3, 0.06, 0.07, 0.0228, 0.000_001_5, 123.4567] {
        let written: f64 = cost.to_string().parse().unwrap();
        assert!((decimal(cost) - written).abs() < written * 1e-14, "{cost}");
        let third = decimal(((written / 3.0 * 1e7).round() / 1e7) as f32);
        let rest = decimal((written - third) as f32);
        for (than, holds) in [(">=", true), ("<=", true), (">", false), ("<", false)] {
            assert_eq!(
                FilterAmount::Cost.compares(third + rest, than, written),
                holds,
                "{cost} {than}"
            );
        }
    }
    assert_eq!((decimal(0.0), decimal(-1.0)), (0.0, -1.0));
    assert!(decimal(f32::NAN).is_nan() && decimal(f32::INFINITY).is_infinite());
}
