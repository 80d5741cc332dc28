//! Calls of tools.

use super::message::{GivenPart, text};
use super::metadata::{is_executed, keyed, native};
use super::record::RecordWriter;
use apex_parts_agents::fields::{
    any_string, get, is_true, items, number, of_kind, pick, raw, token,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};
use apex_parts_opencode2::{joined, push_all};
use apex_parts_opencode2::{split, units};

/// The output of a call whose result was cleared.
const CLEARED: &str = "[Old tool result content cleared]";
/// Why a call has no result.
const INTERRUPTED: &str = "The call has no result: the session ended before it.";

/// What a call is written with.
pub(super) struct CallContext<'a> {
    /// The id of the provider.
    pub(super) provider: &'a str,
    /// When the message was made, as JSON.
    pub(super) created: &'a str,
}

/// The item of a record for a call.
pub(super) fn item(part: &GivenPart<'_>, context: &CallContext<'_>) -> String {
    let json = part.json;
    let mut out = RecordWriter::new(part.kept, json);
    let quoted = |text: Option<&str>| joined(&["\"", text.unwrap_or_default(), "\""]);
    out.field("type", "\"tool\"");
    out.field("id", &quoted(part.text("callID")));
    out.field("name", &quoted(part.text("tool")));
    let executed = is_executed(part);
    if let Some(provider) = of_kind(part.note("provider"), Kind::Object) {
        // The first model has an object for what the provider did.
        let mut own = RecordWriter::new(Some(provider), json);
        let is_elsewhere = out.kept("executed").is_some();
        let is_said = |kept: Option<Node<'_>>| is_elsewhere || is_true(kept) == executed;
        own.field_if("executed", Some("true").filter(|_| executed && !is_elsewhere), is_said);
        if get(Some(provider), "metadata").is_some()
            && let Some(metadata) = keyed(part, true)
        {
            own.field("metadata", &metadata);
        }
        out.field("provider", &own.finish());
    } else {
        let is_said = |kept: Option<Node<'_>>| is_true(kept) == executed;
        out.field_if("executed", executed.then_some("true"), is_said);
        if let Some((name, native)) = native(part, context.provider) {
            out.field(name, &native);
        }
    }
    let state = of_kind(part.get("state"), Kind::Object);
    let status = get(state, "status").and_then(Node::str).unwrap_or_default();
    let call = GivenCall { part, state, status: &status, json };
    out.field("state", &call.state());
    let time = call.time(context.created);
    out.field_if("time", Some(&time), |kept| call.is_time(kept, context.created));
    out.finish()
}

struct GivenCall<'p, 'a> {
    part: &'p GivenPart<'a>,
    state: Option<Node<'a>>,
    status: &'p str,
    json: &'a str,
}

