//! The events of Codex: ends of turns and calls, tokens, errors, rollbacks; and where a fork's copy ends.

use super::call_end::CodexCallEnd;
use super::reader::{Codex, CodexItem, ROOT};
use crate::fields::{get, number, of_kind, string, token};
use crate::log::log_message::error_json;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

impl Codex {
    pub(super) fn event(&mut self, kind: &str, item: CodexItem<'_>) {
        match kind {
            "token_count" => {
                self.usage.count(get(Some(item.node), "info"), &mut self.log, ROOT);
            }
            "task_started" | "turn_started" => self.end_answer(),
            "task_complete" | "turn_complete" => {
                self.end_answer();
                let why = get(get(Some(item.node), "error"), "message");
                if let Some(why) = of_kind(why, Kind::String) {
                    self.refused(token(why, item.json), item.at);
                }
            }
            "turn_aborted" => self.abort(item),
            "error" | "stream_error" => {
                let said = get(Some(item.node), "message").map_or("", |it| token(it, item.json));
                let said = if said.is_empty() { "error" } else { said };
                self.log.notice(ROOT, "error", said, item.at, item.offset);
            }
            "thread_rolled_back" => self.roll_back(get(Some(item.node), "num_turns")),
            "thread_name_updated" => {
                let title = string(get(Some(item.node), "thread_name"));
                if let (Some(session), Some(title)) = (self.log.session(ROOT), title) {
                    session.title = Some(title.into_owned());
                }
            }
            "exec_command_end" | "mcp_tool_call_end" => self.call_end(item),
            _ => {}
        }
    }

    fn abort(&mut self, item: CodexItem<'_>) {
        let reason = get(Some(item.node), "reason").map_or("", |it| token(it, item.json));
        self.end_answer();
        if self.log.last_user(ROOT).is_some() {
            self.answer(item.at);
            self.end_answer();
        }
        self.log.abort(ROOT, reason, item.at);
        for (call_id, told) in std::mem::take(&mut self.told).iter() {
            let result = self.log.find(ROOT, call_id).and_then(|call| call.result.as_mut());
            if let (Some(result), Some(told)) = (result, self.ends.get(told)) {
                told.add_to(result);
            }
        }
    }

    /// The provider refused the last request of the turn; the reason is raw. An event before may have said the same.
    fn refused(&mut self, reason: &str, at: f64) {
        let error = error_json("UnknownError", reason);
        let is_said = self.log.last_answer(ROOT).and_then(|last| self.log.message(last));
        if is_said.is_some_and(|answer| answer.error == error) {
            return;
        }
        let answer = self.answer(at);
        self.end_answer();
        if let Some(message) = self.log.message(answer) {
            message.error = error;
        }
    }

    fn roll_back(&mut self, turns: Option<Node<'_>>) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
        let count = number(turns).map_or(0, |turns| turns as usize);
        let keep = self.turns.len().saturating_sub(count);
        let Some(first) = self.turns.get(keep).copied() else { return };
        self.end_answer();
        self.leave(first);
    }

    /// The thread goes on behind the last line before this ordinal: what came after it is a branch.
    pub(super) fn revert(&mut self, end: i64) {
        self.end_answer();
        let first = self.begun.partition_point(|ordinal| *ordinal < end);
        self.leave(first);
    }

    /// The messages from a place on are left.
    fn leave(&mut self, first: usize) {
        self.turns.retain(|turn| *turn < first);
        self.begun.truncate(first);
        self.log.abandon(ROOT, first);
    }

    /// What an event says of a call: its exit code, or that a tool of a server failed.
    fn call_end(&mut self, item: CodexItem<'_>) {
        let Some(call_id) = string(get(Some(item.node), "call_id")) else { return };
        let told = CodexCallEnd::read(item.node, item.json);
        match self.log.find(ROOT, &call_id).and_then(|call| call.result.as_mut()) {
            Some(result) => told.add_to(result),
            None => {
                self.told.insert(&call_id, self.ends.len());
                self.ends.push(told);
            }
        }
    }

    /// Of a fork: where the copy of its parent ends.
    pub(super) fn look_for_copy(&mut self, kind: &str, payload: Node<'_>, at: f64) {
        let Some(fork) = &mut self.fork else { return };
        let inner = string(get(Some(payload), "type"));
        let is_event = kind == "event_msg"
            && matches!(inner.as_deref(), Some("task_started" | "turn_started"));
        let messages = self.log.session(ROOT).map_or(0, |session| session.messages.len());
        let is_turn = fork.begins_turn(is_event, kind == "turn_context");
        if at > fork.limit {
            // The turn that this line is in is its own; all before it were copied.
            let count = if is_turn { messages } else { fork.turn };
            self.fork = None;
            self.end_copy(count);
        } else if is_turn {
            fork.turn = messages;
            // Tokens that wait are those of the turn that has ended.
            self.usage.finish(&mut self.log, ROOT);
        }
    }

    /// The first messages were copied, if there is anything but texts of the program among them.
    pub(super) fn end_copy(&mut self, count: usize) {
        let has_turn = self.turns.first().is_some_and(|turn| *turn < count);
        if !has_turn {
            return;
        }
        self.log.replay(ROOT, count);
        self.turns.retain(|turn| *turn >= count);
        self.turns.iter_mut().for_each(|turn| *turn -= count);
    }
}
