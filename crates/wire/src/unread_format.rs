//! Formats of streams that are recognised, so that an error can name them, but not read.

use apex_parts_json::record::Val;

/// The name of the format of a record, if it is one that is not read; `root` is missing if the record is not JSON.
pub(crate) fn unread_format(text: &str, root: Option<Val<'_>>) -> Option<&'static str> {
    let Some(root) = root.filter(|root| root.is_object()) else {
        return is_data_stream(text).then_some("a data stream of the AI SDK 4");
    };
    let [kind, object, event, event_type] = root.fields(&["type", "object", "event", "event_type"]);
    let has = |names: &[&str]| names.iter().all(|name| root.get(name).exists());
    let begins =
        |value: Val<'_>, words: &[&str]| words.iter().any(|word| value.token().starts_with(word));
    if begins(event, &["on_"]) && has(&["data", "run_id"]) {
        return Some("events of LangChain");
    }
    if begins(object, &["thread."]) {
        return Some("the stream of OpenAI's Assistants");
    }
    if begins(
        kind,
        &["conversation.response", "message.output.delta", "tool.execution", "function.call.delta"],
    ) {
        return Some("Mistral's Conversations");
    }
    if begins(
        kind,
        &["session.created", "session.updated", "response.audio", "response.output_audio"],
    ) {
        return Some("OpenAI's Realtime API");
    }
    if event_type.is_string() && has(&["is_finished"]) {
        return Some("Cohere v1");
    }
    if root.get("output").is_object() && has(&["request_id"]) && !object.exists() && !kind.exists()
    {
        return Some("DashScope's own stream");
    }
    if root.get("token").is_object() && root.entries().any(|(name, _)| name == "generated_text") {
        return Some("the stream of HF TGI");
    }
    let is_llama = root.get("content").is_string()
        && matches!(root.get("stop").raw(), "true" | "false")
        && (has(&["id_slot"]) || has(&["tokens_predicted"]));
    is_llama.then_some("llama.cpp's /completion")
}

/// A line such as `0:"Hel"` or `d:{"finishReason":"stop"}`.
fn is_data_stream(text: &str) -> bool {
    let mut bytes = text.trim_start().bytes();
    let (code, colon, first) = (bytes.next(), bytes.next(), bytes.next());
    code.is_some_and(|code| code.is_ascii_digit() || (b'a'..=b'k').contains(&code))
        && colon == Some(b':')
        && first.is_some_and(|first| matches!(first, b'"' | b'{' | b'['))
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::unread_format;
    use apex_parts_json::record;

    #[test]
    fn what_is_not_read_has_a_name() {
        for (json, name) in [
            (r#"{"event":"on_chat_model_stream","data":{},"run_id":"r"}"#, "LangChain"),
            (r#"{"object":"thread.run","id":"x"}"#, "Assistants"),
            (r#"{"type":"conversation.response.started"}"#, "Conversations"),
            (r#"{"type":"session.created","session":{}}"#, "Realtime"),
            (r#"{"event_type":"text-generation","is_finished":false}"#, "Cohere v1"),
            (r#"{"output":{"text":"a"},"request_id":"r"}"#, "DashScope"),
            (r#"{"token":{"text":"a"},"generated_text":null}"#, "TGI"),
            (r#"{"content":"a","stop":false,"id_slot":0}"#, "llama.cpp"),
            (r#"0:"Hello""#, "AI SDK 4"),
        ] {
            let found = unread_format(json, record::read(json, 16).ok()).unwrap_or_default();
            assert!(found.contains(name), "{json}: {found}");
        }
    }

    #[test]
    fn a_shared_word_is_not_enough() {
        for json in [
            r#"{"event":"message","data":{}}"#,
            r#"{"output":"text","request_id":"r"}"#,
            r#"{"content":"a","stop":"end"}"#,
            r#"{"event_type":"done","data":{}}"#,
            r#"id: 7"#,
        ] {
            assert_eq!(unread_format(json, record::read(json, 16).ok()), None, "{json}");
        }
    }
}
