//! OpenAI's Responses: events about the items of a response, by `output_index`.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{holds, must, must_object, must_string, type_of};
use crate::providers::failure::error_of;
use crate::providers::finish::finish_word;
use crate::providers::openai_responses::event::{
    DeltaTarget, delta_target, is_first, is_last, is_progress,
};
use crate::providers::openai_responses::item::{ListedItems, ResponseItem, check_item};
use crate::providers::openai_responses::response::{OWN, is_whole};
use crate::providers::openai_responses::texts::{KEY, TextPlace};
use crate::providers::openai_responses::tool_result::result_of;
use crate::providers::openai_responses::usage::stated;
use crate::providers::output::{
    append_meta, emit, emit_before, places, set_meta, set_meta_except, set_meta_fields, wrong,
};
use crate::providers::part_state::emit_custom;
use crate::providers::phase::StreamPhase;
use crate::providers::response_id::{named_by, note_ids};
use crate::providers::usage::{TokenCounting, Totals};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, Piece, ReaderOutput};
use serde_json::{Map, Value, json};

/// An item that was read.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// An open one, by its index.
    Open(u64),
    /// One that has come whole, by its place among these.
    Read(usize),
}

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct OpenAiResponses {
    phase: StreamPhase,
    id: String,
    /// The open items by `output_index`: item ids may change from event to event.
    items: Slots<ResponseItem>,
    /// The index of the last item, for servers that send no `output_index`.
    last: u64,
    /// The indices of items by their ids, for the same servers.
    ids: Numbering,
    /// An item has come: the list in the response's end has nothing new.
    any: bool,
    /// The ids of calls that the client has to answer.
    calls: Numbering,
    /// The id of the last call of each type, for outputs that do not name their call.
    kinds: Map<String, Value>,
    /// Bytes held of calls that wait for their `done`.
    kept: u64,
    totals: Totals,
    listed: ListedItems,
    /// Which ids have come: 1 that of the model, 2 that of the response.
    named: u64,
    /// How many items were numbered.
    count: u64,
    /// The ids of all calls.
    runs: Numbering,
    /// The block of the text that is the last part, counted from 1; 0 if there is none.
    block: u64,
    /// The items are known from the first on: a snapshot of an older version has not all of them.
    known: bool,
    /// The items that have come whole, and their indices.
    read: Vec<ResponseItem>,
    places: Vec<u64>,
}

state!(OpenAiResponses {
    phase,
    id,
    items,
    last,
    ids,
    any,
    calls,
    kinds,
    kept,
    totals,
    listed,
    named,
    count,
    runs,
    block,
    known,
    read,
    places
});

impl OpenAiResponses {
    /// Begins a response. An open one was cut off.
    fn open(&mut self, response: Val<'_>, out: &mut Sink<'_>) {
        self.end(out);
        let [id, model] = response.fields(&["id", "model"]);
        let id = id.text();
        let model = model.text();
        *self = Self {
            phase: StreamPhase::Open,
            id: id.clone().into_owned(),
            named: named_by(&model, &id),
            known: true,
            ..Self::default()
        };
        emit(out, Payload::Start { model_id: model, request_id: id });
        out(ReaderOutput::StateKey(super::texts::KEY));
        set_meta_fields(out, response, &["created_at"]);
    }

    /// The index of the item that an event is about.
    fn item_index(&self, root: Val<'_>) -> u64 {
        let [index, id] = root.fields(&["output_index", "item_id"]);
        index.index().or_else(|| self.ids.get(&*id.text()).copied()).unwrap_or(self.last)
    }

    /// The index of the item that an event contains.
    fn own_item_index(&self, root: Val<'_>, is_added: bool) -> u64 {
        let [index, item] = root.fields(&["output_index", "item"]);
        let known = || self.ids.get(&*item.get("id").text()).copied();
        let next = if is_added && self.any { self.last.saturating_add(1) } else { self.last };
        index.index().or_else(known).unwrap_or(next)
    }

