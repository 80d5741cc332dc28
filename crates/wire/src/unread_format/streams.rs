//! Forms of streams: they are told by a whole record.

use apex_parts_json::record::Val;
use std::borrow::Cow;

/// The forms of objects: a name, and what shows it. A form may have several lines.
///
/// All words of a line must hold. A word is a path of fields, joined by dots (`0` is the first element of an array), with
/// what its value has to be: nothing (it is there), `?` (there or `null`), `"` `{` `[` `!` (a string, an object, an array,
/// true or false), `=a|b` (one of these strings), `^a|b` (a string that begins so), `$a` (one that ends so), `~` (a word in
/// capitals). `-path`: it is not there. `+a,b`: the record has no fields but these.
#[rustfmt::skip]
const UNREAD: [(&str, &str); 48] = [
    ("events of LangChain", "event^on_ data run_id"),
    ("the stream of OpenAI's Assistants", "object^thread."),
    ("Mistral's Conversations", "type^conversation.response|message.output.delta|tool.execution|function.call.delta"),
    ("OpenAI's Realtime API", "type^session.created|session.updated|response.audio|response.output_audio"),
    ("OpenAI's Realtime API", "type^response. response.object=realtime.response"),
    ("OpenAI's Realtime API", "type^response. response_id\" event_id\""),
    ("Cohere v1", "event_type\" is_finished"),
    ("DashScope's own stream", "output{ request_id -object -type"),
    ("the stream of HF TGI", "token{ generated_text?"),
    ("llama.cpp's /completion", "content\" stop! id_slot"),
    ("llama.cpp's /completion", "content\" stop! tokens_predicted"),
    ("Cursor stream-json", "type=assistant session_id\" message{ -message.id"),
    ("Cursor stream-json", "type=tool_call call_id tool_call{"),
    ("Mastra", "runId\" from~ payload{ type\""),
    ("OpenAI Agents SDK", "type=raw_model_stream_event|run_item_stream_event|agent_updated_stream_event"),
    ("LangChain messages", "lc type=constructor id["),
    ("Gemini Live", "serverContent{ +serverContent,usageMetadata"),
    ("Gemini Live", "setupComplete{ +setupComplete"),
    ("Gemini Live", "toolCall.functionCalls[ +toolCall,usageMetadata"),
    ("A2A", "jsonrpc result.kind=task|status-update|artifact-update"),
    ("ACP", "jsonrpc method=session/update"),
    ("Google ADK", "invocationId\" author\""),
    ("Strands", "event.messageStart{"),
    ("Strands", "event.contentBlockStart{"),
    ("Strands", "event.contentBlockDelta{"),
    ("Strands", "event.contentBlockStop{"),
    ("Strands", "event.messageStop{"),
    ("Cloudflare Workers AI", "response\" p +response,p,usage,tool_calls"),
    ("Cloudflare Workers AI", "response\" usage +response,p,usage,tool_calls"),
    ("watsonx", "results.0.generated_text\" model_id\""),
    ("Bedrock Llama", "generation\" stop_reason?"),
    ("Bedrock Titan", "outputText\" completionReason?"),
    ("Dify", "event\" task_id answer"),
    ("Dify", "event\" task_id metadata"),
    ("Letta", "message_type$_message"),
    ("Grok stream-json", "type=thought|text data\""),
    ("Grok stream-json", "type=end stopReason"),
    ("pi --mode json", "assistantMessageEvent{"),
    ("pi --mode json", "type=agent_start|turn_start -id"),
    ("Cline --json", "type=agent_event event{"),
    ("Cline --json", "type=hook_event hookEventName"),
    ("Cline --json", "type=run_start providerId"),
    ("Cline --json", "type=run_result text finishReason"),
    ("Baidu ERNIE", "is_end! result\""),
    ("MiniMax", "choices.0.messages.0.sender_type\""),
    ("Codex exec --json", "type=thread.started thread_id\""),
    ("Codex exec --json", "type=item.started|item.updated|item.completed item{"),
    ("Gemini stream-json", "type=init session_id\" model\""),
];

/// Does a word of a sign hold for a record?
fn holds(word: &str, fields: &Fields<'_>) -> bool {
    if let Some(names) = word.strip_prefix('+') {
        return fields.iter().all(|(field, _)| names.split(',').any(|name| **field == *name));
    }
    if let Some(path) = word.strip_prefix('-') {
        return !value_at(path, fields).exists();
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let name = word.trim_start_matches(is_of_name);
    let value = value_at(word.strip_suffix(name).unwrap_or(word), fields);
    let text = value.token();
    let mut names = name.chars();
    let kind = names.next();
    let mut words = names.as_str().split('|');
    match kind {
        None => value.exists(),
        Some('?') => !value.raw().is_empty(),
        Some('"') => value.is_string(),
        Some('{') => value.is_object(),
        Some('[') => value.is_array(),
        Some('!') => matches!(value.raw(), "true" | "false"),
        Some('=') => words.any(|word| text == word),
        Some('^') => words.any(|word| text.starts_with(word)),
        Some('$') => words.any(|word| text.ends_with(word)),
        Some(_) => {
            let is_capital = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-');
            !text.is_empty() && text.bytes().all(is_capital)
        }
    }
}

/// The fields of a record, which are read once for all signs.
type Fields<'a> = [(Cow<'a, str>, Val<'a>)];

/// The value at a path of fields.
fn value_at<'a>(path: &str, fields: &Fields<'a>) -> Val<'a> {
    let mut names = path.split('.');
    let first = names.next().unwrap_or_default();
    let outer = fields.iter().rfind(|(field, _)| **field == *first);
    names.fold(outer.map(|(_, value)| *value).unwrap_or_default(), |value, name| match name {
        "0" => value.items().next().unwrap_or_default(),
        name => value.get(name),
    })
}

/// The names of LangGraph's SSE events whose data are messages or updates.
const LANGGRAPH: [&str; 6] =
    ["messages", "messages/partial", "messages/complete", "messages/metadata", "updates", "values"];

/// The form of a record; `root` is missing if it is not JSON.
pub(super) fn name_of(event: &str, text: &str, root: Option<Val<'_>>) -> Option<&'static str> {
    let object = root.filter(|root| root.is_object());
    let is_graph = match event {
        "metadata" => object.is_some_and(|root| root.get("run_id").is_string()),
        event if crate::READS_PROVIDERS && LANGGRAPH.contains(&event) => {
            ["AIMessageChunk", "\"langgraph_"].iter().any(|sign| text.contains(sign))
        }
        _ => false,
    };
    if is_graph {
        return Some("LangGraph");
    }
    if event == "output" && root.is_none_or(Val::is_string) {
        return Some("Replicate");
    }
    if let Some(root) = object {
        let fields: Vec<_> = root.entries().collect();
        let shows = |sign: &str| sign.split(' ').all(|word| holds(word, &fields));
        return UNREAD.iter().find(|(_, sign)| shows(sign)).map(|(name, _)| *name);
    }
    if text.trim_start().starts_with("aui-state:[") {
        return Some("assistant-stream");
    }
    is_data_stream(text).then_some("a data stream of the AI SDK 4")
}

/// A line such as `0:"Hel"` or `d:{"finishReason":"stop"}`.
fn is_data_stream(text: &str) -> bool {
    let mut bytes = text.trim_start().bytes();
    let (code, colon, first) = (bytes.next(), bytes.next(), bytes.next());
    code.is_some_and(|code| code.is_ascii_digit() || (b'a'..=b'k').contains(&code))
        && colon == Some(b':')
        && first.is_some_and(|first| matches!(first, b'"' | b'{' | b'['))
}
