//! Parts that are no calls, as the pieces of records.

use super::error::error_of;
use super::message::{GivenMessage, GivenPart, text};
use super::metadata::native;
use super::record::{RecordWriter, is_equal_json};
use super::tool::{self, CallContext};
use apex_parts_agents::fields::{any_string, get, items, number, of_kind, raw, token};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::escape;
use apex_parts_model::Kind;
use apex_parts_opencode2::joined;
use apex_parts_opencode2::{FINISHES, error_json, is_carried, tokens_json};

/// A string's JSON, of a text that is escaped already.
pub(super) fn quoted(escaped: &str) -> String {
    joined(&["\"", escaped, "\""])
}

/// The metadata of a record: what was kept of it, and the parts that it carries.
pub(super) fn metadata(message: &GivenMessage<'_>, out: &mut RecordWriter<'_>) {
    let carried = message.carried();
    if carried.is_empty() {
        return;
    }
    let kept = out.kept("metadata");
    let json = message.json;
    let mut fields = Vec::new();
    let mut apex = vec![joined(&["\"parts\":[", &carried.join(","), "]"])];
    for (key, value) in kept.into_iter().flat_map(Node::fields) {
        if key.str().as_deref() == Some("apex") {
            let others = value.fields().filter(|(key, _)| key.str().as_deref() != Some("parts"));
            apex.extend(
                others.map(|(key, value)| joined(&[raw(key, json), ":", raw(value, json)])),
            );
        } else {
            fields.push(joined(&[raw(key, json), ":", raw(value, json)]));
        }
    }
    fields.push(joined(&["\"apex\":{", &apex.join(","), "}"]));
    let metadata = joined(&["{", &fields.join(","), "}"]);
    out.field_if("metadata", Some(&metadata), |_| false);
}

/// The time of a record.
pub(super) fn time(message: &GivenMessage<'_>, has_end: bool, out: &mut RecordWriter<'_>) {
    let created = message.time("created").unwrap_or("0");
    let completed = message.time("completed").filter(|_| has_end);
    let said = |kept: Option<Node<'_>>, name: &str, now: Option<&str>| {
        let time = get(of_kind(kept, Kind::Object), name);
        let of_record = number(time);
        of_record == now.and_then(|now| now.parse().ok())
    };
    let mut fields = vec![joined(&["\"created\":", created])];
    fields.extend(completed.map(|completed| joined(&["\"completed\":", completed])));
    // What else it says stays, if the end has changed.
    for (key, value) in of_kind(out.kept("time"), Kind::Object).into_iter().flat_map(Node::fields) {
        let name = key.str().unwrap_or_default();
        if !matches!(&*name, "created" | "completed") {
            fields.push(joined(&[raw(key, message.json), ":", raw(value, message.json)]));
        }
    }
    let json = joined(&["{", &fields.join(","), "}"]);
    out.field_if("time", Some(&json), |kept| {
        let created = number(get(of_kind(kept, Kind::Object), "created")).unwrap_or(0.0);
        let is_created = message.time("created").and_then(|now| now.parse().ok()) == Some(created);
        is_created && (!has_end || said(kept, "completed", completed))
    });
}

/// The cost and the tokens of an answer. `is_default` says that a record has them only where they say something.
pub(super) fn usage(message: &GivenMessage<'_>, is_default: bool, out: &mut RecordWriter<'_>) {
    let cost = get(Some(message.info), "cost");
    let amount = number(cost).unwrap_or(0.0);
    let (tokens, _) = tokens_json(get(Some(message.info), "tokens"), message.json);
    let json = message.json;
    #[allow(clippy::float_cmp)] // the same number
    let is_cost = |kept: Option<Node<'_>>| number(kept).unwrap_or(0.0) == amount;
    let is_tokens = |kept: Option<Node<'_>>| {
        let (own, _) = tokens_json(kept, json);
        is_same_json(&own, &tokens)
    };
    let written = cost.map_or("0", |cost| raw(cost, json));
    let is_free = is_default && amount == 0.0;
    out.field_if("cost", Some(written).filter(|_| !is_free), is_cost);
    let is_nothing = is_default && is_tokens(None);
    out.field_if("tokens", Some(&*tokens).filter(|_| !is_nothing), is_tokens);
}