    /// The number of an item that begins, counted from 1: its index, unless the stream gives an index again.
    fn number(&mut self, at: u64) -> u64 {
        /// Blocks of items up to here are exact in JavaScript.
        const MOST: u64 = 1 << 30;
        self.count = if at >= self.count && at < MOST { at + 1 } else { self.count + 1 };
        self.count
    }

    /// The open item of this index, which begins now if there is none.
    fn item(&mut self, at: u64) -> Option<&mut ResponseItem> {
        self.any = true;
        self.last = at;
        if self.items.get(at).is_none() {
            let number = self.number(at);
            self.items.insert(at, ResponseItem::new(number));
        }
        self.items.get_mut(at)
    }

    fn update_item(&mut self, at: u64, change: impl FnOnce(&mut ResponseItem)) {
        let Some(item) = self.item(at) else { return };
        let before = item.held();
        change(item);
        let after = item.held();
        self.kept = (self.kept + after).saturating_sub(before);
    }

    /// Emits text of an item; `index` is the number of its part, if the event has it.
    fn text(
        &mut self,
        at: u64,
        place: fn(u64) -> TextPlace,
        index: Val<'_>,
        piece: Piece<'_>,
        out: &mut Sink<'_>,
    ) {
        let mut last = self.block;
        if let Some(item) = self.item(at) {
            let number = index.index().unwrap_or_else(|| item.text_number());
            item.text(place(number), piece, &mut last, out);
        }
        self.block = last;
    }

    fn delta(&mut self, target: &DeltaTarget, root: Val<'_>, out: &mut Sink<'_>) {
        let at = self.item_index(root);
        if let Some(item) = self.item(at) {
            item.name_by_piece(&root.get("item_id").text());
        }
        let [delta, command, content, summary] =
            root.fields(&["delta", "command_index", "content_index", "summary_index"]);
        let (place, index): (fn(u64) -> TextPlace, _) = match target {
            DeltaTarget::Refusal => (TextPlace::Refusal, content),
            DeltaTarget::Summary => (TextPlace::Summary, summary),
            DeltaTarget::Reasoning => (TextPlace::Reasoning, content),
            _ => (TextPlace::Content, content),
        };
        match target {
            DeltaTarget::Text
            | DeltaTarget::Refusal
            | DeltaTarget::Summary
            | DeltaTarget::Reasoning => {
                let Some(piece) = delta.piece() else { return };
                self.text(at, place, index, piece, out);
                let logprobs = root.get("logprobs");
                if logprobs.items().next().is_some() {
                    append_meta(out, "logprobs", logprobs.value());
                }
            }
            DeltaTarget::Args => self.update_item(at, |item| item.args(delta, out)),
            DeltaTarget::Token | DeltaTarget::Patch => {
                self.update_item(at, |item| item.token(delta.token(), out))
            }
            DeltaTarget::Command => {
                let number = command.index().unwrap_or_default();
                self.update_item(at, |item| item.command(number, delta.token(), out));
            }
        }
    }

    /// A `.done` event; its complete text was mostly streamed before.
    fn done_event(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let at = self.item_index(root);
        let [text, refusal, args, input, code, diff] =
            root.fields(&["text", "refusal", "arguments", "input", "code", "diff"]);
        match kind {
            "output_text"
            | "refusal"
            | "reasoning_text"
            | "reasoning_summary_text"
            | "content_part"
            | "reasoning_summary_part" => {
                let part = root.get("part");
                let [part_kind, part_text, part_refusal] =
                    part.fields(&["type", "text", "refusal"]);
                let all = [text, refusal, part_text, part_refusal];
                let complete = all.into_iter().find(|text| text.exists()).unwrap_or_default();
                let [content, summary] = root.fields(&["content_index", "summary_index"]);
                let of = if part.is_object() { part_kind.text() } else { kind.into() };
                let (place, index): (fn(u64) -> TextPlace, _) = match &*of {
                    "output_text" => (TextPlace::Content, content),
                    "refusal" => (TextPlace::Refusal, content),
                    "reasoning_text" => (TextPlace::Reasoning, content),
                    "reasoning_summary_text" | "summary_text" => (TextPlace::Summary, summary),
                    _ => return,
                };
                let mut is_read = true;
                self.update_item(at, |item| {
                    item.name_by_piece(&root.get("item_id").text());
                    let streamed = item.part_done();
                    let number = index.index().unwrap_or_else(|| item.text_number());
                    is_read = item.text_whole(place(number), complete, out)
                        && (streamed || item.is_numbered());
                });
                if let Some(piece) = complete.piece().filter(|_| !is_read) {
                    self.text(at, place, index, piece, out);
                    self.update_item(at, |item| _ = item.part_done());
                }
            }
            "function_call_arguments" | "mcp_call_arguments" | "mcp_call.arguments" => {
                self.update_item(at, |item| item.args_done(args, out));
            }
            "custom_tool_call_input" => self.update_item(at, |item| item.token_done(input, out)),
            "code_interpreter_call_code" | "code_interpreter_call.code" => {
                self.update_item(at, |item| item.token_done(code, out));
            }
            "apply_patch_call_operation_diff" => {
                self.update_item(at, |item| item.token_done(diff, out))
            }
            _ => {}
        }
    }