impl<'a> GivenCall<'_, 'a> {
    fn is_of_record(&self) -> bool {
        self.part.kept.is_some()
    }

    /// A number of the state's times.
    fn at(&self, name: &str) -> Option<Node<'a>> {
        let time = get(get(self.state, "time"), name);
        time.filter(|_| number(time).is_some())
    }

    fn time(&self, created: &str) -> String {
        let raw = |node: Node<'_>| raw(node, self.json).to_owned();
        let start = self.at("start").map_or_else(|| created.to_owned(), raw);
        let is_over = matches!(self.status, "completed" | "error");
        match self.at("end").filter(|_| is_over) {
            Some(end) => joined(&["{\"created\":", &start, ",\"completed\":", &raw(end), "}"]),
            None => joined(&["{\"created\":", &start, "}"]),
        }
    }

    /// Does the state say these times?
    fn is_time(&self, kept: Option<Node<'_>>, created: &str) -> bool {
        let of = |name| number(get(of_kind(kept, Kind::Object), name));
        let start = of("ran").or(of("created")).or_else(|| created.parse().ok());
        let end = of("completed").or(start);
        let said = |name| self.at(name).map(|at| at.number());
        let is_start = said("start").is_none_or(|said| Some(said) == start);
        is_start && said("end").is_none_or(|said| Some(said) == end)
    }

    /// The note of the record's state.
    fn note(&self, name: &str) -> Option<Node<'a>> {
        get(self.part.note("state"), name)
    }

    fn state(&self) -> String {
        let mut out = RecordWriter::new(self.part.note("state"), self.json);
        let input = get(self.state, "input");
        let is_empty =
            |_: Option<Node<'_>>| input.is_none_or(|input| input.children().next().is_none());
        let given = input.map_or("{}", |input| raw(input, self.json));
        match self.status {
            "completed" => {
                out.field("status", "\"completed\"");
                out.field_if("input", Some(given), is_empty);
                self.completed(&mut out);
            }
            "error" => {
                out.field("status", "\"error\"");
                out.field_if("input", Some(given), is_empty);
                self.error(&mut out);
            }
            "running" if self.is_of_record() => {
                out.field("status", "\"running\"");
                out.field_if("input", Some(given), is_empty);
                self.metadata(&mut out, &[]);
            }
            "pending" if self.is_of_record() => {
                let is_old = self.part.note("status").is_some();
                out.field("status", if is_old { "\"pending\"" } else { "\"streaming\"" });
                let written = text(self.state, "raw", self.json).unwrap_or_default();
                out.field("input", &joined(&["\"", written, "\""]));
            }
            // A request has a result for each call.
            _ => {
                out.field("status", "\"error\"");
                out.field("input", given);
                let error =
                    joined(&["{\"type\":\"tool.interrupted\",\"message\":\"", INTERRUPTED, "\"}"]);
                out.field("error", &error);
            }
        }
        out.finish()
    }

    /// The metadata, without the fields that the mapping added.
    fn metadata(&self, out: &mut RecordWriter<'_>, added: &[&str]) {
        let Some(metadata) = of_kind(get(self.state, "metadata"), Kind::Object) else { return };
        let mut text = String::from("{");
        for (key, value) in metadata.fields() {
            if key.str().is_some_and(|name| added.contains(&&*name)) {
                continue;
            }
            if text.len() > 1 {
                text.push(',');
            }
            push_all(&mut text, &[raw(key, self.json), ":", raw(value, self.json)]);
        }
        text.push('}');
        let is_old = self.note("as").is_some();
        let name = if is_old { "structured" } else { "metadata" };
        let is_empty = text.len() == 2;
        out.field_if(name, Some(&text), |_| is_empty);
    }

    fn completed(&self, out: &mut RecordWriter<'_>) {
        let is_cleared =
            !self.is_of_record() && number(get(get(self.state, "time"), "compacted")).is_some();
        if is_cleared {
            out.field("content", &joined(&["[{\"type\":\"text\",\"text\":\"", CLEARED, "\"}]"]));
            return self.metadata(out, &[]);
        }
        let output = text(self.state, "output", self.json).unwrap_or_default();
        let all = items(get(self.state, "attachments"));
        let files: Vec<GivenPart<'a>> = all.map(|file| GivenPart::new(file, self.json)).collect();
        let (apart, files): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| file.note("attachment").is_some());
        let content = self.content(output, &files);
        let is_nothing = output.is_empty() && files.is_empty();
        out.field_if("content", Some(&content), |_| is_nothing);
        if !apart.is_empty() {
            let list: Vec<String> = apart.iter().map(|file| block(file, false)).collect();
            out.field("attachments", &joined(&["[", &list.join(","), "]"]));
        }
        self.metadata(out, &[]);
    }

    /// The blocks of an output and of files.
    fn content(&self, output: &str, files: &[GivenPart<'a>]) -> String {
        let mut files = files.iter();
        let mut blocks = Vec::new();
        let plain = |text: &str| joined(&["{\"type\":\"text\",\"text\":\"", text, "\"}"]);
        match of_kind(self.note("content"), Kind::Array) {
            None => blocks.push(plain(output)),
            Some(layout) => {
                let mut texts = Pieces::new(output, layout);
                if !texts.has_place && !output.is_empty() {
                    blocks.push(plain(output));
                }
                for entry in layout.children() {
                    if entry.kind().is_string() {
                        blocks.extend(files.next().map(|file| block(file, true)));
                    } else if let Some(other) = get(Some(entry), "block") {
                        blocks.push(raw(other, self.json).to_owned());
                    } else if let Some(text) = texts.next(entry) {
                        let mut out = RecordWriter::new(get(Some(entry), "kept"), self.json);
                        out.field("type", "\"text\"");
                        out.field("text", &joined(&["\"", text, "\""]));
                        blocks.push(out.finish());
                    }
                }
            }
        }
        blocks.extend(files.map(|file| block(file, true)));
        joined(&["[", &blocks.join(","), "]"])
    }

    fn error(&self, out: &mut RecordWriter<'_>) {
        let message = text(self.state, "error", self.json).unwrap_or_default();
        let metadata = of_kind(get(self.state, "metadata"), Kind::Object);
        let own = self.note("error");
        if own.is_some_and(|own| own.kind().is_string()) {
            out.field("error", &joined(&["\"", message, "\""]));
        } else if own.is_some() {
            let mut error = RecordWriter::new(own, self.json);
            error.field("message", &joined(&["\"", message, "\""]));
            out.field("error", &error.finish());
        } else {
            let is_aborted =
                ["aborted", "interrupted"].iter().any(|name| is_true(get(metadata, name)));
            let kind = if is_aborted { "aborted" } else { "tool.execution" };
            let error = joined(&["{\"type\":\"", kind, "\",\"message\":\"", message, "\"}"]);
            out.field_if("error", Some(&error), |_| message.is_empty());
        }
        let printed = any_string(get(metadata, "output")).map(|text| token(text, self.json));
        let mut added = Vec::new();
        if self.note("output").is_some() {
            added.push("output");
            out.field("content", &self.content(printed.unwrap_or_default(), &[]));
        } else if let Some(printed) =
            printed.filter(|text| !text.is_empty() && !self.is_of_record())
        {
            out.field("content", &self.content(printed, &[]));
        }
        if self.note("aborted").is_some() {
            added.push("aborted");
        }
        self.metadata(out, &added);
    }
}

