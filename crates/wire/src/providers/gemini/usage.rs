//! Gemini's usage: running totals, which chunks repeat.

use crate::providers::usage::count;
use apex_parts_json::record::Val;
use apex_parts_model::delta::Usage;

/// The totals of `usageMetadata`; `None` if it counts nothing.
pub(crate) fn totals(usage: Val<'_>) -> Option<Usage> {
    let [prompt, tools, answer, thoughts, cached, total] = usage.fields(&[
        "promptTokenCount",
        "toolUsePromptTokenCount",
        "candidatesTokenCount",
        "thoughtsTokenCount",
        "cachedContentTokenCount",
        "totalTokenCount",
    ]);
    let all = [prompt, tools, answer, thoughts, total].map(count);
    if all.iter().all(Option::is_none) {
        return None;
    }
    let [prompt, tools, answer, thoughts, total] = all;
    let input = prompt.unwrap_or_default() + tools.unwrap_or_default();
    let output = answer.unwrap_or_default() + thoughts.unwrap_or_default();
    Some(Usage {
        input,
        output,
        total: total.filter(|t| *t > 0.0).unwrap_or(input + output),
        cache_read: count(cached),
        reasoning: thoughts,
        ..Usage::default()
    })
}

/// Whether these totals may belong to the same response as those before them: the prompt is the
/// same, and the total is not smaller.
pub(crate) fn continues(before: Val<'_>, now: Val<'_>) -> bool {
    let names = &["promptTokenCount", "totalTokenCount"];
    let [prompt, total] = before.fields(names).map(count);
    let [prompt_now, total_now] = now.fields(names).map(count);
    let other_prompt = prompt.zip(prompt_now).is_some_and(|(old, new)| old != new);
    !other_prompt && !total.zip(total_now).is_some_and(|(old, new)| new < old)
}
