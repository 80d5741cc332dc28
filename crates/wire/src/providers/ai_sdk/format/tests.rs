//! The three dialects, as tables: records, and what each of them says. What is said of a whole stream is in the package's
//! tests and in those of `apex-parts-assemble`.

use super::*;
use crate::providers::Provider;
use crate::sniff;
use apex_parts_model::delta::{MergePolicy, Piece};

/// An output in one line: what it is, and its values.
fn line(one: ReaderOutput<'_>) -> String {
    let piece = |piece: Piece<'_>| piece.text.into_owned();
    let of_delta = |payload| match payload {
        Payload::Start { model_id, request_id } => format!("start {model_id:?} {request_id:?}"),
        Payload::Text(text) => format!("text {}", piece(text)),
        Payload::Thinking(text) => format!("thinking {}", piece(text)),
        Payload::Block(block) => {
            let kind = if block.kind == BlockKind::Text { "text" } else { "thinking" };
            let number = block.block.unwrap_or_default();
            let line = format!("{kind}[{number}] {}", piece(block.text));
            format!("{line} {}", block.provider.unwrap_or_default()).trim_end().to_owned()
        }
        Payload::Custom { name, provider, .. } => format!("custom {name} {provider}"),
        Payload::Reset { since } => format!("reset {since}"),
        Payload::ToolCallStart { id, name, provider } => {
            format!("call {id} {name} {}", provider.unwrap_or_default()).trim_end().to_owned()
        }
        Payload::ToolCallArgs { id, text } => format!("args {id} {}", piece(text)),
        Payload::ToolCallEnd { id, provider } => {
            format!("end {id} {}", provider.unwrap_or_default()).trim_end().to_owned()
        }
        Payload::Usage(u) => {
            let details = [("r", u.cache_read), ("w", u.cache_write), ("t", u.reasoning)];
            let details = details.iter().filter_map(|(name, n)| n.map(|n| format!(" {name}{n}")));
            format!("usage {}+{}={}{}", u.input, u.output, u.total, details.collect::<String>())
        }
        Payload::Done { finish_reason } => format!("done {finish_reason}"),
        Payload::Error(error) => {
            let (message, again) = (error.message.unwrap_or_default(), error.retryable);
            format!("error {} {message:?} {again:?}", error.code)
        }
    };
    match one {
        ReaderOutput::Delta(payload) => of_delta(payload),
        ReaderOutput::Ids { model_id, request_id } => format!("ids {model_id:?} {request_id:?}"),
        ReaderOutput::ToolResult { id, is_error, content, .. } => {
            format!("{} {id} {content}", if is_error { "failed" } else { "result" })
        }
        ReaderOutput::Provider { name, value, keep } => match keep {
            MergePolicy::Last => format!("{name} = {value}"),
            MergePolicy::All => format!("{name} + {value}"),
            MergePolicy::Placed => format!("{name} here {value}"),
            MergePolicy::Merged(number) => format!("{name} {number} {value}"),
            other => format!("{name} {other:?} {value}"),
        },
        ReaderOutput::Step => "step".to_owned(),
        ReaderOutput::WholeCall(whole) => {
            format!("whole {} {} {}", whole.id, whole.name.unwrap_or_default(), whole.args)
        }
        ReaderOutput::ResetStep => "reset step".to_owned(),
        other => format!("{other:?}"),
    }
}

/// What each of these records says; the last element is what the end says. Warnings that nothing became a part are left out.
fn said(records: &[&str]) -> Vec<Vec<String>> {
    let mut reader = Provider::AiSdk.reader();
    let mut all = vec![Vec::new(); records.len() + 1];
    let take = |said: &mut Vec<String>, one: ReaderOutput<'_>| {
        if !matches!(one, ReaderOutput::Warning { rule: "empty", .. }) {
            said.push(line(one));
        }
    };
    for (record, said) in records.iter().zip(&mut all) {
        reader.record("", record.as_bytes(), &mut |one| take(said, one)).unwrap();
    }
    reader.end(&mut |one| take(&mut all[records.len()], one));
    all
}