    fn item_added(&mut self, at: u64, item: Val<'_>, out: &mut Sink<'_>) {
        self.any = true;
        self.last = at;
        let mut early = None;
        if let Some(mut replaced) = self.items.remove(at) {
            self.kept = self.kept.saturating_sub(replaced.held());
            if replaced.is_unnamed() {
                early = Some(replaced);
            } else {
                replaced.start_waiting(&mut self.listed, out);
                self.keep_read(at, replaced);
            }
        }
        let early = early.unwrap_or_else(|| ResponseItem::new(self.number(at)));
        let open = ResponseItem::added(item, early, &mut self.listed, out);
        self.block = 0;
        self.note_call(&open);
        self.kept += open.held();
        self.ids.insert(open.id().to_owned(), at);
        self.items.insert(at, open);
    }

    fn item_done(&mut self, at: u64, item: Val<'_>, out: &mut Sink<'_>) {
        self.any = true;
        self.last = at;
        self.block = 0;
        let open = self.items.remove(at);
        let mut open = open.unwrap_or_else(|| ResponseItem::new(self.number(at)));
        self.ids.remove(open.id());
        self.kept = self.kept.saturating_sub(open.held());
        open.done(at, item, &mut self.listed, out);
        self.note_call(&open);
        self.finish_item(at, item, open, out);
    }

    /// Keeps what was read of an item that is no longer open.
    fn keep_read(&mut self, at: u64, item: ResponseItem) {
        self.read.push(item.closed());
        self.places.push(at);
    }

    /// An item has come whole.
    fn finish_item(&mut self, at: u64, item: Val<'_>, open: ResponseItem, out: &mut Sink<'_>) {
        let kind = item.get("type").text();
        if let Some(stem) = kind.strip_suffix("_output") {
            // `tool_search_output` belongs to `tool_search_call`, `shell_call_output` to `shell_call`.
            let stem = stem.strip_suffix("_call").unwrap_or(stem);
            let last = self.kinds.get(stem).and_then(Value::as_str).unwrap_or_default();
            let id = item.get("call_id").text();
            self.calls.remove(if id.is_empty() { last } else { &id });
            let id = if id.is_empty() { last } else { &id };
            if !self.runs.contains_key(id) {
                // No part of this message is the call.
                emit_custom(out, KEY, &kind, "item", &item.json());
            }
            result_of(item, last, open.index(), out);
        }
        self.keep_read(at, open);
    }

    fn note_call(&mut self, item: &ResponseItem) {
        if let Some(id) = item.to_answer() {
            self.calls.insert(id.to_owned(), 1);
        }
        if let Some((kind, id)) = item.call() {
            self.runs.insert(id.to_owned(), 0);
            let stem = kind.strip_suffix("_call").unwrap_or(kind);
            if self.kinds.get(stem).is_none_or(|known| known != id) {
                self.kinds.insert(stem.to_owned(), Value::from(id));
            }
        }
    }

