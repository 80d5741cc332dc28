#![doc = include_str!("../README.md")]

mod damage;
mod database;
mod header;
mod literal;
mod lookup;
mod numbers;
mod pages;
mod record;
mod rows;
mod source;
mod sql_tokens;
mod table;
mod tree;
mod wal;

pub use database::SqliteDatabase;
pub use header::is_sqlite;
pub use record::SqliteValue;
pub use rows::{SqliteRow, SqliteRows};
pub use source::SqliteSource;
pub use table::SqliteTable;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
