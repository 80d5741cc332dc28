//! The whole answers of the four APIs: what a provider sends that streams nothing.

use apex_parts_agents::TokenCounts;
use apex_parts_agents::fields::{any_string, get, items, number, of_kind, pick, raw, string};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::object;
use apex_parts_model::{Kind, View, time};
use apex_parts_providers::RecordedAnswer;
use apex_parts_wire::finish_word;
use std::borrow::Cow;

/// The name of the format that is told by the messages, and of the one of plain texts.
pub(super) const AUTO: &str = "auto";
const PLAIN: &str = "openai-chat";

/// The answer that is a text; `token` is its JSON.
pub(super) fn text_answer(token: &str, path: &'static str) -> RecordedAnswer {
    let messages = format!("{{\"role\":\"assistant\",\"content\":{token}}}");
    RecordedAnswer { format: PLAIN, messages, path, ..RecordedAnswer::default() }
}

/// Tokens as the JSON of a message has them.
pub(super) fn tokens_json(tokens: TokenCounts) -> String {
    let mut json = String::new();
    object(&mut json, |out| tokens.write(out));
    json
}

/// Is the object a whole answer of one of the four APIs?
pub(super) fn is_whole_answer(value: Node<'_>) -> bool {
    api_of(value).is_some()
}

/// The formats of the messages in a whole answer.
#[derive(Clone, Copy)]
enum Api {
    Chat,
    Anthropic,
    Responses,
    Gemini,
}

fn api_of(value: Node<'_>) -> Option<Api> {
    let names = [
        "choices",
        "candidates",
        "output",
        "content",
        "object",
        "type",
        "role",
        "stop_reason",
        "usage",
        "promptFeedback",
    ];
    let [choices, candidates, output, content, object, kind, role, stop, usage, feedback] =
        pick(value, names);
    let is_list = |list| of_kind(list, Kind::Array).is_some();
    let is = |value, word: &str| string(value).as_deref() == Some(word);
    if is_list(choices) {
        let first = items(choices).next();
        let [message, text] = first.map_or([None; 2], |first| pick(first, ["message", "text"]));
        let is_empty = first.is_none() && (usage.is_some() || is(object, "chat.completion"));
        return (is_empty || message.or(text).is_some()).then_some(Api::Chat);
    }
    if is_list(candidates) || (feedback.is_some() && candidates.is_none()) {
        return Some(Api::Gemini);
    }
    if is_list(output) && (is(object, "response") || usage.is_some()) {
        return Some(Api::Responses);
    }
    let is_message = is(kind, "message") && is(role, "assistant");
    (is_message && is_list(content) && (stop.is_some() || usage.is_some()))
        .then_some(Api::Anthropic)
}

/// The answers in it, each with what is said of it: the first has the tokens.
pub(super) fn whole_answers(
    value: Node<'_>,
    json: &str,
    path: &'static str,
) -> Vec<RecordedAnswer> {
    let Some(api) = api_of(value) else { return Vec::new() };
    let names =
        ["model", "modelVersion", "created", "created_at", "createTime", "usage", "usageMetadata"];
    let [model, version, created, created_at, create_time, usage, metadata] = pick(value, names);
    let mut answers = match api {
        Api::Chat => choices(value, json, path),
        Api::Anthropic => {
            let [content, stop] = pick(value, ["content", "stop_reason"]);
            let content = content.map_or("[]", |content| raw(content, json));
            let messages = format!("{{\"role\":\"assistant\",\"content\":{content}}}");
            vec![answer("anthropic", messages, stop, path)]
        }
        Api::Responses => {
            let [output, status, details, error] =
                pick(value, ["output", "status", "incomplete_details", "error"]);
            let reason = get(details, "reason").or(status);
            let items: Vec<_> = items(output).map(|item| raw(item, json)).collect();
            let mut answer = answer("openai-responses", items.join(","), reason, path);
            answer.error = of_kind(error, Kind::Object).and_then(|error| error_text(error, json));
            vec![answer]
        }
        Api::Gemini => candidates(value, json, path),
    };
    if let Some(first) = answers.first_mut() {
        let tokens = of_kind(usage.or(metadata), Kind::Object).and_then(usage_tokens);
        first.tokens = tokens.map(tokens_json);
        first.cost = get(usage, "cost").and_then(|cost| number(Some(cost)));
    }
    let start = seconds_or_ms(created.or(created_at).or(create_time));
    for answer in &mut answers {
        answer.model = string(model.or(version)).map(Cow::into_owned);
        answer.start = start;
    }
    answers
}

