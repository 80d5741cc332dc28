//! What a rollout says of its run: its first line has the ids of the thread, and of the one that started it.

use crate::fields::{get, of_kind, string};
use crate::run_file::{RunFile, RunFileRole, text_at};
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;

/// The thread that started the one with this header.
pub(super) fn started_by(meta: Node<'_>) -> Option<String> {
    const SPAWN: [&str; 4] = ["source", "subagent", "thread_spawn", "parent_thread_id"];
    let by = text_at(meta, &["parent_thread_id"]).or_else(|| text_at(meta, &SPAWN));
    by.map(std::borrow::Cow::into_owned)
}

/// What the first line of a rollout says.
pub(super) fn run_file(line: Node<'_>) -> Option<RunFile> {
    if text_at(line, &["type"]).is_none_or(|kind| kind != "session_meta") {
        return None;
    }
    let meta = of_kind(get(Some(line), "payload"), Kind::Object)?;
    let session = string(get(Some(meta), "id"))?.into_owned();
    let base = text_at(meta, &["history_base", "thread_id"]);
    let role = match base.is_some_and(|base| base == *session) {
        true => RunFileRole::Continues,
        false => RunFileRole::Begins,
    };
    let begun = text_at(meta, &["timestamp"]).unwrap_or_default().into_owned();
    Some(RunFile { session, parent: started_by(meta), role, begun })
}
