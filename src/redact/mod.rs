//! What should not be shared, in a text or a JSON value: found, counted and masked.
//!
//! [`find`] finds it in a text; [`Redactor`] masks it in texts and values and numbers what it masks, so that equal
//! secrets are seen to be equal. Each kind of secret is one row of the registry ([`SECRET_KINDS`]): its name, what it
//! is in words, what begins it, and the function that reads it there.
//!
//! What always holds: a mask is never found again, nothing is found in a masked text, a text without secrets is left
//! byte for byte, and a value stays JSON. What is not done: a secret that is cut over two strings is not found, nor
//! one in a picture; names of fields are not masked, only values; numbers are not looked at.

mod assignment;
mod byte_class;
mod command_password;
mod cookie;
mod email;
mod find;
mod haystack;
mod header;
mod home_folder;
mod known_token;
mod mask;
mod named_value;
mod neighbor;
mod password_file;
mod private_key;
mod reading;
mod redactor;
mod registry;
mod secret_kind;
mod secret_name;
mod service_keys;
mod shaped_token;
mod strength;
mod url;
mod value;
mod web_token;

pub use find::{FoundSecret, find};
pub use redactor::{RedactOptions, Redactor, SecretCount, SecretPlace};
pub use registry::SECRET_KINDS;
pub use secret_kind::SecretKind;
