//! What is wrong with a record, in words.

use super::foreign::no_json;
use apex_parts_json::JsonError;
use apex_parts_model::Violation;

/// The message for a record that looks like one of another format than the one that is read.
pub(crate) fn other_format(other: &str, own: &str) -> String {
    format!("the record is of the format {other:?}, and `format` is {own:?}")
}

/// The violation of a record that is not JSON.
pub fn not_json(error: JsonError, record: &str) -> Violation {
    if error.is_limit() {
        return Violation::new("limit", format!("{} at byte {}", error.message, error.offset));
    }
    Violation::new("json", no_json(error, record.as_bytes()))
}
