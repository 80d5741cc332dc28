//! What a file of a sub-agent says of its run: it stands in a folder of the session, `SESSION/subagents/agent-ID.jsonl`, and
//! `agent-ID.meta.json` describes it.

use crate::run_file::{RunFile, RunFileRole};

/// The folder that a session has for the files of its sub-agents.
const FOLDER: &str = "/subagents/";

/// What the path of a file says; `None` if it is no sub-agent's.
pub(super) fn run_file(path: &str) -> Option<RunFile> {
    let (parent, rest) = path.rsplit_once(FOLDER)?;
    let name = rest.rsplit('/').next()?;
    let (id, role) = match name.strip_suffix(".meta.json") {
        Some(id) => (id, RunFileRole::Describes),
        None => (name.strip_suffix(".jsonl")?, RunFileRole::Begins),
    };
    id.strip_prefix("agent-").filter(|id| !id.is_empty())?;
    let session = path.get(..path.len() - (name.len() - id.len()))?.to_owned();
    Some(RunFile { session, parent: Some(parent.to_owned()), role, ..RunFile::default() })
}
