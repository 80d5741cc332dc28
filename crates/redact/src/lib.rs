#![doc = include_str!("../README.md")]

mod assignment;
mod byte_class;
mod chosen_text;
mod command_input;
mod command_password;
mod cookie;
mod email;
mod file;
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
mod signed_part;
mod strength;
mod url;
mod value;
mod web_token;

pub use chosen_text::{ChosenText, MatchRanges};
pub use find::{FoundSecret, find};
pub use redactor::{RedactOptions, Redactor, SecretCount, SecretPlace};
pub use registry::{MASKED, SECRET_KINDS};
pub use secret_kind::SecretKind;
