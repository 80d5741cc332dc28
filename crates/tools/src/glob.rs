//! Globs of paths, and the lines of ignore files.
//!
//! [`Glob`] matches a path, [`IgnoreFile`] holds the lines of one `.gitignore`, `.ignore` or `.rgignore`,
//! [`IgnoreStack`] those of a whole tree, and [`is_skipped`] and [`relative_pattern`] are the rules of a
//! walk. The grammar is that of the crate `globset`, which ripgrep uses; the meaning of a line is that of
//! gitignore(5):
//!
//! | syntax | matches |
//! | --- | --- |
//! | `*` | any run of characters without `/` |
//! | `?` | one character but `/` |
//! | `**` | as a whole component: any number of folders, none included |
//! | `[a-z]`, `[!a]`, `[^a]` | one character of the class, or one that is not in it; never `/` |
//! | `{a,b}` | either; an alternative may be empty, and may hold further groups |
//! | `\x` | the character x |
//! | no `/` but at the end | the name at any depth |
//! | `/` at the front or within | the whole path |
//! | `/` at the end | directories only |
//! | `!` at the front | turns the meaning round |
//!
//! Paths are relative, with `/` between names. No memory of a former match is kept, so a glob may be
//! shared. A match takes time in proportion to the length of the path times that of the pattern.

mod glob_error;
mod ignore_file;
mod ignore_stack;
mod parser;
mod pattern;
mod program;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod walk;

pub use glob_error::GlobError;
pub use ignore_file::IgnoreFile;
pub use ignore_stack::{IgnoreKind, IgnoreStack};
pub use pattern::Glob;
pub use walk::{is_skipped, relative_pattern};
