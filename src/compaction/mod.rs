//! Context compaction: how full a model's context is, which old outputs to clear, what
//! to summarise and what to keep, and the history afterwards. Pure: no model, no clock, no ids of its own. Nothing
//! is ever deleted: a cleared output is marked, a summarised message is hidden, and [`undo`] brings both back.
//!
//! Every function reads a [`History`]: an array of messages with parts ([`MessageArray`]), or a transcript.
//!
//! ```
//! use apex_parts::compaction::{self, BesideMessages, CompactionConfig, MessageArray, ModelLimits};
//! let messages = serde_json::json!([
//!     {"info": {"id": "m1", "role": "user"}, "parts": [{"id": "p1", "type": "text", "text": "Hello"}]}
//! ]);
//! let history = MessageArray::new(Some(&messages));
//! let model = ModelLimits { context: 200_000.0, input: None, output: Some(8_000.0) };
//! let check = compaction::check(&history, &model, &CompactionConfig::default(), BesideMessages::default())?;
//! assert_eq!((check.used.tokens, check.overflow), (1.0, false));
//! # Ok::<(), apex_parts::model::Error>(())
//! ```

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
mod undo;
mod view;

pub use apply::{GoOn, SummaryMeta, apply_summary};
pub use cache_cost::CacheCost;
#[cfg(all(target_arch = "wasm32", feature = "compaction"))]
pub(crate) use config::estimator_of;
pub use config::{CompactionConfig, Estimator, ModelLimits, Prices, is_overflow, usable};
pub use estimate::{BesideMessages, ContextCheck, Estimate, check, estimate};
pub use head::{Head, Speaker, Times};
pub use history::{History, MessageArray, MessageReader, ToolSet};
pub use id_list::IdList;
pub use marking::apply_prune;
#[cfg(feature = "transcript")]
pub(crate) use marks::mark_of;
pub(crate) use marks::{STRAY_MARK, is_stray_mark};
pub use note::{ClearMarks, Links, Note};
pub use pinned::PinnedText;
pub use plan::{CompactionPlan, PlanAction, PlanEntry, plan};
#[cfg(feature = "transcript")]
pub(crate) use print::{hash, mixed, part_print};
pub(crate) use problems::report_links;
pub use prune::{PruneEntry, PrunePlan, PruneRun, outputs, prune};
pub use request::{RequestOptions, summary_request};
pub(crate) use sent::{is_cleared, is_sent_file};
pub use token_count::{MessageSums, MessageTokens, PartTokens, ResultSums};
pub use undo::{UndoTarget, undo};
pub use view::{FinishedCompaction, HistoryView, filter_compacted, finished_compactions};
