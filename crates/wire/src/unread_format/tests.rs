use super::{unread_format, unread_line};
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
        (r#"aui-state:[{"type":"set","path":[],"value":1}]"#, "assistant-stream"),
        (
            r#"{"type":"response.created","response":{"object":"realtime.response","id":"r"}}"#,
            "Realtime",
        ),
        (r#"{"type":"response.done","event_id":"e","response_id":"r"}"#, "Realtime"),
        (
            r#"{"type":"assistant","session_id":"s","message":{"role":"assistant","content":[]}}"#,
            "Cursor",
        ),
        (r#"{"type":"tool_call","call_id":"c","tool_call":{}}"#, "Cursor"),
        (r#"{"type":"start","runId":"r","from":"AGENT","payload":{}}"#, "Mastra"),
        (r#"{"type":"run_item_stream_event","item":{}}"#, "Agents SDK"),
        (r#"{"lc":1,"type":"constructor","id":["a"],"kwargs":{}}"#, "LangChain messages"),
        (r#"{"serverContent":{"turnComplete":true},"usageMetadata":{}}"#, "Gemini Live"),
        (r#"{"toolCall":{"functionCalls":[]}}"#, "Gemini Live"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"kind":"status-update"}}"#, "A2A"),
        (r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#, "ACP"),
        (r#"{"invocationId":"i","author":"a","content":{}}"#, "Google ADK"),
        (r#"{"event":{"messageStart":{"role":"assistant"}}}"#, "Strands"),
        (r#"{"response":"Hel","p":"abc"}"#, "Cloudflare"),
        (r#"{"model_id":"m","results":[{"generated_text":"a"}]}"#, "watsonx"),
        (r#"{"generation":"Hel","stop_reason":null}"#, "Llama"),
        (r#"{"outputText":"Hel","completionReason":null}"#, "Titan"),
        (r#"{"event":"message","task_id":"t","answer":"a"}"#, "Dify"),
        (r#"{"message_type":"assistant_message","content":"a"}"#, "Letta"),
        (r#"{"type":"thought","data":"a"}"#, "Grok"),
        (r#"{"type":"message_update","assistantMessageEvent":{}}"#, "pi"),
        (r#"{"type":"agent_start"}"#, "pi"),
        (r#"{"type":"agent_event","event":{"type":"content_start"}}"#, "Cline"),
        (r#"{"type":"hook_event","hookEventName":"agent_start"}"#, "Cline"),
        (r#"{"type":"run_result","text":"Done.","finishReason":"stop"}"#, "Cline"),
        (r#"{"object":"chat.completion","is_end":false,"result":"a"}"#, "ERNIE"),
        (r#"{"choices":[{"messages":[{"sender_type":"BOT"}]}]}"#, "MiniMax"),
        // Those of files, too.
        (r#"{"type":"item.completed","item":{"id":"i"}}"#, "Codex exec"),
        (r#"{"working_dir":"/w","message_count":2}"#, "Goose"),
        (r#"{"uuid":"u","sessionId":"s","message":{"role":"user","parts":[]}}"#, "Qwen"),
    ] {
        let found = unread_format("", json, record::read(json, 16).ok()).unwrap_or_default();
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
        r#"{"type":"response.output_text.delta","response_id":"r","sequence_number":3,"delta":"a"}"#,
        r#"{"type":"assistant","session_id":"s","message":{"id":"msg_1","content":[]}}"#,
        r#"{"type":"system","subtype":"init","session_id":"s"}"#,
        r#"{"type":"text","runId":"r","from":"agent","payload":{}}"#,
        r#"{"model":"m","response":"Hel","usage":{}}"#,
        r#"{"serverContent":{},"candidates":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#,
    ] {
        assert_eq!(unread_format("", json, record::read(json, 16).ok()), None, "{json}");
    }
}

#[test]
fn names_of_events_count() {
    let name = |event, json| unread_format(event, json, record::read(json, 16).ok());
    assert_eq!(name("metadata", r#"{"run_id":"r","attempt":1}"#), Some("LangGraph"));
    let chunk = r#"[{"content":"a","type":"AIMessageChunk"}]"#;
    assert_eq!(name("messages/partial", chunk), Some("LangGraph"));
    assert_eq!(name("updates", r#"{"agent":{"langgraph_node":"a"}}"#), Some("LangGraph"));
    assert_eq!(name("output", "Hel"), Some("Replicate"));
    assert_eq!(name("output", r#"{"text":"a"}"#), None);
    assert_eq!(name("messages", r#"{"type":"message"}"#), None);
}

#[test]
fn a_line_is_one_of_a_data_stream_only_with_json() {
    assert_eq!(unread_line(r#"0:"Hello""#), Some("a data stream of the AI SDK 4"));
    assert_eq!(unread_line(r#"aui-state:[{"type":"set"}]"#), Some("assistant-stream"));
    for line in [r#"a:"no end"#, "a:{b}", "data: {}", "{}", ""] {
        assert_eq!(unread_line(line), None, "{line}");
    }
}
