use super::*;
use crate::providers::usage::{TokenCounting, totals_of};
use apex_parts_json::record;
use apex_parts_model::delta::Usage;

fn counted(json: &str) -> Usage {
    totals_of(&[stated(record::read(json, 512).unwrap()).unwrap()], TokenCounting::Included)
}

#[test]
fn output_includes_reasoning() {
    // OpenAI, DeepSeek and others: reasoning is a part of completion_tokens.
    let usage = counted(
        r#"{"prompt_tokens":10,"completion_tokens":30,"total_tokens":40,"completion_tokens_details":{"reasoning_tokens":20}}"#,
    );
    assert_eq!((usage.output, usage.total, usage.reasoning), (30.0, 40.0, Some(20.0)));
    // xAI: reasoning comes on top of completion_tokens, and may be less or more.
    for (completion, reasoning) in [(26, 196), (300, 100)] {
        let total = 10 + completion + reasoning;
        let usage = counted(&format!(
            r#"{{"prompt_tokens":10,"completion_tokens":{completion},"total_tokens":{total},"completion_tokens_details":{{"reasoning_tokens":{reasoning}}}}}"#
        ));
        assert_eq!(usage.output, f64::from(completion + reasoning));
        assert_eq!(usage.total, f64::from(total));
    }
    // Without a total: a part cannot be more than the whole.
    let usage = counted(
        r#"{"prompt_tokens":10,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":20}}"#,
    );
    assert_eq!((usage.output, usage.total), (22.0, 32.0));
}

#[test]
fn counts_under_other_names() {
    let deepseek = counted(r#"{"prompt_tokens":5,"prompt_cache_hit_tokens":4}"#);
    assert_eq!(deepseek.cache_read, Some(4.0));
    let router = counted(
        r#"{"prompt_tokens":5,"cost":0.25,"prompt_tokens_details":{"cached_tokens":1,"cache_write_tokens":2}}"#,
    );
    assert_eq!((router.cost, router.cache_write), (Some(0.25), Some(2.0)));
    let xai = counted(r#"{"prompt_tokens":5,"cost_in_usd_ticks":25000000}"#);
    assert_eq!(xai.cost, Some(0.0025));
    let perplexity = counted(r#"{"prompt_tokens":5,"cost":{"total_cost":0.5}}"#);
    assert_eq!(perplexity.cost, Some(0.5));
    assert!(stated(record::read(r#"{"trace":1}"#, 512).unwrap()).is_none());
}
