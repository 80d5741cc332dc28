//! Gemini's usage: running totals, which chunks repeat.

use crate::providers::usage::{Stated, count};
use apex_parts_json::record::Val;

/// What `usageMetadata` states; `None` if it counts nothing.
pub(crate) fn stated(usage: Val<'_>) -> Option<Stated> {
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
    let [input, tools, output, reasoning, total] = all;
    let cache_read = count(cached);
    Some(Stated { input, tools, output, reasoning, total, cache_read, ..Stated::default() })
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