    fn close(&mut self, response: Val<'_>, out: &mut Sink<'_>) {
        self.list(response.get("output"), out);
        let mut has_early = false;
        while let Some(mut item) = self.items.pop() {
            has_early |= item.is_unnamed() && item.has_early_pieces();
            item.flush(&mut self.listed, out);
        }
        if has_early {
            wrong(out, "pieces of arguments came of an item that did not");
        }
        self.usage(response.get("usage"), out);
        let [id, model] = response.fields(&["id", "model"]);
        note_ids(&mut self.named, &model.text(), &id.text(), out);
        set_meta_except(out, response, OWN);
    }

    /// The list of all items at the end (W-70): those that were read are compared, the others are read now.
    fn list(&mut self, output: Val<'_>, out: &mut Sink<'_>) {
        if self.any && !self.known {
            return;
        }
        let list: Vec<_> = output.items().filter(|item| holds(check_item(*item), out)).collect();
        let matches = self.matches(&list);
        let firsts = matches.iter().map(|known| self.known((*known)?)?.first_part());
        let places = places(firsts);
        for (((number, item), known), place) in (0..).zip(&list).zip(matches).zip(places) {
            emit_before(place, out, |out| match known {
                Some(Known::Open(at)) => self.item_done(at, *item, out),
                Some(Known::Read(index)) => {
                    if let Some(read) = self.read.get_mut(index) {
                        read.listed(*item, &mut self.listed, out);
                    }
                }
                None => self.new_item(number, *item, out),
            });
        }
    }

    /// An item that stands only in the list.
    fn new_item(&mut self, at: u64, item: Val<'_>, out: &mut Sink<'_>) {
        self.any = true;
        self.block = 0;
        let mut open = ResponseItem::new(self.number(at));
        open.done(at, item, &mut self.listed, out);
        self.note_call(&open);
        self.finish_item(at, item, open, out);
    }

    fn known(&self, known: Known) -> Option<&ResponseItem> {
        match known {
            Known::Open(at) => self.items.get(at),
            Known::Read(index) => self.read.get(index),
        }
    }

