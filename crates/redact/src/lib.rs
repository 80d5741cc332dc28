#![doc = include_str!("../README.md")]

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
mod signed_part;
mod strength;
mod url;
mod value;
mod web_token;

pub use find::{FoundSecret, find};
pub use redactor::{RedactOptions, Redactor, SecretCount, SecretPlace};
pub use registry::SECRET_KINDS;
pub use secret_kind::SecretKind;
