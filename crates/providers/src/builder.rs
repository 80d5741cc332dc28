//! [`MessageBuilder`]: builds messages with parts, whatever they are read from: ids, steps, calls with their results, and
//! problems.
//!
//! A history is read twice. The first time its messages are counted and its problems noted; the second time, when somebody
//! asks for the messages, they are written. Both times the same readers run, so that the two cannot differ.

use super::answer::RecordedAnswer;
use super::approvals::Approvals;
use super::history_ids::HistoryIds;
use super::open_answer::OpenAnswer;
use super::open_calls::{NoCall, OpenCalls};
use super::options::ReadOptions;
use super::parts::{CallInput, CallOutcome, NewCall, NewPart, PartContent};
use super::values::{NewFields, NewText, Value, kind_of, merged, quoted_start};
use super::written::{
    CallEdit, WrittenEdit, push_number, write_error, write_lines, write_metadata, write_rest,
    write_time, written,
};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::escape;
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, Path, Problem, Severity, View};

/// The most problems that are listed.
const MAX_PROBLEMS: usize = 10_000;
/// The most elements of an array that is read.
const MAX_ELEMENTS: usize = 1 << 24;

const NO_TOKENS: &str = r#"{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}"#;

/// What is done with a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its messages are counted, its problems noted.
    Count,
    /// Its messages are written.
    Write,
}

/// Where the last answer is written.
#[derive(Clone, Debug)]
struct AnswerPlace {
    /// From its cost to the end of its information.
    info: (usize, usize),
    /// What its step says of its end, and the reason there.
    step: Option<((usize, usize), &'static str)>,
    /// The edit that says in its information why it ended, if there is one.
    finish: Option<usize>,
}

/// Builds the messages of one history.
#[derive(Debug)]
pub(crate) struct MessageBuilder {
    purpose: Purpose,
    pub(crate) format: &'static str,
    ids: HistoryIds,
    /// The id that the next message has of its own, as `JSON.stringify` spells it.
    next_id: Option<String>,
    model_id: String,
    now: String,
    /// How many messages there are.
    pub(crate) count: usize,
    /// The number of the last message of the user.
    parent: Option<usize>,
    /// Instructions, as `JSON.stringify` spells them.
    pub(crate) system: Vec<String>,
    /// The tools of the body, as JSON.
    pub(crate) tools: Vec<Vec<u8>>,
    problems: Vec<Problem>,
    unlisted: usize,
    calls: OpenCalls,
    pub(crate) approvals: Approvals,
    /// Where the last answer since [`MessageBuilder::look_for_answer`] is.
    answer: Option<AnswerPlace>,
    /// The answer to which parts are added.
    pub(crate) open: Option<OpenAnswer>,
    /// The tools of calls whose results name nothing, and how many of these results came.
    pub(crate) unnamed: (Vec<String>, usize),
    /// For JSON in strings.
    pub(crate) tape: Tape,
    out: Vec<u8>,
    call_edits: Vec<CallEdit>,
    edits: Vec<WrittenEdit>,
}

fn spelled(text: &str) -> String {
    let mut out = String::new();
    escape(&mut out, text);
    out
}

impl MessageBuilder {
    pub(crate) fn new(
        purpose: Purpose,
        format: &'static str,
        options: &ReadOptions<'_>,
        model: Option<NewText<'_>>,
    ) -> MessageBuilder {
        MessageBuilder {
            purpose,
            format,
            ids: HistoryIds::new(spelled(options.session_id)),
            next_id: None,
            model_id: model.map(|model| model.spelled().into_owned()).unwrap_or_default(),
            now: number_text(options.now_ms),
            count: 0,
            parent: None,
            system: Vec::new(),
            tools: Vec::new(),
            problems: Vec::new(),
            unlisted: 0,
            calls: OpenCalls::default(),
            approvals: Approvals::default(),
            answer: None,
            open: None,
            unnamed: Default::default(),
            tape: Tape::default(),
            out: Vec::new(),
            call_edits: Vec::new(),
            edits: Vec::new(),
        }
    }

    /// Are the messages written? Then nobody asks for problems, nor for instructions.
    pub(crate) fn is_writing(&self) -> bool {
        self.purpose == Purpose::Write
    }