/// Each record of the table must say this, one line each, in the one stream that they are. The end says the last line.
fn table(rows: &[(&str, &[&str])], end: &[&str]) {
    let records: Vec<_> = rows.iter().map(|(record, _)| *record).collect();
    let all = said(&records);
    for ((record, expected), said) in rows.iter().zip(&all) {
        assert_eq!(said, expected, "{record}");
    }
    assert_eq!(all[rows.len()], end);
}

/// What the last of these records says, and the end.
fn last(records: &[&str]) -> Vec<String> {
    said(records).split_off(records.len() - 1).concat()
}

const START: &str = r#"{"type":"start","messageId":"m"}"#;
const MODEL: &str = r#"{"type":"stream-start","warnings":[]}"#;
const FULL: &str = r#"{"type":"start-step","request":{},"warnings":[]}"#;

#[test]
fn a_ui_message_stream() {
    table(
        &[
            (
                r#"{"type":"start","messageId":"m","messageMetadata":{"model":"x","tag":1}}"#,
                &[r#"start "x" "m""#, r#"messageMetadata Deep {"model":"x","tag":1}"#],
            ),
            (r#"{"type":"start-step"}"#, &["step"]),
            (r#"{"type":"reasoning-start","id":"0"}"#, &["thinking[1]"]),
            (r#"{"type":"reasoning-delta","id":"0","delta":"Hm"}"#, &["thinking Hm"]),
            (
                r#"{"type":"reasoning-end","id":"0","providerMetadata":{"a":{"signature":"s"}}}"#,
                &[
                    r#"providerMetadata here {"a":{"signature":"s"}}"#,
                    r#"thinking[1]  {"a":{"signature":"s"}}"#,
                ],
            ),
            (r#"{"type":"text-delta","id":"1","delta":""}"#, &[]),
            (r#"{"type":"text-delta","id":"1","delta":"Hi"}"#, &["text[2] Hi"]),
            (
                r#"{"type":"tool-input-start","toolCallId":"c","toolName":"go","dynamic":true}"#,
                &["call c go", r#"toolCalls 0 {"dynamic":true,"toolCallId":"c"}"#],
            ),
            (
                r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"{}"}"#,
                &["args c {}"],
            ),
            (
                r#"{"type":"tool-input-available","toolCallId":"c","toolName":"go","input":{},"title":"Go"}"#,
                &[r#"toolCalls 0 {"title":"Go","toolCallId":"c"}"#, "whole c go {}", "end c"],
            ),
            (
                r#"{"type":"tool-input-available","toolCallId":"d","toolName":"to","input":{"n":1}}"#,
                &["call d to", r#"args d {"n":1}"#, "end d"],
            ),
            (
                r#"{"type":"tool-input-error","toolCallId":"e","toolName":"no","input":"{","errorText":"bad"}"#,
                &["call e no", r#"args e "{""#, "end e", r#"failed e "bad""#],
            ),
            (
                r#"{"type":"tool-output-available","toolCallId":"c","output":1,"preliminary":true}"#,
                &[],
            ),
            (
                r#"{"type":"tool-output-available","toolCallId":"c","output":[2]}"#,
                &["result c [2]"],
            ),
            (
                r#"{"type":"tool-output-error","toolCallId":"d","errorText":"no"}"#,
                &[r#"failed d "no""#],
            ),
            (r#"{"type":"tool-output-denied","toolCallId":"d"}"#, &[r#"failed d "denied""#]),
            (
                r#"{"type":"tool-approval-request","approvalId":"a","toolCallId":"c"}"#,
                &[
                    r#"approvals + {"approvalId":"a","toolCallId":"c","type":"tool-approval-request"}"#,
                    r#"end c {"approval":{"id":"a"}}"#,
                ],
            ),
            (
                r#"{"type":"source-url","sourceId":"s","url":"u"}"#,
                &[
                    r#"sources + {"sourceId":"s","type":"source-url","url":"u"}"#,
                    r#"custom ai-sdk-source-url {"ai-sdk":{"part":{"type":"source-url","sourceId":"s","url":"u"}}}"#,
                ],
            ),
            (
                r#"{"type":"file","url":"u","mediaType":"image/png"}"#,
                &[
                    r#"files here {"mediaType":"image/png","type":"file","url":"u"}"#,
                    r#"custom ai-sdk-file {"ai-sdk":{"part":{"type":"file","url":"u","mediaType":"image/png"}}}"#,
                ],
            ),
            (
                r#"{"type":"data-plan","id":"p","data":{"a":1}}"#,
                &[
                    r#"data-plan Replaced(0) {"a":1}"#,
                    r#"custom ai-sdk-data-plan {"ai-sdk":{"part":{"type":"data-plan","id":"p","data":{"a":1}}}}"#,
                ],
            ),
            (r#"{"type":"data-plan","data":2,"transient":true}"#, &[]),
            (r#"{"type":"finish-step"}"#, &[]),
            (
                r#"{"type":"finish","messageMetadata":{"totalUsage":{"inputTokens":3,"outputTokens":4}}}"#,
                &[
                    r#"messageMetadata Deep {"totalUsage":{"inputTokens":3,"outputTokens":4}}"#,
                    "usage 3+4=7",
                ],
            ),
        ],
        &["done stop"],
    );
}

#[test]
fn the_parts_of_a_model() {
    table(
        &[
            (
                r#"{"type":"stream-start","warnings":[{"type":"other"}]}"#,
                &[r#"start "" """#, r#"warnings = [{"type":"other"}]"#],
            ),
            (
                r#"{"type":"response-metadata","id":"r","modelId":"m","timestamp":"t"}"#,
                &[r#"ids "m" "r""#, r#"timestamp = "t""#],
            ),
            (r#"{"type":"response-metadata","id":"r2","modelId":"m2"}"#, &[]),
            (r#"{"type":"text-start","id":"0"}"#, &["text[1]"]),
            (r#"{"type":"text-delta","id":"0","delta":"Hi"}"#, &["text Hi"]),
            (
                r#"{"type":"text-delta","id":"0","delta":"!","providerMetadata":{"a":{"n":1}}}"#,
                &[r#"providerMetadata here {"a":{"n":1}}"#, "text !"],
            ),
            (r#"{"type":"text-end","id":"0"}"#, &[r#"text[1]  {"a":{"n":1}}"#]),
            (r#"{"type":"raw","rawValue":{"choices":[]}}"#, &[]),
            (
                r#"{"type":"tool-input-start","id":"c","toolName":"go","providerExecuted":true,"providerMetadata":{"a":{"n":2}}}"#,
                &[
                    r#"providerMetadata here {"a":{"n":2},"toolCallId":"c"}"#,
                    r#"call c go {"a":{"n":2},"providerExecuted":true}"#,
                    r#"toolCalls 0 {"providerExecuted":true,"toolCallId":"c"}"#,
                ],
            ),
            (r#"{"type":"tool-input-delta","id":"c","delta":""}"#, &[]),
            (r#"{"type":"tool-input-delta","id":"c","delta":"{}"}"#, &["args c {}"]),
            (r#"{"type":"tool-input-end","id":"c"}"#, &[]),
            (
                r#"{"type":"tool-call","toolCallId":"c","toolName":"go","input":"{}"}"#,
                &["whole c go {}", "end c"],
            ),
            (
                r#"{"type":"tool-call","toolCallId":"d","toolName":"to","input":"[1]"}"#,
                &["call d to", "args d [1]", "end d"],
            ),
            (
                r#"{"type":"tool-result","toolCallId":"c","toolName":"go","result":{"a":1},"isError":true}"#,
                &[r#"failed c {"a":1}"#],
            ),
            (
                r#"{"type":"source","sourceType":"url","id":"s","url":"u"}"#,
                &[
                    r#"sources + {"id":"s","sourceType":"url","type":"source","url":"u"}"#,
                    r#"custom ai-sdk-source {"ai-sdk":{"part":{"type":"source","sourceType":"url","id":"s","url":"u"}}}"#,
                ],
            ),
            (
                r#"{"type":"reasoning-file","mediaType":"image/png","data":"aGk="}"#,
                &[
                    r#"files here {"data":"aGk=","mediaType":"image/png","type":"reasoning-file"}"#,
                    r#"custom ai-sdk-reasoning-file {"ai-sdk":{"part":{"type":"reasoning-file","mediaType":"image/png","data":"aGk="}}}"#,
                ],
            ),
            (
                r#"{"type":"custom","kind":"a.b"}"#,
                &[
                    r#"custom + {"kind":"a.b","type":"custom"}"#,
                    r#"custom ai-sdk-custom {"ai-sdk":{"part":{"type":"custom","kind":"a.b"}}}"#,
                ],
            ),
            (
                r#"{"type":"finish","finishReason":{"unified":"length","raw":"max"},"usage":{"inputTokens":{"total":10,"cacheRead":8,"cacheWrite":1},"outputTokens":{"total":5,"reasoning":3}}}"#,
                &[
                    "usage 10+5=15 r8 w1 t3",
                    r#"usage = {"inputTokens":{"cacheRead":8,"cacheWrite":1,"total":10},"outputTokens":{"reasoning":3,"total":5}}"#,
                    r#"rawFinishReason = "max""#,
                ],
            ),
        ],
        &["done length"],
    );
}

#[test]
fn the_full_stream_of_several_steps() {
    table(
        &[
            // It emits nothing: another format may begin with the same record.
            (r#"{"type":"start"}"#, &[]),
            (FULL, &[r#"start "" """#, "step"]),
            (r#"{"type":"reasoning-delta","id":"0","text":"Hm"}"#, &["thinking[1] Hm"]),
            (
                r#"{"type":"tool-input-start","id":"c","toolName":"go","dynamic":false}"#,
                &["call c go"],
            ),
            (r#"{"type":"tool-input-delta","id":"c","delta":"{\"a\":1}"}"#, &[r#"args c {"a":1}"#]),
            (
                r#"{"type":"tool-call","toolCallId":"c","toolName":"go","input":{"a":1}}"#,
                &["whole c go {\"a\":1}", "end c"],
            ),
            (
                r#"{"type":"tool-call","toolCallId":"d","toolName":"to","input":"say","invalid":true,"error":{"name":"E"}}"#,
                &[
                    "call d to",
                    r#"toolCalls 0 {"error":{"name":"E"},"invalid":true,"toolCallId":"d"}"#,
                    r#"args d "say""#,
                    "end d",
                ],
            ),
            (
                r#"{"type":"tool-result","toolCallId":"c","input":{},"output":"x","preliminary":true}"#,
                &[],
            ),
            (
                r#"{"type":"tool-result","toolCallId":"c","input":{},"output":"sunny"}"#,
                &[r#"result c "sunny""#],
            ),
            (r#"{"type":"tool-error","toolCallId":"d","error":"boom"}"#, &[r#"failed d "boom""#]),
            (
                r#"{"type":"tool-output-denied","toolCallId":"e","toolName":"no"}"#,
                &[r#"failed e "denied""#],
            ),
            (
                r#"{"type":"finish-step","response":{"id":"r","modelId":"m","headers":{"h":"1"}},"usage":{"inputTokens":10,"outputTokens":1}}"#,
                &[r#"ids "m" "r""#, r#"headers = {"h":"1"}"#],
            ),
            (FULL, &["step"]),
            (r#"{"type":"text-delta","id":"1","text":"Done"}"#, &["text[2] Done"]),
            (r#"{"type":"text-delta","textDelta":"."}"#, &["text ."]),
            (
                r#"{"type":"file","file":{"base64Data":"aGk="}}"#,
                &[
                    r#"files here {"file":{"base64Data":"aGk="},"type":"file"}"#,
                    r#"custom ai-sdk-file {"ai-sdk":{"part":{"type":"file","file":{"base64Data":"aGk="}}}}"#,
                ],
            ),
            (
                r#"{"type":"finish-step","response":{"id":"r2","modelId":"m2"},"usage":{"inputTokens":20,"outputTokens":2,"inputTokenDetails":{"cacheReadTokens":4}}}"#,
                &[],
            ),
            (
                r#"{"type":"finish","finishReason":"stop","rawFinishReason":"end_turn"}"#,
                &["usage 30+3=33 r4", r#"rawFinishReason = "end_turn""#],
            ),
        ],
        // Not `tool-calls`: the SDK has run them.
        &["done stop"],
    );
}

#[test]
fn a_string_is_json_text_in_the_parts_of_a_model() {
    let call = |input: &str| {
        format!(r#"{{"type":"tool-call","toolCallId":"c","toolName":"go","input":{input}}}"#)
    };
    for (input, of_model, of_full) in [
        (r#""{\"a\":1}""#, r#"{"a":1}"#, r#"{"a":1}"#),
        (r#""[1]""#, "[1]", r#""[1]""#),
        (r#""say""#, "say", r#""say""#),
        (r#"{"a":1}"#, r#"{"a":1}"#, r#"{"a":1}"#),
        (r#""""#, "", r#""""#),
    ] {
        let metadata = r#"{"type":"response-metadata","id":"r"}"#;
        for (first, args) in [(MODEL, of_model), (metadata, of_model), (FULL, of_full)] {
            let args = format!("args c {args}");
            let args = [args.as_str()].into_iter().filter(|args| *args != "args c ");
            let expected: Vec<_> = ["call c go"].into_iter().chain(args).chain(["end c"]).collect();
            assert_eq!(last(&[first, &call(input)]), expected, "{first} {input}");
        }
    }
}

#[test]
fn a_reason_is_a_word_or_two() {
    for (reason, raw, done) in [
        (r#""finishReason":"tool-calls""#, "tool-calls", "tool-calls"),
        (
            r#""finishReason":"content-filter","rawFinishReason":"SAFETY""#,
            "SAFETY",
            "content-filter",
        ),
        (r#""finishReason":{"unified":"error","raw":"oops"}"#, "oops", "error"),
        (r#""finishReason":{"unified":"stop"}"#, "stop", "stop"),
        (r#""finishReason":"unknown""#, "unknown", "other"),
        (r#""finishReason":null"#, "", "stop"),
    ] {
        let finish = format!(r#"{{"type":"finish",{reason}}}"#);
        let raw = Some(raw).filter(|raw| !raw.is_empty());
        let raw = raw.map(|raw| format!("rawFinishReason = {raw:?}"));
        let expected: Vec<_> = raw.into_iter().chain([format!("done {done}")]).collect();
        assert_eq!(last(&[MODEL, &finish]), expected, "{reason}");
    }
    let wrong = br#"{"type":"finish","finishReason":7}"#;
    assert!(Provider::AiSdk.reader().record("", wrong, &mut |_| {}).is_err());
}

#[test]
fn usage_in_the_spellings_of_all_versions() {
    for (usage, expected) in [
        (
            r#""usage":{"inputTokens":9,"outputTokens":4,"totalTokens":14,"reasoningTokens":2,"cachedInputTokens":6}"#,
            "usage 9+4=14 r6 t2",
        ),
        (
            r#""totalUsage":{"inputTokens":9,"inputTokenDetails":{"cacheReadTokens":6,"cacheWriteTokens":1},"outputTokens":4,"outputTokenDetails":{"reasoningTokens":2}},"usage":{"inputTokens":1,"outputTokens":1}"#,
            "usage 9+4=13 r6 w1 t2",
        ),
        (
            r#""usage":{"inputTokens":{"total":9,"noCache":2,"cacheRead":6,"cacheWrite":1},"outputTokens":{"total":4,"text":2,"reasoning":2}}"#,
            "usage 9+4=13 r6 w1 t2",
        ),
    ] {
        let finish = format!(r#"{{"type":"finish","finishReason":"stop",{usage}}}"#);
        assert_eq!(last(&[MODEL, &finish])[0], expected);
    }
    let finish = r#"{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}}}"#;
    assert_eq!(last(&[MODEL, finish]), ["done stop"]);
}

/// That of the steps counts where there is none of all of them, and only there.
#[test]
fn usage_of_the_steps() {
    let step = r#"{"type":"finish-step","usage":{"inputTokens":2,"outputTokens":1}}"#;
    let all = r#"{"type":"finish","totalUsage":{"inputTokens":3,"outputTokens":2}}"#;
    let cut = said(&[FULL, step, step]).concat();
    assert_eq!(cut, [r#"start "" """#, "step", "usage 4+2=6"]);
    let abort = r#"{"type":"abort","reason":"stopped"}"#;
    let aborted = last(&[FULL, step, abort]);
    assert_eq!(aborted, ["usage 2+1=3", r#"error abort "stopped" None"#]);
    let told = last(&[FULL, step, step, all]);
    assert_eq!(told.iter().filter(|line| line.starts_with("usage ")).count(), 2, "{told:?}");
    assert_eq!(told[0], "usage 3+2=5");
}

#[test]
fn an_error_ends_every_dialect_once() {
    for first in [START, MODEL, FULL] {
        for (error, expected) in [
            (r#"{"type":"error","error":"gone"}"#, r#"error error "gone" None"#),
            (r#"{"type":"error","errorText":"gone"}"#, r#"error error "gone" None"#),
            (
                r#"{"type":"error","error":{"name":"AI_APICallError","message":"over","statusCode":529,"isRetryable":true}}"#,
                r#"error AI_APICallError "over" Some(true)"#,
            ),
            (r#"{"type":"abort"}"#, r#"error abort "" None"#),
        ] {
            let text = r#"{"type":"text-delta","id":"t","delta":"late"}"#;
            let finish = r#"{"type":"finish","finishReason":"error"}"#;
            let all = said(&[first, error, text, error, finish]).split_off(1).concat();
            assert_eq!(all, [expected], "{first} {error}");
        }
    }
}

#[test]
fn another_response_begins() {
    let text = r#"{"type":"text-delta","id":"t","delta":"x"}"#;
    let finish = r#"{"type":"finish","finishReason":"length"}"#;
    let start = r#"start "" """#;
    for (records, expected) in [
        // Whether the one before has its end or not.
        (vec![MODEL, text, MODEL, text], vec![start, "text[1] x", start, "text[1] x"]),
        (
            vec![MODEL, finish, MODEL, finish],
            vec![
                start,
                r#"rawFinishReason = "length""#,
                "done length",
                start,
                r#"rawFinishReason = "length""#,
                "done length",
            ],
        ),
        (
            vec![START, r#"{"type":"finish"}"#, r#"{"type":"start","messageId":"n"}"#],
            vec![r#"start "" "m""#, "done stop", r#"start "" "n""#],
        ),
        (vec![START, text, START], vec![r#"start "" "m""#, "text[1] x"]),
    ] {
        assert_eq!(said(&records).concat(), expected, "{records:?}");
    }
}

#[test]
fn a_stream_that_is_cut_off_has_no_end() {
    let text = r#"{"type":"text-delta","id":"t","delta":"x"}"#;
    assert_eq!(last(&[START, text]), ["text[1] x"]);
    // `[DONE]` is the end of a UI message stream, but not of the others.
    assert_eq!(last(&[START, text, "[DONE]"]), ["done stop"]);
    assert_eq!(last(&[MODEL, text, "[DONE]"]), [""; 0]);
    let text = r#"{"type":"text-delta","id":"t","text":"x"}"#;
    assert_eq!(last(&[FULL, text, "[DONE]"]), [""; 0]);
}

#[test]
fn a_stream_without_its_start_gets_one() {
    let text = r#"{"type":"text-delta","id":"t","delta":"x"}"#;
    assert_eq!(last(&[text]), [r#"start "" """#, "text[1] x"]);
    let metadata = r#"{"type":"response-metadata","id":"r","modelId":"m"}"#;
    assert_eq!(last(&[metadata]), [r#"start "m" "r""#]);
}

#[test]
fn only_its_own_records_are_recognised() {
    for own in [
        START,
        MODEL,
        FULL,
        r#"{"type":"response-metadata","modelId":"m"}"#,
        r#"{"type":"text-delta","id":"0","text":"x"}"#,
        r#"{"type":"tool-call","toolCallId":"c"}"#,
        r#"{"type":"tool-input-end","id":"c"}"#,
        r#"{"type":"tool-output-denied","toolCallId":"c"}"#,
    ] {
        assert_eq!(sniff(own.as_bytes()), Some(Provider::AiSdk), "{own}");
    }
    for other in [
        r#"{"type":"start"}"#,
        r#"{"type":"stream-start"}"#,
        r#"{"type":"text-delta","delta":"x"}"#,
        r#"{"type":"tool-call","id":"c"}"#,
        r#"{"type":"finish"}"#,
        r#"{"type":"error","error":"x"}"#,
        r#"{"type":"abort"}"#,
    ] {
        assert_eq!(sniff(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn a_record_of_a_call_needs_its_id_and_its_name() {
    for wrong in [
        r#"{"type":"tool-call","toolName":"go","input":{}}"#,
        r#"{"type":"tool-call","toolCallId":"c","input":{}}"#,
        r#"{"type":"tool-input-start","id":"c"}"#,
        r#"{"type":"tool-input-delta","id":"c","delta":7}"#,
        r#"{"type":"text-delta","id":"t","text":7}"#,
    ] {
        let mut reader = Provider::AiSdk.reader();
        reader.record("", MODEL.as_bytes(), &mut |_| {}).unwrap();
        let error = reader.record("", wrong.as_bytes(), &mut |_| {}).unwrap_err();
        assert_eq!(error.rule, "schema", "{wrong}");
    }
}

/// What version 7 has beyond version 6.
#[test]
fn the_records_of_version_7() {
    table(
        &[
            (START, &[r#"start "" "m""#]),
            (r#"{"type":"start-step"}"#, &["step"]),
            (r#"{"type":"text-start","id":"t"}"#, &["text[1]"]),
            (r#"{"type":"text-delta","id":"t","delta":"bad"}"#, &["text bad"]),
            (
                r#"{"type":"tool-input-start","toolCallId":"c","toolName":"sql","inputEncoding":"text"}"#,
                &["call c sql"],
            ),
            (r#"{"type":"reset-step"}"#, &["reset step"]),
            // Ids may be used again.
            (
                r#"{"type":"text-start","id":"t","providerMetadata":{"a":{"n":1}}}"#,
                &[r#"providerMetadata here {"a":{"n":1}}"#, "text[2]"],
            ),
            (r#"{"type":"reasoning-start","id":"t"}"#, &["thinking[3]"]),
            (r#"{"type":"text-delta","id":"t","delta":"go"}"#, &["text[2] go"]),
            (r#"{"type":"reasoning-delta","id":"t","delta":"Hm"}"#, &["thinking[3] Hm"]),
            // The last state counts.
            (
                r#"{"type":"text-delta","id":"t","delta":"od","providerMetadata":{"a":{"m":2}}}"#,
                &[r#"providerMetadata here {"a":{"m":2}}"#, "text[2] od"],
            ),
            (
                r#"{"type":"text-end","id":"t","citations":[{"type":"url"}]}"#,
                &[r#"text[2]  {"citations":[{"type":"url"}]}"#, r#"text[2]  {"a":{"m":2}}"#],
            ),
            (
                r#"{"type":"tool-input-start","toolCallId":"c","toolName":"sql","inputEncoding":"text"}"#,
                &["call c sql"],
            ),
            (
                r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"say \"hi\""}"#,
                &["args c \"", r#"args c say \"hi\""#],
            ),
            (
                r#"{"type":"tool-input-available","toolCallId":"c","toolName":"sql","input":"say \"hi\"","inputEncoding":"text"}"#,
                &["whole c sql \"say \\\"hi\\\"\"", "end c"],
            ),
            (
                r#"{"type":"tool-approval-request","approvalId":"p","toolCallId":"c","signature":"s"}"#,
                &[
                    r#"approvals + {"approvalId":"p","signature":"s","toolCallId":"c","type":"tool-approval-request"}"#,
                    r#"end c {"approval":{"id":"p","signature":"s"}}"#,
                ],
            ),
            (
                r#"{"type":"tool-approval-response","approvalId":"p","approved":false,"reason":"no"}"#,
                &[
                    r#"approvals + {"approvalId":"p","approved":false,"reason":"no","type":"tool-approval-response"}"#,
                    r#"end c {"approval":{"id":"p","approved":false,"reason":"no"}}"#,
                ],
            ),
            (r#"{"type":"tool-output-denied","toolCallId":"c"}"#, &[r#"failed c "no""#]),
            (
                r#"{"type":"steering-message","id":"u","parts":[]}"#,
                &[
                    r#"custom ai-sdk-steering-message {"ai-sdk":{"part":{"type":"steering-message","id":"u","parts":[]}}}"#,
                ],
            ),
        ],
        &[""; 0],
    );
}
