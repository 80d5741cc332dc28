//! [`CodexCallEnd`]: what an event says of a call that has ended, beside its output.

use super::output::integer;
use crate::fields::{get, is_true, of_kind, pick, raw, token};
use crate::log::SharedText;
use crate::log::log_call::{LogResult, LogStatus};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// What an event says.
#[derive(Debug, Default)]
pub(super) struct CodexCallEnd {
    /// The exit code of a command.
    exit: Option<i64>,
    /// The tool of a server says that it failed.
    is_error: bool,
    /// Why there is no result; raw.
    error: Option<SharedText>,
}

impl CodexCallEnd {
    /// Reads an `exec_command_end` or an `mcp_tool_call_end`.
    pub(super) fn read(event: Node<'_>, json: &str) -> CodexCallEnd {
        let [exit, result] = pick(event, ["exit_code", "result"]);
        let [passed, failed] = match of_kind(result, Kind::Object) {
            Some(result) => pick(result, ["Ok", "Err"]),
            None => [None; 2],
        };
        let says = |name| is_true(get(passed, name));
        CodexCallEnd {
            exit: integer(exit),
            is_error: says("isError") || says("is_error"),
            error: failed.map(|why| {
                let text = token(why, json);
                if why.kind().is_string() {
                    return text.into();
                }
                let mut text = String::new();
                apex_parts_json::writer::escape(&mut text, raw(why, json));
                text.into()
            }),
        }
    }

    /// Adds it to the result of the call.
    pub(super) fn add_to(&self, result: &mut LogResult) {
        result.exit = result.exit.or(self.exit);
        if self.is_error {
            result.metadata.push(("isError".into(), "true".into()));
        }
        if let Some(why) = &self.error {
            result.status = LogStatus::Failed;
            if result.text.is_empty() {
                result.text.clone_from(why);
            }
        }
    }
}