    /// The problems; the last one counts those that are not listed.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut problems = self.problems.clone();
        if self.unlisted > 0 {
            let more = format!("{} more problems are not listed", self.unlisted);
            problems.push(Problem::new(Severity::Warning, "limit", &Path::ROOT, more));
        }
        problems
    }

    /// Is there room for another problem? One more is counted.
    fn has_room(&mut self) -> bool {
        let is_full = self.problems.len() >= MAX_PROBLEMS;
        if is_full && !self.is_writing() {
            self.unlisted += 1;
        }
        !is_full && !self.is_writing()
    }

    #[inline(never)]
    fn note(&mut self, severity: Severity, rule: &str, path: &Path<'_>, message: String) {
        self.problems.push(Problem::new(severity, rule, path, message));
    }

    /// Says that something is left out because it is not what it has to be.
    pub(crate) fn error(&mut self, path: &Path<'_>, message: impl FnOnce() -> String) {
        if self.has_room() {
            self.note(Severity::Error, "schema", path, message());
        }
    }

    /// Says that JavaScript cannot read something without an error.
    pub(crate) fn unreadable(&mut self, path: &Path<'_>) {
        self.error(path, || "it throws when it is read; it is left out".to_owned());
    }

    /// Says that a rule of histories is broken, and what becomes of it.
    pub(crate) fn warn(&mut self, rule: &str, path: &Path<'_>, message: impl FnOnce() -> String) {
        if self.has_room() {
            self.note(Severity::Warning, rule, path, message());
        }
    }

    /// Names the fields that are kept nowhere.
    pub(crate) fn leave_out(&mut self, fields: &NewFields<'_>, path: &Path<'_>) {
        for name in fields.names() {
            let name = apex_parts_json::tape::unescape(name.as_bytes());
            self.warn("schema", &path.name(&name), || {
                "the model has no place for it: it is left out".to_owned()
            });
        }
    }

