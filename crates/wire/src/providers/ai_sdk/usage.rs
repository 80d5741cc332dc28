//! Usage, in the spellings of the AI SDK's versions.

use crate::providers::usage::{Stated, count};
use apex_parts_json::record::Val;
use apex_parts_model::delta::Usage;

/// A usage object; `None` if it has neither input nor output. The counts are numbers, with the details beside them or in
/// objects of their own, or objects with a total and its parts.
pub(crate) fn usage_of(usage: Val<'_>) -> Option<Stated> {
    let names = &[
        "inputTokens",
        "outputTokens",
        "totalTokens",
        "reasoningTokens",
        "cachedInputTokens",
        "inputTokenDetails",
        "outputTokenDetails",
    ];
    let [input, output, total, reasoning, cached, input_details, output_details] =
        usage.fields(names);
    let total_of = |value: Val<'_>| count(value).or_else(|| count(value.get("total")));
    let (of_input, of_output) = (total_of(input), total_of(output));
    if of_input.is_none() && of_output.is_none() {
        return None;
    }
    let first = |values: [Val<'_>; 3]| values.into_iter().find_map(count);
    let none = Val::default();
    Some(Stated {
        input: of_input,
        output: of_output,
        total: count(total),
        cache_read: first([cached, input_details.get("cacheReadTokens"), input.get("cacheRead")]),
        cache_write: first([none, input_details.get("cacheWriteTokens"), input.get("cacheWrite")]),
        reasoning: first([
            reasoning,
            output_details.get("reasoningTokens"),
            output.get("reasoning"),
        ]),
        ..Stated::default()
    })
}

/// Adds what a step states.
pub(crate) fn sum(all: &mut Usage, more: Stated) {
    let add = |to: &mut Option<f64>, more: Option<f64>| {
        if let Some(more) = more {
            *to = Some(to.unwrap_or_default() + more);
        }
    };
    let (input, output) = (more.input.unwrap_or_default(), more.output.unwrap_or_default());
    all.input += input;
    all.output += output;
    all.total += more.total.unwrap_or(input + output);
    add(&mut all.cache_read, more.cache_read);
    add(&mut all.cache_write, more.cache_write);
    add(&mut all.reasoning, more.reasoning);
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use apex_parts_json::record;

    fn read(json: &str) -> Option<Stated> {
        usage_of(record::read(json, 8).unwrap())
    }

    fn sum_of(steps: &[&str]) -> Usage {
        let mut all = Usage::default();
        steps.iter().for_each(|step| sum(&mut all, read(step).unwrap()));
        all
    }

    #[test]
    fn every_spelling() {
        let expected = Usage {
            input: 10.0,
            output: 5.0,
            total: 15.0,
            cache_read: Some(8.0),
            reasoning: Some(3.0),
            ..Usage::default()
        };
        for json in [
            r#"{"inputTokens":10,"outputTokens":5,"totalTokens":15,"reasoningTokens":3,"cachedInputTokens":8}"#,
            r#"{"inputTokens":10,"inputTokenDetails":{"cacheReadTokens":8},"outputTokens":5,"outputTokenDetails":{"reasoningTokens":3}}"#,
            r#"{"inputTokens":{"total":10,"cacheRead":8},"outputTokens":{"total":5,"reasoning":3}}"#,
        ] {
            assert_eq!(sum_of(&[json]), expected, "{json}");
        }
        assert!(read("{}").is_none());
        assert!(read(r#"{"inputTokens":{"total":null},"outputTokens":-1}"#).is_none());
    }

    #[test]
    fn steps_are_summed() {
        let all = sum_of(&[
            r#"{"inputTokens":1,"outputTokens":2}"#,
            r#"{"inputTokens":10,"outputTokens":20,"reasoningTokens":4}"#,
        ]);
        assert_eq!((all.input, all.output, all.total), (11.0, 22.0, 33.0));
        assert_eq!((all.reasoning, all.cache_read), (Some(4.0), None));
    }
}
