//! [`LogHeader`]: what a log says beside its samples.

use crate::fields::{get, pick, string};
use crate::log::session_log::read_time;
use apex_parts_json::tape::Node;

/// What a log says of all of its samples.
#[derive(Debug, Default)]
pub(super) struct LogHeader {
    pub(super) run_id: String,
    pub(super) task: String,
    /// `PROVIDER/NAME`.
    pub(super) model: String,
    pub(super) created: Option<f64>,
    pub(super) completed: Option<f64>,
}

impl LogHeader {
    pub(super) fn read(log: Node<'_>) -> LogHeader {
        let [eval, stats] = pick(log, ["eval", "stats"]);
        let text = |name| string(get(eval, name)).unwrap_or_default().into_owned();
        let started = || read_time(get(stats, "started_at"));
        LogHeader {
            run_id: text("run_id"),
            task: text("task"),
            model: text("model"),
            created: read_time(get(eval, "created")).or_else(started),
            completed: read_time(get(stats, "completed_at")),
        }
    }
}