/// A file that a call returned, as a block or as an attachment.
fn block(file: &GivenPart<'_>, is_block: bool) -> String {
    let mut out = RecordWriter::new(file.kept, file.json);
    if is_block {
        out.field("type", "\"file\"");
    }
    for (name, of) in [("uri", "url"), ("mime", "mime"), ("name", "filename")] {
        if let Some(text) = file.text(of) {
            out.field(name, &joined(&["\"", text, "\""]));
        }
    }
    out.finish()
}

/// An output in the pieces that it was put together of. If it has changed, all of it is the first.
struct Pieces<'a> {
    rest: Option<&'a str>,
    is_whole: bool,
    has_place: bool,
}

impl<'a> Pieces<'a> {
    fn new(output: &'a str, layout: Node<'_>) -> Pieces<'a> {
        let lengths: Vec<usize> = layout.children().filter_map(length_of).collect();
        let has_place = !lengths.is_empty();
        let total = lengths.iter().sum::<usize>() + lengths.len().saturating_sub(1);
        let mut at = 0;
        let is_whole = units(output) == total
            && lengths.iter().enumerate().all(|(index, length)| {
                let rest = output.get(at..).unwrap_or_default();
                let (end, found) = split(rest, *length);
                let is_last = index + 1 == lengths.len();
                at += end + "\\n".len();
                found == *length
                    && (is_last || rest.get(end..).is_some_and(|rest| rest.starts_with("\\n")))
            });
        Pieces { rest: Some(output), is_whole, has_place }
    }

    /// The text of an entry of the layout; `None` if all was given already.
    fn next(&mut self, entry: Node<'_>) -> Option<&'a str> {
        let rest = self.rest?;
        if !self.is_whole {
            return self.rest.take();
        }
        let (end, _) = split(rest, length_of(entry)?);
        self.rest = rest.get(end + "\\n".len()..);
        rest.get(..end)
    }
}

fn length_of(entry: Node<'_>) -> Option<usize> {
    let length = number(pick(entry, ["length"])[0])?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // of a text in memory
    Some(length as usize)
}