fn is_same_json(a: &str, b: &str) -> bool {
    let mut tape = apex_parts_json::tape::Tape::default();
    a == b || (tape.read(a.as_bytes(), 0).is_ok() && is_equal_json(Some(tape.root_of(a)), b))
}

/// The model of a record, and whether a message says the same of one that was kept.
pub(super) fn model(message: &GivenMessage<'_>, default: Option<&str>) -> String {
    let text = |name| message.text(name).unwrap_or_default();
    let variant = message.text("variant").or(default);
    let variant =
        variant.map(|variant| joined(&[",\"variant\":\"", variant, "\""])).unwrap_or_default();
    let (id, provider) = (text("modelID"), text("providerID"));
    joined(&["{\"id\":\"", id, "\",\"providerID\":\"", provider, "\"", &variant, "}"])
}

/// Would a message of a record with this model say the model that it says now?
pub(super) fn is_model(message: &GivenMessage<'_>, kept: Option<Node<'_>>) -> bool {
    let of = |name| any_string(get(kept, name)).map(|text| token(text, message.json));
    let is_unknown = of("id").is_none()
        || of("providerID").is_none()
        || (of("id") == Some("unknown") && of("providerID") == Some("unknown"));
    let said = |name| message.text(name).unwrap_or_default();
    if is_unknown {
        return said("modelID").is_empty() && said("providerID").is_empty();
    }
    of("id") == Some(said("modelID"))
        && of("providerID") == Some(said("providerID"))
        && of("variant") == message.text("variant")
}

/// An answer of a model.
pub(super) fn assistant(message: &GivenMessage<'_>, id: &str) -> String {
    let json = message.json;
    let is_of_record = message.is_of_record();
    let mut out = RecordWriter::new(message.kept, json);
    out.field("id", &quoted(id));
    out.field("type", "\"assistant\"");
    let agent = message.text("agent").or(message.text("mode")).unwrap_or_default();
    let is_agent =
        |kept: Option<Node<'_>>| any_string(kept).map_or("", |text| token(text, json)) == agent;
    out.field_if("agent", Some(&quoted(agent)), is_agent);
    let variant = if is_of_record { None } else { Some("default") };
    out.field_if("model", Some(&model(message, variant)), |kept| is_model(message, kept));
    let provider = message.text("providerID").unwrap_or_default();
    let mut own = String::new();
    // As it is written, for a comparison with names.
    own.push_str(provider);
    let context = CallContext { provider: &own, created: message.time("created").unwrap_or("0") };
    let items: Vec<String> =
        message.parts().filter_map(|part| item(message, &part, &context)).collect();
    let has_items = !items.is_empty();
    let list = joined(&["[", &items.join(","), "]"]);
    out.field_if("content", Some(&list), |_| !has_items);
    if let Some(snapshot) = snapshot(message) {
        out.field("snapshot", &snapshot);
    }
    let retry = message.parts().find_map(|part| part.note("retry"));
    if let Some(retry) = retry {
        out.field("retry", raw(retry, json));
    }
    finish(message, &mut out);
    usage(message, false, &mut out);
    let error = of_kind(get(Some(message.info), "error"), Kind::Object);
    let written = error.map(|error| error_of(error, json));
    out.field_if("error", written.as_deref(), |kept| {
        let kept = of_kind(kept, Kind::Object);
        match (kept, error) {
            (Some(kept), Some(error)) => {
                is_equal_json(Some(error), &error_json(kept, provider, json))
            }
            (kept, error) => kept.is_none() && error.is_none(),
        }
    });
    metadata(message, &mut out);
    time(message, true, &mut out);
    out.finish()
}

