//! Usage, in the spellings of the AI SDK's versions.

use crate::providers::usage::count;
use apex_parts_json::record::Val;
use apex_parts_model::delta::Usage;

/// A usage object; `None` if it has neither input nor output. The counts are numbers, with the details beside them or in
/// objects of their own, or objects with a total and its parts.
pub(crate) fn usage_of(usage: Val<'_>) -> Option<Usage> {
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
    let (of_input, of_output) = (of_input.unwrap_or_default(), of_output.unwrap_or_default());
    let none = Val::default();
    Some(Usage {
        input: of_input,
        output: of_output,
        total: count(total).unwrap_or(of_input + of_output),
        cache_read: first([cached, input_details.get("cacheReadTokens"), input.get("cacheRead")]),
        cache_write: first([none, input_details.get("cacheWriteTokens"), input.get("cacheWrite")]),
        reasoning: first([
            reasoning,
            output_details.get("reasoningTokens"),
            output.get("reasoning"),
        ]),
        ..Usage::default()
    })
}

/// The sum of the usage of steps.
pub(crate) fn sum(all: &mut Usage, more: Usage) {
    let add = |to: &mut Option<f64>, more: Option<f64>| {
        if let Some(more) = more {
            *to = Some(to.unwrap_or_default() + more);
        }
    };
    all.input += more.input;
    all.output += more.output;
    all.total += more.total;
    add(&mut all.cache_read, more.cache_read);
    add(&mut all.cache_write, more.cache_write);
    add(&mut all.reasoning, more.reasoning);
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use apex_parts_json::record;

    fn read(json: &str) -> Option<Usage> {
        usage_of(record::read(json, 8).unwrap())
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
            assert_eq!(read(json), Some(expected), "{json}");
        }
        assert_eq!(read("{}"), None);
        assert_eq!(read(r#"{"inputTokens":{"total":null},"outputTokens":-1}"#), None);
    }

    #[test]
    fn steps_are_summed() {
        let mut all = read(r#"{"inputTokens":1,"outputTokens":2}"#).unwrap();
        sum(&mut all, read(r#"{"inputTokens":10,"outputTokens":20,"reasoningTokens":4}"#).unwrap());
        assert_eq!((all.input, all.output, all.total), (11.0, 22.0, 33.0));
        assert_eq!((all.reasoning, all.cache_read), (Some(4.0), None));
    }
}
