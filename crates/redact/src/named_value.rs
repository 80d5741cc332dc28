//! Is a value, of which a name or a place says that it is a secret, one?

use super::secret_name::NamedSecret;
use super::strength::{is_given, is_machine_made, is_password, is_tangled};
use apex_parts_model::base64;

/// Is a value, which a name says is a secret, one?
pub(super) fn is_secret(kind: NamedSecret, value: &[u8]) -> bool {
    match kind {
        NamedSecret::Password => is_password(value),
        NamedSecret::Login => is_login(value),
        // That of the documentation ends so.
        NamedSecret::AwsKey => {
            value.len() >= 16 && is_machine_made(value) && !value.ends_with(b"EXAMPLEKEY")
        }
        NamedSecret::Key => is_machine_made(value) || is_tangled(value),
        NamedSecret::Authorization | NamedSecret::Cookie => false,
    }
}

/// The same of a value whose place says that it is one, whatever it looks like.
pub(super) fn is_given_as(kind: NamedSecret, value: &[u8]) -> bool {
    match kind {
        NamedSecret::Password => is_given(value),
        NamedSecret::Login => is_login(value),
        NamedSecret::Key | NamedSecret::AwsKey => is_given(value) && value.len() >= 6,
        NamedSecret::Authorization | NamedSecret::Cookie => false,
    }
}

/// Is it `NAME:PASSWORD` in base64, as docker keeps it?
fn is_login(value: &[u8]) -> bool {
    let body = value.trim_ascii_end();
    let body = body.strip_suffix(b"=").unwrap_or(body);
    let body = body.strip_suffix(b"=").unwrap_or(body);
    if body.len() < 6 || body.len() > 4096 || body.len() % 4 == 1 {
        return false;
    }
    if !body.iter().all(|byte| base64::is_digit(*byte)) {
        return false;
    }
    let bytes = base64::decode(body);
    bytes.contains(&b':') && bytes.iter().all(|byte| (b' '..=b'~').contains(byte))
}