fn finish(message: &GivenMessage<'_>, out: &mut RecordWriter<'_>) {
    let json = message.json;
    let finish = any_string(get(Some(message.info), "finish"));
    let is_same = |kept: Option<Node<'_>>| {
        any_string(kept).map(|kept| token(kept, json)) == finish.map(|finish| token(finish, json))
    };
    let Some(reason) = finish else {
        return out.field_if("finish", None, is_same);
    };
    let is_known = reason.str().is_some_and(|reason| FINISHES.contains(&&*reason));
    if is_known {
        return out.field_if("finish", Some(raw(reason, json)), is_same);
    }
    let is_kept = out.kept("finish").is_some_and(|kept| is_same(Some(kept)));
    out.field_if("finish", Some("\"unknown\""), is_same);
    if !is_kept {
        out.field_if("rawFinish", Some(raw(reason, json)), |_| false);
    }
}

/// The snapshots of an answer: the first, the last, and the files that changed.
fn snapshot(message: &GivenMessage<'_>) -> Option<String> {
    let of = |kinds: &str, name: &str| -> Vec<Node<'_>> {
        let parts = message.parts().filter(|part| part.kind() == kinds);
        parts.filter_map(|part| any_string(part.get(name))).collect()
    };
    let start = message.parts().find(|part| part.kind() == "step-start");
    let start = start.and_then(|part| any_string(part.get("snapshot")));
    let start = start
        .or_else(|| of("snapshot", "snapshot").first().copied())
        .or_else(|| of("patch", "hash").first().copied());
    let end = message.parts().filter(|part| part.kind() == "step-finish").last();
    let end = end.and_then(|part| any_string(part.get("snapshot")));
    let mut files: Vec<&str> = Vec::new();
    for part in message.parts().filter(|part| part.kind() == "patch") {
        for file in items(part.get("files")) {
            let text = raw(file, message.json);
            if any_string(Some(file)).is_some() && !files.contains(&text) {
                files.push(text);
            }
        }
    }
    let mut fields = Vec::new();
    fields.extend(start.map(|start| joined(&["\"start\":", raw(start, message.json)])));
    fields.extend(end.map(|end| joined(&["\"end\":", raw(end, message.json)])));
    if !files.is_empty() {
        fields.push(joined(&["\"files\":[", &files.join(","), "]"]));
    }
    (!fields.is_empty()).then(|| joined(&["{", &fields.join(","), "}"]))
}

/// An item of an answer, if the part is one.
fn item(
    message: &GivenMessage<'_>,
    part: &GivenPart<'_>,
    context: &CallContext<'_>,
) -> Option<String> {
    let json = message.json;
    let custom = part.note("custom").and_then(Node::str);
    match custom.as_deref() {
        Some("item") => {
            const TAKEN: [&str; 5] = ["id", "sessionID", "messageID", "type", "opencode2"];
            return Some(joined(&["{", &part.own_fields(&TAKEN), "}"]));
        }
        Some("value") => return part.note("value").map(|value| raw(value, json).to_owned()),
        _ => {}
    }
    if is_carried(part.node) || part.note("mark").is_some() {
        return None;
    }
    match &*part.kind() {
        "text" => {
            let mut out = RecordWriter::new(part.kept, json);
            out.field("type", "\"text\"");
            out.field("text", &quoted(part.text("text").unwrap_or_default()));
            if let Some((name, native)) = native(part, context.provider) {
                out.field(name, &native);
            }
            Some(out.finish())
        }
        "reasoning" => Some(reasoning(part, context)),
        "tool" => Some(tool::item(part, context)),
        _ => None,
    }
}

fn reasoning(part: &GivenPart<'_>, context: &CallContext<'_>) -> String {
    let json = part.json;
    let mut out = RecordWriter::new(part.kept, json);
    out.field("type", "\"reasoning\"");
    out.field("text", &quoted(part.text("text").unwrap_or_default()));
    if let Some((name, native)) = native(part, context.provider) {
        out.field(name, &native);
    }
    let own = of_kind(part.get("time"), Kind::Object);
    let at = |name| get(own, name).filter(|value| number(Some(*value)).is_some());
    let mut fields = Vec::new();
    for (name, value) in [("created", at("start")), ("completed", at("end"))] {
        fields.extend(value.map(|value| joined(&["\"", name, "\":", raw(value, json)])));
    }
    if !fields.is_empty() {
        out.field("time", &joined(&["{", &fields.join(","), "}"]));
    }
    out.finish()
}

