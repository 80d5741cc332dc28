//! The validator: checks every rule of the model and reports all problems at once.
//!
//! The same code checks JSON values natively, JavaScript values through handles, and the bytes of a
//! file without parsing them into values (see [`View`](crate::model::View)).
//!
//! ```
//! use apex_parts::validate::{self, Ids};
//! use apex_parts::model::ValidationResult;
//! let part = serde_json::json!({"id": "p", "sessionID": "s", "type": "text", "text": 1});
//! let mut problems = Vec::new();
//! validate::part(&Some(&part), Ids::OpenCode, &mut problems);
//! let result = ValidationResult::from(problems);
//! assert!(!result.valid);
//! assert_eq!(result.problems[0].to_string(), "error BR-01 at /messageID: `messageID` is missing");
//! assert_eq!(result.problems[1].to_string(), "error schema at /text: expected a string, got a number");
//! ```

pub(crate) mod part;
mod rules;
mod schema;
mod validator;

pub use rules::Ids;
pub(crate) use rules::negative_counts;
#[cfg(feature = "transcript")]
pub(crate) use validator::message_at;
pub use validator::{message, part, transcript};