/// An answer with the reason for its end.
fn answer(
    format: &'static str,
    messages: String,
    end: Option<Node<'_>>,
    path: &'static str,
) -> RecordedAnswer {
    // What ends as it should is told by the messages: with calls or without.
    let finish = string(end).map(|end| finish_word(Some(&end), false));
    let finish = finish.filter(|word| matches!(*word, "length" | "content-filter"));
    RecordedAnswer { format, messages, path, finish, ..RecordedAnswer::default() }
}

/// The choices of OpenAI's Chat Completions API.
fn choices(value: Node<'_>, json: &str, path: &'static str) -> Vec<RecordedAnswer> {
    let choices = items(get(Some(value), "choices")).map(|choice| {
        let [message, text, finish] = pick(choice, ["message", "text", "finish_reason"]);
        let message = match of_kind(message, Kind::Object) {
            Some(message) => with_role(message, "assistant", json),
            None => {
                text_answer(any_string(text).map_or("\"\"", |text| raw(text, json)), path).messages
            }
        };
        answer("openai-chat", message, finish, path)
    });
    let mut answers: Vec<_> = choices.collect();
    if answers.is_empty() {
        answers.push(text_answer("\"\"", path));
    }
    answers
}

/// The candidates of Google's Gemini API.
fn candidates(value: Node<'_>, json: &str, path: &'static str) -> Vec<RecordedAnswer> {
    let [candidates, feedback] = pick(value, ["candidates", "promptFeedback"]);
    let candidates = items(candidates).map(|candidate| {
        let [content, finish] = pick(candidate, ["content", "finishReason"]);
        let content = of_kind(content, Kind::Object);
        let has_parts = of_kind(get(content, "parts"), Kind::Array).is_some();
        let message = match content.filter(|_| has_parts) {
            Some(content) => with_role(content, "model", json),
            None => "{\"role\":\"model\",\"parts\":[]}".to_owned(),
        };
        answer("gemini", message, finish, path)
    });
    let mut answers: Vec<_> = candidates.collect();
    if answers.is_empty() {
        let reason = string(get(feedback, "blockReason"));
        let error = reason.map(|reason| format!("the request was blocked: {reason}"));
        let messages = String::new();
        let error = error.unwrap_or_else(|| "the answer has no candidates".to_owned());
        answers.push(RecordedAnswer {
            format: "gemini",
            messages,
            path,
            error: Some(error),
            ..RecordedAnswer::default()
        });
    }
    answers
}

/// The JSON of a message that may not say whose it is.
fn with_role(message: Node<'_>, role: &str, json: &str) -> String {
    let own = raw(message, json);
    if string(get(Some(message), "role")).is_some() {
        return own.to_owned();
    }
    let rest = own.get(1..).unwrap_or("}");
    let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
    format!("{{\"role\":\"{role}\"{comma}{rest}")
}