/// What stands for a file whose content is not in it.
fn unavailable(part: &GivenPart<'_>) -> String {
    let source = part.get("source");
    let name = part
        .text("filename")
        .or_else(|| text(source, "uri", part.json))
        .or_else(|| part.text("url"))
        .unwrap_or_default();
    let mime = part.text("mime").unwrap_or_default();
    joined(&["[Attachment unavailable after migration: ", name, " (", mime, ")]"])
}

/// The content of a `data:` URL as Base64; `None` if it is another URL.
fn data_of(url: &str) -> Option<String> {
    let (head, content) = url.strip_prefix("data:")?.split_once(',')?;
    if head.ends_with(";base64") {
        return Some(content.to_owned());
    }
    Some(base64(&percent_decoded(content)))
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let digits = [ahead.next(), ahead.next()]
            .map(|digit| digit.and_then(|digit| char::from(digit).to_digit(16)));
        match (byte, digits) {
            (b'%', [Some(high), Some(low)]) => {
                out.extend(u8::try_from(high * 16 + low).ok());
                bytes = ahead;
            }
            (byte, _) => out.push(byte),
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place) & 63) as usize;
            let digit = DIGITS.get(digit).filter(|_| place <= chunk.len());
            out.push(digit.map_or('=', |digit| char::from(*digit)));
        }
    }
    out
}

/// A file of a user's record; `None` if its content is not in it.
fn file(part: &GivenPart<'_>) -> Option<String> {
    let json = part.json;
    let mut out = RecordWriter::new(part.kept, json);
    let url = any_string(part.get("url"));
    let mime = quoted(part.text("mime").unwrap_or_default());
    if part.note("uri").is_some() {
        out.field("uri", url.map_or("\"\"", |url| raw(url, json)));
        out.field("mime", &mime);
    } else {
        let data = match part.text("url") {
            // Base64 has nothing that is escaped.
            Some(plain) if !plain.contains('\\') => data_of(plain),
            _ => data_of(&url.and_then(Node::str).unwrap_or_default()),
        };
        let mut escaped = String::new();
        escape(&mut escaped, &data?);
        out.field("data", &quoted(&escaped));
        out.field("mime", &mime);
        let source = of_kind(part.get("source"), Kind::Object);
        let is_resource = text(source, "type", json) == Some("resource");
        let uri = text(source, "uri", json).filter(|_| is_resource);
        let source_json = uri.map_or_else(
            || "{\"type\":\"inline\"}".to_owned(),
            |uri| joined(&["{\"type\":\"uri\",\"uri\":\"", uri, "\"}"]),
        );
        out.field("source", &source_json);
        if let Some(mention) = mention(get(source, "text"), json) {
            out.field("mention", &mention);
        }
    }
    if let Some(name) = part.text("filename") {
        out.field("name", &quoted(name));
    }
    Some(out.finish())
}

/// Is the content of a file in it?
pub(super) fn has_content(part: &GivenPart<'_>) -> bool {
    file(part).is_some()
}

/// A place in a text, `{value, start, end}` in a message.
fn mention(place: Option<Node<'_>>, json: &str) -> Option<String> {
    let place = of_kind(place, Kind::Object);
    let [start, end] = ["start", "end"].map(|name| get(place, name));
    let text = text(place, "value", json)?;
    number(start).and(number(end))?;
    let (start, end) = (raw(start?, json), raw(end?, json));
    Some(joined(&["{\"start\":", start, ",\"end\":", end, ",\"text\":\"", text, "\"}"]))
}

