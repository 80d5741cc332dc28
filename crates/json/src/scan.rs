//! The scanning of JSON text for Rust users: values, fields, strings and numbers are found without
//! being copied.

pub use super::cursor::value;
pub use super::fields::{fields, fields_into, find};
pub use super::literal::literal;
pub use super::number::{no_digits, number, skip_digits};
pub use super::span::{Span, TokenKind};
pub use super::string::{ends, joined, plain, string, unescape, unescaped};
pub use super::white_space::skip_space;
pub use apex_parts_model::bytes::{is_less, same};