    /// Which item each of a list is: the one of its `call_id`, else of its `id`, else that of its place, if the type fits.
    fn matches(&self, list: &[Val<'_>]) -> Vec<Option<Known>> {
        let open = self.items.numbers().into_iter().map(|at| (at, Known::Open(at)));
        let read = self.places.iter().zip(0..).map(|(at, index)| (*at, Known::Read(index)));
        // Those that were read, and what names each: the call's id, its own, and its place.
        let all: Vec<_> = read.chain(open).collect();
        let mut named = Numbering::new();
        let mut is_taken = vec![false; all.len()];
        for ((at, known), number) in all.iter().zip(0..) {
            let Some(item) = self.known(*known) else { continue };
            if let Some((_, call)) = item.call() {
                named.insert(format!("c{call}"), number);
            }
            if !item.id().is_empty() {
                named.insert(format!("i{}", item.id()), number);
            }
            named.insert(format!("p{at}"), number);
        }
        let find = |name: String| named.get(&name).and_then(|number| usize::try_from(*number).ok());
        let mut take = |number: usize| {
            let is_taken = is_taken.get_mut(number)?;
            let (_, known) = all.get(number).filter(|_| !std::mem::replace(is_taken, true))?;
            Some(*known)
        };
        let mut matches: Vec<Option<Known>> = Vec::new();
        for item in list {
            let [call, id] = item.fields(&["call_id", "id"]).map(Val::text);
            // An output has the id of its call.
            let is_call = item.get("type").text().ends_with("_call");
            let by_call = if is_call { find(format!("c{call}")) } else { None };
            matches.push(by_call.or_else(|| find(format!("i{id}"))).and_then(&mut take));
        }
        for ((at, item), known) in (0_u64..).zip(list).zip(&mut matches) {
            if known.is_some() {
                continue;
            }
            let kind = item.get("type").text();
            let fits = |number: &usize| {
                let item = all.get(*number).and_then(|(_, known)| self.known(*known));
                item.is_some_and(|item| item.is_of_kind(&kind))
            };
            *known = find(format!("p{at}")).filter(fits).and_then(&mut take);
        }
        matches
    }

    fn finish(&mut self, response: Val<'_>, out: &mut Sink<'_>) {
        self.close(response, out);
        let [status, details] = response.fields(&["status", "incomplete_details"]);
        let reason = details.get("reason").text();
        let raw = if reason.is_empty() { status.text() } else { reason };
        if !raw.is_empty() {
            set_meta(out, "rawFinishReason", Value::String(raw.clone().into_owned()));
        }
        let reason = Some(&*raw).filter(|raw| !raw.is_empty()).unwrap_or("stop");
        let word = finish_word(Some(reason), !self.calls.is_empty());
        self.phase = StreamPhase::Ended;
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    fn usage(&mut self, usage: Val<'_>, out: &mut Sink<'_>) {
        if usage.is_object() {
            self.totals.state(stated(usage), TokenCounting::Included, out);
            set_meta(out, "usage", usage.value());
        }
    }

    /// Reads an event about the response itself; false if it is about anything else.
    fn response_event(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) -> bool {
        let response = root.get("response");
        match kind {
            "response.created" => {
                let id = response.get("id").text();
                let is_repeated =
                    self.phase == StreamPhase::Open && (id.is_empty() || id == self.id);
                if !is_repeated {
                    self.open(response, out);
                }
            }
            "response.queued" | "response.in_progress" => {
                let id = response.get("id").text();
                let next = self.phase == StreamPhase::Ended && !id.is_empty() && id != self.id;
                if self.phase == StreamPhase::Before || next {
                    self.open(response, out);
                }
            }
            // An `error` is followed by a `response.failed` with the same error.
            _ if self.phase == StreamPhase::Ended => {
                return is_last(kind);
            }
            "response.completed" | "response.incomplete" | "response.done" => {
                self.finish(response, out);
            }
            _ => return false,
        }
        true
    }
}

impl ProviderFormat for OpenAiResponses {
    const NAME: &'static str = "openai-responses";
    const TITLE: &'static str = "OpenAI Responses";
    const SAYS_WHOLES: bool = true;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        if is_whole(clues.root) {
            return Some(Evidence::Shape);
        }
        let kind = clues.kind?;
        let numbered = || clues.root.get("sequence_number").exists();
        let names = &["response", "output_index", "item", "part", "delta", "item_id"];
        let has_own = || clues.root.fields(names).iter().any(|value| value.exists()) || numbered();
        (kind.starts_with("response.") && has_own()).then_some(Evidence::Type)
    }

    fn owns(event: &str, root: Val<'_>) -> bool {
        // Events that are not known go to its meta.
        event.starts_with("response.") || root.get("type").text().starts_with("response.")
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open {
            return false;
        }
        let names = ["type", "delta", "output_index", "logprobs", "content_index", "summary_index"];
        let Some([kind, delta, at, logprobs, content, summary]) =
            record::fast_path_fields(json, names)
        else {
            return false;
        };
        let (Some(at), true) = (at.index(), delta.is_string()) else { return false };
        // The id of an item that has not come is read, too.
        let is_named = self.items.get(at).is_some_and(|item| !item.is_unnamed());
        if logprobs.items().next().is_some() || !is_named {
            return false;
        }
        let (place, index): (fn(u64) -> TextPlace, _) = match kind.token() {
            "response.output_text.delta" => (TextPlace::Content, content),
            "response.reasoning_summary_text.delta" => (TextPlace::Summary, summary),
            "response.reasoning_text.delta" => (TextPlace::Reasoning, content),
            "response.function_call_arguments.delta" => {
                self.update_item(at, |item| item.args(delta, out));
                return true;
            }
            _ => return false,
        };
        if let Some(piece) = delta.piece() {
            self.text(at, place, index, piece, out);
        }
        true
    }

    const IS_TYPED: bool = true;

    fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
        let kind = root.get("type").text();
        let kind = if kind.is_empty() { event } else { &kind };
        let response = match kind {
            "response.failed" | "response.cancelled" => root.get("response"),
            _ if is_whole(root) && root.get("status").text() == "failed" => root,
            _ if is_whole(root) => return None,
            _ => return error_of(event, root, true),
        };
        let error = response.get("error");
        Some(if error.exists() { error } else { response })
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let response = if is_whole(root) { root } else { root.get("response") };
        if self.phase != StreamPhase::Open {
            self.open(response, out);
        }
        self.close(response, out);
        self.phase = StreamPhase::Ended;
    }