    /// Shows each element of an array.
    pub(crate) fn each<'a>(
        &mut self,
        list: Option<Node<'a>>,
        path: &Path<'_>,
        read: &mut dyn FnMut(&mut MessageBuilder, Node<'a>, &Path<'_>, usize),
    ) {
        let Some(list) = list.filter(|list| list.kind() == Kind::Array) else {
            return self.error(path, || {
                format!("expected an array, got {}; it is left out", kind_of(list))
            });
        };
        // An element takes at least two bytes.
        if list.span().len() / 2 > MAX_ELEMENTS && list.children().count() > MAX_ELEMENTS {
            return self.too_many(path);
        }
        for (index, value) in list.children().enumerate() {
            read(self, value, &path.index(index), index);
        }
    }

    fn too_many(&mut self, path: &Path<'_>) {
        self.error(path, || {
            format!("the array has more than {MAX_ELEMENTS} elements; it is left out")
        });
    }

    /// Gives the next message an id of its own, if it has one.
    pub(crate) fn name_next(&mut self, id: Option<Node<'_>>) {
        self.next_id = id.map(|id| id.spelled().into_owned());
    }

    /// A message of the user; the path is its own.
    pub(crate) fn user(&mut self, parts: Vec<NewPart<'_>>, path: &Path<'_>) {
        self.ids.name(self.count, self.next_id.take());
        if self.is_writing() {
            self.begin_message();
            self.push("\"role\":\"user\",\"time\":{\"created\":");
            self.push_now();
            self.push("},\"agent\":\"");
            self.push(self.format);
            self.push("\",\"model\":{\"providerID\":\"\",\"modelID\":\"");
            self.push_model();
            self.push("\"}},\"parts\":[");
        }
        self.parent = Some(self.count);
        self.count += 1;
        let mut number = 0;
        self.add(parts, path, &mut number);
        self.push("]}");
    }

    /// An answer of the model, which is a step.
    pub(crate) fn answer(&mut self, parts: Vec<NewPart<'_>>, path: &Path<'_>) {
        self.answer_with(parts, &NewFields::default(), path);
    }

    /// An answer with state of the message, not of one of its parts.
    pub(crate) fn answer_with(
        &mut self,
        parts: Vec<NewPart<'_>>,
        state: &NewFields<'_>,
        path: &Path<'_>,
    ) {
        self.begin_step(Some(reason_of(has_calls(&parts))));
        self.go_on(parts, path);
        self.end_answer_with(state);
    }

    /// Adds parts to the answer that is open. Begins one if none is.
    pub(crate) fn go_on(&mut self, parts: Vec<NewPart<'_>>, path: &Path<'_>) {
        if self.open.is_none() {
            self.begin_step(None);
        }
        let mut open = self.open.take().unwrap_or_default();
        open.items += 1;
        open.has_calls |= has_calls(&parts);
        self.add(parts, path, &mut open.number);
        self.open = Some(open);
    }

    fn begin_step(&mut self, finish: Option<&'static str>) {
        self.begin_answer(finish);
        if self.is_writing() {
            self.begin_part(&mut 0, "step-start");
            self.push("}");
        }
        let place = self.answer.as_ref().filter(|_| finish.is_none());
        let finish_at = place.map(|place| place.info.1);
        self.open = Some(OpenAnswer { number: 1, finish_at, ..OpenAnswer::default() });
    }

    /// Ends the answer that is open, if one is.
    pub(crate) fn end_answer(&mut self) {
        self.end_answer_with(&NewFields::default());
    }

    fn end_answer_with(&mut self, state: &NewFields<'_>) {
        let Some(mut open) = self.open.take().filter(|_| self.is_writing()) else { return };
        let reason = reason_of(open.has_calls);
        self.begin_part(&mut open.number, "step-finish");
        self.push(",");
        let start = self.out.len();
        self.push("\"reason\":\"");
        self.push(reason);
        self.push("\",\"cost\":0,\"tokens\":");
        self.push(NO_TOKENS);
        let end = self.out.len();
        if let Some(answer) = &mut self.answer {
            answer.step = Some(((start, end), reason));
            answer.finish = open.finish_at.map(|_| self.edits.len());
        }
        if let Some(at) = open.finish_at {
            let bytes = [",\"finish\":\"", reason, "\""].concat().into_bytes();
            self.edits.push(WrittenEdit { start: at, end: at, bytes });
        }
        write_metadata(state, &mut self.out);
        self.push("}]}");
    }

    /// An answer without parts: of a request that the provider refused.
    fn refused(&mut self) {
        self.begin_answer(None);
        self.push("]}");
    }

    fn begin_answer(&mut self, finish: Option<&'static str>) {
        self.ids.name(self.count, self.next_id.take());
        if self.is_writing() {
            self.begin_message();
            self.push("\"role\":\"assistant\",\"parentID\":\"");
            if let Some(parent) = self.parent {
                self.push_id(parent);
            }
            self.push("\",\"providerID\":\"\",\"modelID\":\"");
            self.push_model();
            self.push("\",\"agent\":\"");
            self.push(self.format);
            self.push("\",\"path\":{\"cwd\":\"\",\"root\":\"\"},");
            let start = self.out.len();
            self.push("\"cost\":0,\"tokens\":");
            self.push(NO_TOKENS);
            self.push(",\"time\":{\"created\":");
            self.push_now();
            self.push(",\"completed\":");
            self.push_now();
            self.push("}");
            if let Some(finish) = finish {
                self.push(",\"finish\":\"");
                self.push(finish);
                self.push("\"");
            }
            self.answer =
                Some(AnswerPlace { info: (start, self.out.len()), step: None, finish: None });
            self.push("},\"parts\":[");
        }
        if !self.is_writing() {
            self.answer = Some(AnswerPlace { info: (0, 0), step: None, finish: None });
        }
        self.count += 1;
    }

    /// From here on the answer is looked for that a record has.
    pub(crate) fn look_for_answer(&mut self) {
        self.answer = None;
    }

    /// Adds what a record says of its answer to the last message of the model since [`MessageBuilder::look_for_answer`].
    pub(crate) fn complete(&mut self, said: &RecordedAnswer) {
        if self.answer.is_none() && said.error.is_some() {
            self.refused();
        }
        let Some(AnswerPlace { info, step, finish }) =
            self.answer.take().filter(|_| self.is_writing())
        else {
            return;
        };
        let cost = number_text(said.cost.unwrap_or_default());
        let tokens = said.tokens.as_deref().unwrap_or(NO_TOKENS);
        let created = said.start.map_or_else(|| self.now.clone(), number_text);
        let completed = match said.start {
            Some(start) => number_text(said.end.unwrap_or(start)),
            None => self.now.clone(),
        };
        let reason = said.finish.or(step.as_ref().map(|(_, reason)| *reason));
        let mut bytes = format!(
            "\"cost\":{cost},\"tokens\":{tokens},\"time\":{{\"created\":{created},\"completed\":{completed}}}"
        );
        if let Some(reason) = reason {
            bytes.push_str(&format!(",\"finish\":\"{}\"", spelled(reason)));
        }
        if let Some(error) = &said.error {
            let error = spelled(error);
            bytes.push_str(&format!(
                ",\"error\":{{\"name\":\"UnknownError\",\"data\":{{\"message\":\"{error}\"}}}}"
            ));
        }
        let edit = WrittenEdit { start: info.0, end: info.1, bytes: bytes.into_bytes() };
        match finish.and_then(|finish| self.edits.get_mut(finish)) {
            Some(before) => *before = edit,
            None => self.edits.push(edit),
        }
        if let (Some(((start, end), _)), Some(reason)) = (step, reason) {
            let reason = spelled(reason);
            let bytes = format!("\"reason\":\"{reason}\",\"cost\":{cost},\"tokens\":{tokens}");
            self.edits.push(WrittenEdit { start, end, bytes: bytes.into_bytes() });
        }
    }

    fn push(&mut self, json: &str) {
        if self.is_writing() {
            self.out.extend_from_slice(json.as_bytes());
        }
    }

    fn push_now(&mut self) {
        self.out.extend_from_slice(self.now.as_bytes());
    }

    fn push_model(&mut self) {
        self.out.extend_from_slice(self.model_id.as_bytes());
    }

    /// The id of a message.
    fn push_id(&mut self, message: usize) {
        self.ids.push(message, &mut self.out);
    }

    fn push_session(&mut self) {
        self.out.extend_from_slice(self.ids.session_id().as_bytes());
    }

    fn begin_message(&mut self) {
        self.push(if self.count == 0 { "{\"info\":{\"id\":\"" } else { ",{\"info\":{\"id\":\"" });
        self.push_id(self.count);
        self.push("\",\"sessionID\":\"");
        self.push_session();
        self.push("\",");
    }

    /// Begins a part of the last message, which becomes its next one.
    fn begin_part(&mut self, number: &mut usize, kind: &str) {
        self.push(if *number == 0 { "{\"id\":\"" } else { ",{\"id\":\"" });
        let message = self.count - 1;
        self.push_id(message);
        self.out.push(b':');
        push_number(&mut self.out, *number);
        self.push("\",\"sessionID\":\"");
        self.push_session();
        self.push("\",\"messageID\":\"");
        self.push_id(message);
        self.push("\",\"type\":\"");
        self.push(kind);
        self.push("\"");
        *number += 1;
    }

    /// Adds parts to the last message; `number` is that of the next one.
    fn add(&mut self, parts: Vec<NewPart<'_>>, path: &Path<'_>, number: &mut usize) {
        for NewPart { content, metadata } in parts {
            if let PartContent::Call(call) = content {
                self.call(*call, metadata, path, *number);
                *number += 1;
            } else if self.is_writing() {
                self.part(&content, &metadata, number);
            } else {
                *number += 1;
            }
        }
    }

    fn part(&mut self, content: &PartContent<'_>, metadata: &NewFields<'_>, number: &mut usize) {
        match content {
            PartContent::Text(text) => {
                self.begin_part(number, "text");
                self.push(",\"text\":");
                text.write(&mut self.out);
            }
            PartContent::Reasoning(text) => {
                self.begin_part(number, "reasoning");
                self.push(",\"text\":");
                text.write(&mut self.out);
                write_time(&self.now, &mut self.out);
            }
            PartContent::Custom(kind) => {
                let kind = kind.spelled();
                self.begin_part(number, &kind);
            }
            PartContent::File(_) => self.begin_part(number, "file"),
            PartContent::Call(_) => return,
        }
        write_rest(content, metadata, &mut self.out);
    }

    /// Completes a call. `of` is what the result names: an id or, if `is_named`, a tool.
    pub(crate) fn result(
        &mut self,
        of: &NewText<'_>,
        outcome: CallOutcome<'_>,
        path: &Path<'_>,
        is_named: bool,
    ) {
        let of = of.spelled();
        match self.calls.find(&key_of(&of, is_named)) {
            Ok(call) => self.end_call(call, outcome, path),
            Err(NoCall::Unknown) => self.warn("RP-2", path, || {
                let what = if is_named { "a call of" } else { "the call" };
                let call = quoted_start(&of, 60);
                format!("a result of {what} {call}, which does not come before it: it is left out")
            }),
            Err(NoCall::Answered) => self.warn("RP-2", path, || {
                "a second result of this call: the first counts, it is left out".to_owned()
            }),
        }
    }

    fn end_call(&mut self, call: usize, mut outcome: CallOutcome<'_>, path: &Path<'_>) {
        let Some((message, part)) = self.calls.answer(call) else { return };
        if outcome.is_error && !outcome.files.is_empty() {
            self.warn("schema", path, || {
                "an error has no place for files: they are left out".to_owned()
            });
        }
        if !self.is_writing() {
            return;
        }
        let Some(edit) = self.call_edits.get_mut(call) else { return };
        if let Some(state) = outcome.state.take() {
            edit.metadata = merged(&edit.metadata, state, &mut self.tape);
            edit.is_merged = true;
        }
        let rest = &mut edit.rest;
        rest.clear();
        if outcome.is_error {
            edit.status = "error";
            // A call that failed has no title.
            edit.title.clear();
            return write_error(&outcome, &self.now, rest);
        }
        edit.status = "completed";
        rest.extend_from_slice(b",\"output\":");
        write_lines(&outcome.text, rest);
        for piece in [",\"title\":\"", &edit.title, "\",\"metadata\":"] {
            rest.extend_from_slice(piece.as_bytes());
        }
        outcome.details.unwrap_or_default().write(rest);
        write_time(&self.now, rest);
        for (at, file) in outcome.files.iter().enumerate() {
            rest.extend_from_slice(if at == 0 { b",\"attachments\":[" } else { b"," });
            let (id, session) = (self.ids.of(message), self.ids.session_id());
            let id = format!(
                "{{\"id\":\"{id}:{part}:{at}\",\"sessionID\":\"{session}\",\
                 \"messageID\":\"{id}\",\"type\":\"file\""
            );
            rest.extend_from_slice(id.as_bytes());
            write_rest(&file.content, &file.metadata, rest);
        }
        if !outcome.files.is_empty() {
            rest.push(b']');
        }
    }

    fn call<'a>(
        &mut self,
        mut call: NewCall<'a>,
        mut metadata: NewFields<'a>,
        path: &Path<'_>,
        number: usize,
    ) {
        let message = self.count - 1;
        let (field, index, last) = call.place;
        let field = path.name(field);
        let element = index.map(|index| field.index(index));
        let element = element.as_ref().unwrap_or(&field);
        let inner = element.name(last);
        let within = if last.is_empty() { element } else { &inner };
        let id = call.id.spelled();
        let call_id = self.call_id(&id, (message, number), call.is_named, within);
        let tool = call.tool.spelled();
        let place = self.calls.add(message, number);
        self.calls.register(&key_of(if id.is_empty() { &call_id } else { &id }, false));
        if call.is_named {
            self.calls.register(&key_of(&tool, true));
        }
        if self.is_writing() {
            if let Some((key, state)) = call.outcome.as_mut().and_then(|own| own.state.take()) {
                metadata.merge(key, state);
            }
            let request = self.approvals.add(call.approvable, place, &mut metadata);
            self.write_call(&call, &metadata, (&call_id, &tool), number);
            if let Some(edit) = self.call_edits.last_mut() {
                edit.request = request;
            }
        }
        if let Some(outcome) = call.outcome {
            self.end_call(place, outcome, within);
        }
    }

    fn write_call(
        &mut self,
        call: &NewCall<'_>,
        metadata: &NewFields<'_>,
        (call_id, tool): (&str, &str),
        mut number: usize,
    ) {
        self.begin_part(&mut number, "tool");
        self.push(",\"callID\":\"");
        self.push(call_id);
        self.push("\",\"tool\":\"");
        self.push(tool);
        self.push("\",\"state\":{\"status\":\"");
        let status_at = self.out.len();
        self.push("\",\"input\":");
        match &call.input {
            CallInput::Empty | CallInput::Field(_, None) => self.push("{}"),
            CallInput::Node(node) => node.stringify(&mut self.out),
            CallInput::Field(name, Some(value)) => {
                NewFields::one(name, Value::Node(*value)).write(&mut self.out);
            }
            CallInput::Json(json) => self.push(json),
        }
        let rest_at = self.out.len();
        let mut edit = CallEdit { status_at, status: "running", rest_at, ..CallEdit::default() };
        edit.title = call.title.as_ref().map(NewText::spelled).unwrap_or_default().into_owned();
        let rest = match &call.raw {
            Some(raw) => {
                edit.status = "pending";
                [",\"raw\":\"", &raw.spelled(), "\""].concat()
            }
            None if edit.title.is_empty() => [",\"time\":{\"start\":", &self.now, "}"].concat(),
            None => {
                let title = &edit.title;
                [",\"title\":\"", title, "\",\"time\":{\"start\":", &self.now, "}"].concat()
            }
        };
        edit.rest = rest.into_bytes();
        if !metadata.is_empty() {
            metadata.write(&mut edit.metadata);
        }
        self.call_edits.push(edit);
        self.push("}");
    }

    /// An id that no other call has: the call's own, if it has one.
    fn call_id(
        &mut self,
        id: &str,
        (message, part): (usize, usize),
        is_named: bool,
        path: &Path<'_>,
    ) -> String {
        let own = || format!("{}:{part}", self.ids.of(message));
        let wanted = if id.is_empty() { own() } else { id.to_owned() };
        if id.is_empty() && !is_named {
            self.warn("RP-3", path, || format!("the call has no id: it gets \"{wanted}\""));
        }
        let call_id = self.ids.call(wanted);
        if !id.is_empty() && call_id != id {
            self.warn("RP-3", path, || {
                let shown = quoted_start(&call_id, 80);
                format!("another call before it has this id: it becomes {shown}")
            });
        }
        call_id
    }

    /// Notes that a person is asked about a call; false if there is no such call.
    pub(crate) fn ask(&mut self, call: &str, id: Option<&str>, approval: &NewFields<'_>) -> bool {
        self.approvals.ask(call, id, approval, &mut self.call_edits, &mut self.tape)
    }

    /// Notes the answer to a request; false if there is no such request.
    pub(crate) fn approve(&mut self, id: &str, answer: NewFields<'_>) -> bool {
        self.approvals.answer(id, answer, &mut self.tape)
    }

    /// Ends a list of messages.
    pub(crate) fn end_list(&mut self) {
        self.end_answer();
        self.unnamed = Default::default();
        if self.approvals.is_used {
            self.approvals.end(&mut self.call_edits, &self.now, &mut self.tape);
            self.approvals = Approvals::default();
        }
    }

    /// The messages, as a JSON array.
    pub(crate) fn into_json(mut self) -> Vec<u8> {
        self.end_list();
        written(&self.out, self.call_edits, self.edits)
    }
}

fn has_calls(parts: &[NewPart<'_>]) -> bool {
    parts.iter().any(|part| matches!(part.content, PartContent::Call(_)))
}

/// Why an answer ended.
fn reason_of(has_calls: bool) -> &'static str {
    if has_calls { "tool-calls" } else { "stop" }
}

/// What the result of a call names: tools and ids are apart.
fn key_of(name: &str, is_named: bool) -> String {
    [if is_named { "tool " } else { "id " }, name].concat()
}