/// The tokens of a usage object of any of the APIs, or of Langfuse, as disjoint counts.
pub(super) fn usage_tokens(usage: Node<'_>) -> Option<TokenCounts> {
    let names = [
        "prompt_tokens",
        "completion_tokens",
        "prompt_tokens_details",
        "completion_tokens_details",
        "input_tokens",
        "output_tokens",
        "input_tokens_details",
        "output_tokens_details",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "promptTokenCount",
        "candidatesTokenCount",
        "thoughtsTokenCount",
        "cachedContentTokenCount",
        "toolUsePromptTokenCount",
        "input",
        "output",
        "promptTokens",
        "completionTokens",
    ];
    let [
        prompt,
        completion,
        prompt_more,
        completion_more,
        input,
        output,
        input_more,
        output_more,
        read,
        written,
        sent,
        received,
        thoughts,
        cached,
        of_tools,
        own_input,
        own_output,
        sdk_input,
        sdk_output,
    ] = pick(usage, names);
    let count = |value| number(value).map(|count| count.max(0.0));
    let or_none = |value| count(value).unwrap_or_default();
    let more = |more, name| get(of_kind(more, Kind::Object), name);
    let known = [
        prompt, completion, input, output, sent, received, own_input, own_output, sdk_input,
        sdk_output,
    ];
    if known.into_iter().all(|value| count(value).is_none()) {
        return None;
    }
    // Gemini's thoughts are counted beside its answer.
    if sent.or(received).is_some() {
        let read = or_none(cached);
        let input = or_none(sent) + or_none(of_tools) - read;
        let counts = TokenCounts {
            input: input.max(0.0),
            output: or_none(received),
            read,
            ..TokenCounts::default()
        };
        return Some(TokenCounts { reasoning: or_none(thoughts), ..counts });
    }
    let all_input = count(prompt).or(count(input)).or(count(own_input)).or(count(sdk_input));
    let all_output =
        count(completion).or(count(output)).or(count(own_output)).or(count(sdk_output));
    let reasoning =
        more(completion_more, "reasoning_tokens").or(more(output_more, "reasoning_tokens"));
    let reasoning = or_none(reasoning);
    let cached = more(prompt_more, "cached_tokens").or(more(input_more, "cached_tokens"));
    // Anthropic's input has neither what was read from the cache nor what was written to it.
    let is_apart = prompt.is_none() && cached.is_none();
    let (read, write) = (count(cached).unwrap_or_else(|| or_none(read)), or_none(written));
    let beside = if is_apart { 0.0 } else { read + write };
    Some(TokenCounts {
        input: (all_input.unwrap_or_default() - beside).max(0.0),
        output: (all_output.unwrap_or_default() - reasoning).max(0.0),
        reasoning,
        read,
        write,
        total: None,
    })
}

/// A time, in milliseconds: a text, or a number of seconds or milliseconds.
#[allow(clippy::cast_precision_loss)] // milliseconds of this era are exact
pub(super) fn seconds_or_ms(value: Option<Node<'_>>) -> Option<f64> {
    /// Seconds of this era are below, milliseconds above.
    const LIMIT: f64 = 1e11;
    let ms = match number(value) {
        Some(number) if number < LIMIT => (number * 1_000.0).round(),
        Some(number) => number,
        None => time::parse(&string(value)?)? as f64,
    };
    Some(ms).filter(|ms| *ms > 0.0 && *ms < 1e15)
}

/// What an error says: a text, or the message of an object, in which another may stand.
pub(super) fn error_text(error: Node<'_>, json: &str) -> Option<String> {
    let mut error = error;
    for _ in 0..4 {
        if error.kind().is_string() {
            return string(Some(error)).map(Cow::into_owned);
        }
        let [message, inner, detail, code] = pick(error, ["message", "error", "detail", "code"]);
        if let Some(text) = string(message).or_else(|| string(detail)) {
            return Some(text.into_owned());
        }
        match of_kind(inner, Kind::Object).or(inner.filter(|inner| inner.kind().is_string())) {
            Some(inner) => error = inner,
            None => {
                return string(code).map(Cow::into_owned).or_else(|| {
                    Some(raw(error, json).to_owned())
                        .filter(|_| error.kind() == Kind::Object && error.fields().next().is_some())
                });
            }
        }
    }
    None
}