fn agent(part: &GivenPart<'_>) -> String {
    let mut out = RecordWriter::new(part.kept, part.json);
    out.field("name", &quoted(part.text("name").unwrap_or_default()));
    if let Some(mention) = mention(part.get("source"), part.json) {
        let name = if part.note("source").is_some() { "source" } else { "mention" };
        out.field(name, &mention);
    }
    out.finish()
}

fn skill(part: &GivenPart<'_>) -> String {
    const TAKEN: [&str; 6] = ["id", "sessionID", "messageID", "type", "skill", "opencode2"];
    let id = part.get("skill").map_or("\"\"", |id| raw(id, part.json));
    let rest = part.own_fields(&TAKEN);
    let comma = if rest.is_empty() { "" } else { "," };
    joined(&["{\"id\":", id, comma, &rest, "}"])
}

/// What a person wrote: the record, and the texts that the program added.
pub(super) struct UserRecord {
    /// The record; `None` if the message has texts of the program and nothing else.
    pub(super) own: Option<String>,
    /// The texts of the program, escaped and joined; `None` if there are none.
    pub(super) added: Option<String>,
}

/// The text of a user's own, escaped, with what stands for files whose content is not there.
pub(super) fn own_text(message: &GivenMessage<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    for part in message.parts() {
        match &*part.kind() {
            "text" if !part.is("synthetic") && !part.is("ignored") => {
                texts.push(part.text("text").unwrap_or_default().to_owned());
            }
            "file" if file(&part).is_none() => texts.push(unavailable(&part)),
            _ => {}
        }
    }
    texts
}

/// The records of a user's message.
pub(super) fn user(message: &GivenMessage<'_>, id: &str) -> UserRecord {
    let json = message.json;
    let texts = own_text(message);
    let (mut files, mut agents, mut skills, mut added) = (vec![], vec![], vec![], vec![]);
    for part in message.parts() {
        match &*part.kind() {
            "text" if part.is("synthetic") => {
                added.push(part.text("text").unwrap_or_default());
            }
            "file" => files.extend(file(&part)),
            "agent" => agents.push(agent(&part)),
            "skill" if part.note("skill").is_some() => skills.push(skill(&part)),
            _ => {}
        }
    }
    let carried = message.carried();
    let is_empty = texts.is_empty() && files.is_empty() && agents.is_empty() && carried.is_empty();
    let added = (!added.is_empty()).then(|| added.join("\\n\\n"));
    if is_empty && added.is_some() && !message.is_of_record() {
        return UserRecord { own: None, added };
    }
    let mut out = RecordWriter::new(message.kept, json);
    out.field("id", &quoted(id));
    out.field("type", "\"user\"");
    let text = texts.join("\\n\\n");
    out.field_if("text", Some(&quoted(&text)), |_| text.is_empty());
    for (name, list) in [("files", &files), ("agents", &agents), ("skills", &skills)] {
        let written = (!list.is_empty()).then(|| joined(&["[", &list.join(","), "]"]));
        out.field_if(name, written.as_deref(), |_| list.is_empty());
    }
    metadata(message, &mut out);
    time(message, false, &mut out);
    UserRecord { own: Some(out.finish()), added }
}

/// A text that no person wrote: of the program, instructions, a skill.
pub(super) fn said(message: &GivenMessage<'_>, id: &str, kind: &str) -> String {
    let mut out = RecordWriter::new(message.kept, message.json);
    out.field("id", &quoted(id));
    out.field("type", &quoted(kind));
    let texts = message.parts().filter(|part| part.kind() == "text" && !part.is("ignored"));
    let texts: Vec<&str> = texts.map(|part| part.text("text").unwrap_or_default()).collect();
    let text = texts.join("\\n\\n");
    out.field_if("text", Some(&quoted(&text)), |_| text.is_empty());
    if kind == "skill"
        && let Some(part) = message.parts().find(|part| part.note("skill").is_some())
    {
        for name in ["skill", "name"] {
            if let Some(value) = part.get(name) {
                out.field(name, raw(value, message.json));
            }
        }
    }
    metadata(message, &mut out);
    time(message, false, &mut out);
    out.finish()
}
