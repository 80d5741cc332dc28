#![doc = include_str!("../README.md")]

mod database;
mod header;
mod numbers;
mod pages;
mod record;
mod rows;
mod source;
mod sql_tokens;
mod table;
mod wal;

pub use database::SqliteDatabase;
pub use header::is_sqlite;
pub use record::SqliteValue;
pub use rows::{SqliteRow, SqliteRows};
pub use source::SqliteSource;
pub use table::SqliteTable;
