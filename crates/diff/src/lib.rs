#![doc = include_str!("../README.md")]

mod changes;
mod counts;
mod files;
mod patch;
mod unified;

pub use changes::{ChangedLines, changed_lines};
pub use counts::count_changes;
pub use files::diff_files;
pub use patch::{ChangedFile, PATCH_BEGIN, parse_patch};
pub use unified::{UnifiedDiff, lines_of, unified_diff, write_line};
