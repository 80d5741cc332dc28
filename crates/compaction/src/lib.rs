#![doc = include_str!("../README.md")]

mod apply;
mod cache_cost;
mod config;
mod estimate;
mod given_plan;
mod head;
mod history;
mod id_list;
#[cfg(test)]
mod made_up;
mod marking;
mod marks;
mod note;
mod pinned;
mod plain_part;
mod plan;
mod print;
mod problems;
mod prune;
mod request;
mod sent;
mod size;
mod tail;
mod token_count;
pub mod tokens;
mod truncation;
mod undo;
mod view;

pub use apply::{GoOn, SummaryMeta, TRUNCATION_NOTICE, apply_summary, apply_truncation};
pub use cache_cost::CacheCost;
pub use config::{
    CompactionConfig, Estimator, ModelLimits, Prices, estimator_of, is_overflow, usable,
};
pub use estimate::{BesideMessages, ContextCheck, Estimate, check, estimate};
pub use head::{Head, Speaker, Times};
pub use history::{History, MessageArray, MessageReader, ToolSet};
pub use id_list::IdList;
pub use marking::apply_prune;
pub use marks::{STRAY_MARK, is_stray_mark, mark_of};
pub use note::{ClearMarks, Links, Note};
pub use pinned::PinnedText;
pub use plain_part::{PlainKind, PlainPart};
pub use plan::{CompactionPlan, PlanAction, PlanEntry, plan, plan_truncation};
pub use print::{hash, mixed, part_print};
pub use problems::report_links;
pub use prune::{PruneEntry, PrunePlan, PruneRun, outputs, prune};
pub use request::{RequestOptions, summary_request};
pub use sent::{is_cleared, is_sent_file};
pub use token_count::{MessageSums, MessageTokens, PartTokens, ResultSums};
pub use undo::{UndoTarget, undo};
pub use view::{FinishedCompaction, HistoryView, filter_compacted, finished_compactions};