    fn begins(event: &str, root: Val<'_>, failed: &str) -> bool {
        let response = if is_whole(root) { root } else { root.get("response") };
        let first = is_whole(root) || type_of(event, root).is_ok_and(|kind| is_first(&kind));
        first && response.get("id").text() != failed
    }

    fn open_id(&self) -> &str {
        &self.id
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        if is_whole(root) {
            return Ok(());
        }
        let kind = type_of(event, root)?;
        let at = root.get("output_index");
        must(at.index().is_some() || !at.exists(), "output_index", "a whole number from 0", at)?;
        match &*kind {
            "response.output_item.added" | "response.output_item.done" => {
                check_item(root.get("item"))
            }
            "response.created"
            | "response.completed"
            | "response.incomplete"
            | "response.failed" => must_object(root.get("response"), "response"),
            _ if delta_target(&kind).is_some() => must_string(root.get("delta"), "delta"),
            _ => Ok(()),
        }
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        if is_whole(root) {
            self.open(root, out);
            let is_over = !matches!(&*root.get("status").text(), "in_progress" | "queued");
            return if is_over { self.finish(root, out) } else { self.close(root, out) };
        }
        let Ok(kind) = type_of(event, root) else { return };
        // What the client sent stands between the events of a WebSocket.
        const SENT: &[&str] =
            &["ping", "keepalive", "response.create", "response.cancel", "response.append"];
        if SENT.contains(&&*kind) {
            return;
        }
        if self.phase == StreamPhase::Before && !is_first(&kind) {
            self.open(root.get("response"), out);
        }
        if self.response_event(&kind, root, out) {
            return;
        }
        if let Some(target) = delta_target(&kind) {
            if &*kind == "response.refusal.delta" {
                set_meta(out, "refusal", Value::Bool(true));
            }
            return self.delta(&target, root, out);
        }
        match &*kind {
            "response.output_item.added" => {
                self.item_added(self.own_item_index(root, true), root.get("item"), out);
            }
            "response.output_item.done" => {
                self.item_done(self.own_item_index(root, false), root.get("item"), out);
            }
            "response.output_text.annotation.added" => {
                let [index, part, annotation] =
                    root.fields(&["output_index", "content_index", "annotation"]);
                let value = json!({
                    "output_index": index.value(),
                    "content_index": part.value(),
                    "annotation": annotation.value(),
                });
                append_meta(out, "annotations", value);
                let at = self.item_index(root);
                if let Some(item) = self.items.get_mut(at) {
                    let number = part.index().unwrap_or_else(|| item.text_number());
                    self.kept += item.annotate(number, annotation);
                }
            }
            // The text of a part comes in its deltas or its item.
            "response.content_part.added" | "response.reasoning_summary_part.added" => {
                let at = self.item_index(root);
                self.any = true;
                self.last = at;
                if let Some(item) = self.items.or_default(at) {
                    item.part_added(&mut self.listed, out);
                }
            }
            _ => match kind.strip_prefix("response.") {
                Some(name) if is_progress(name) => {}
                Some(name) if name.ends_with(".done") => {
                    self.done_event(name.trim_end_matches(".done"), root, out);
                }
                _ => append_meta(out, "events", root.value()),
            },
        }
    }

    fn held(&self) -> u64 {
        self.kept
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        self.items.each_mut().for_each(ResponseItem::drop_held);
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            let OpenAiResponses { items, listed, .. } = self;
            for item in items.each_mut() {
                item.flush(listed, out);
            }
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
