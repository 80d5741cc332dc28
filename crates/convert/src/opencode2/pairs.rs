//! Records that are two messages: compactions, and commands that a person ran.

use super::error::error_of;
use super::message::{GivenMessage, GivenPart, text};
use super::parts::{is_model, metadata, model, quoted, time, usage};
use super::record::{RecordWriter, is_equal_json};
use apex_parts_agents::fields::{get, of_kind, raw};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;
use apex_parts_opencode2::error_json;
use apex_parts_opencode2::{joined, push_all};

/// How a compaction ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CompactionEnd {
    Completed,
    Failed,
    Running,
}

/// How the summary of a compaction ended.
pub(super) fn end_of(summary: &GivenMessage<'_>) -> CompactionEnd {
    if of_kind(get(Some(summary.info), "error"), Kind::Object).is_some() {
        CompactionEnd::Failed
    } else if summary.text("finish").is_some() {
        CompactionEnd::Completed
    } else if summary.is_of_record() && summary.time("completed").is_some() {
        // One that failed for no reason that its record says.
        CompactionEnd::Failed
    } else {
        CompactionEnd::Running
    }
}

/// The part of a request for a compaction.
pub(super) fn request_of<'a>(message: &GivenMessage<'a>) -> Option<GivenPart<'a>> {
    message.parts().find(|part| part.kind() == "compaction")
}

/// The record of a compaction; `recent` are the messages before it that stayed, escaped.
pub(super) fn compaction(
    request: &GivenMessage<'_>,
    summary: &GivenMessage<'_>,
    id: &str,
    recent: Option<&str>,
) -> String {
    let end = end_of(summary);
    let json = summary.json;
    let mut out = RecordWriter::new(request.kept, request.json);
    out.field("id", &quoted(id));
    out.field("type", "\"compaction\"");
    let word = match end {
        CompactionEnd::Completed => "\"completed\"",
        CompactionEnd::Failed => "\"failed\"",
        CompactionEnd::Running => "\"running\"",
    };
    // A record without it is one of a compaction that was completed.
    out.field_if("status", Some(word), |_| end == CompactionEnd::Completed);
    let is_auto = request_of(request).is_some_and(|part| part.is("auto"));
    let reason = if is_auto { "\"auto\"" } else { "\"manual\"" };
    out.field_if("reason", Some(reason), |_| !is_auto);
    let texts: Vec<GivenPart<'_>> =
        summary.parts().filter(|part| part.kind() == "text" && !part.is("ignored")).collect();
    let of = |is_synthetic: bool| -> Vec<&str> {
        let own = texts.iter().filter(|part| part.is("synthetic") == is_synthetic);
        own.map(|part| part.text("text").unwrap_or_default()).collect()
    };
    if end != CompactionEnd::Failed || request.is_of_record() {
        let text = of(false).join("\\n\\n");
        let is_written = !text.is_empty() || end != CompactionEnd::Failed;
        let written = is_written.then(|| quoted(&text));
        out.field_if("summary", written.as_deref(), |_| text.is_empty());
    }
    if end == CompactionEnd::Completed {
        let own = of(true).join("\\n\\n");
        if let Some(own) = recent.or(Some(&*own).filter(|own| !own.is_empty())) {
            out.field("recent", &quoted(own));
        }
    }
    let error = of_kind(get(Some(summary.info), "error"), Kind::Object);
    let written = error.map(|error| error_of(error, json));
    let provider = summary.text("providerID").unwrap_or_default();
    out.field_if("error", written.as_deref(), |kept| match (of_kind(kept, Kind::Object), error) {
        _ if end != CompactionEnd::Failed => kept.is_some(),
        (Some(kept), Some(error)) => {
            is_equal_json(Some(error), &error_json(kept, provider, request.json))
        }
        (own, error) => kept.is_some() && own.is_none() && error.is_none(),
    });
    metadata(request, &mut out);
    time(request, false, &mut out);
    let mut record = out.finish();
    if let Some(kept) = summary.kept {
        let mut more = RecordWriter::new(Some(kept), json);
        if more.kept("model").is_some() {
            // A model that is none: the message says the one in force.
            let said = get(summary.kept, "said");
            let written = model(summary, None);
            more.field_if("model", Some(&written), |kept| is_model(summary, said.or(kept)));
        }
        usage(summary, true, &mut more);
        append(&mut record, &more.finish());
    }
    record
}

/// Adds the fields of an object to another.
fn append(object: &mut String, other: &str) {
    let inside = other.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let inside = inside.unwrap_or_default();
    if !inside.is_empty() {
        object.pop();
        if object.len() > 1 {
            object.push(',');
        }
        push_all(object, &[inside, "}"]);
    }
}

/// The record of a command that a person ran.
pub(super) fn shell(request: &GivenMessage<'_>, answer: &GivenMessage<'_>, id: &str) -> String {
    let json = answer.json;
    let mut out = RecordWriter::new(request.kept, request.json);
    out.field("id", &quoted(id));
    out.field("type", "\"shell\"");
    let call = answer.parts().find(|part| part.kind() == "tool");
    let own = call.and_then(|call| call.text("callID")).unwrap_or_default();
    let is_old = get(request.kept, "call").is_some();
    let name = if is_old { "callID" } else { "shellID" };
    out.field_if(name, Some(&quoted(own)), |_| own.is_empty());
    let state = call.and_then(|call| of_kind(call.get("state"), Kind::Object));
    let command = text(get(state, "input"), "command", json).unwrap_or_default();
    out.field_if("command", Some(&quoted(command)), |_| command.is_empty());
    let status = text(state, "status", json).unwrap_or_default();
    let failure = text(state, "error", json).unwrap_or_default();
    let word = match status {
        "running" | "pending" => "\"running\"",
        "error" if failure == "timeout" => "\"timeout\"",
        "error" => "\"killed\"",
        _ => "\"exited\"",
    };
    out.field_if("status", Some(word), |_| status == "completed");
    let data = of_kind(get(state, "metadata"), Kind::Object);
    let exit = get(data, "exit").map(|exit| raw(exit, json));
    out.field_if("exit", exit, |_| exit.is_none());
    let printed = match status {
        "completed" => text(state, "output", json),
        _ => text(data, "output", json),
    };
    let is_running = word == "\"running\"";
    match of_kind(get(request.kept, "printed"), Kind::Object) {
        Some(kept) if !is_running => {
            let mut output = RecordWriter::new(Some(kept), request.json);
            output.field("output", &quoted(printed.unwrap_or_default()));
            out.field("output", &output.finish());
        }
        _ => {
            let printed = printed.filter(|_| !is_running);
            let written = printed.map(quoted);
            let is_empty = |_: Option<Node<'_>>| printed.is_none_or(str::is_empty);
            out.field_if("output", written.as_deref(), is_empty);
        }
    }
    metadata(request, &mut out);
    let (created, completed) = (answer.time("created"), answer.time("completed"));
    let now = [request.time("created").or(created), completed];
    let mut fields = Vec::new();
    for (name, value) in [("created", now[0]), ("completed", now[1])] {
        fields.extend(value.map(|value| joined(&["\"", name, "\":", value])));
    }
    let is_same = |kept: Option<Node<'_>>| {
        let of = |name| apex_parts_agents::fields::number(get(of_kind(kept, Kind::Object), name));
        let said = |value: Option<&str>| value.and_then(|value| value.parse::<f64>().ok());
        of("created").or(Some(0.0)) == said(now[0]) && of("completed") == said(now[1])
    };
    out.field_if("time", Some(&joined(&["{", &fields.join(","), "}"])), is_same);
    out.finish()
}
