//! How many tokens a text or a file is for a model, estimated: pure functions of the text alone.

pub mod chars;
pub mod classes;
mod data_url;
mod image;
pub mod media;
mod pdf;
