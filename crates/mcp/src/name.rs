//! Names of tools for models: `{client}_{tool}`, in the characters and the length that every provider takes.
//!
//! ```
//! use apex_parts_mcp::name::tool_name;
//! assert_eq!(tool_name("filesystem", "read_file", 64), "filesystem_read_file");
//! assert_eq!(tool_name("9p", "list files", 64), "_9p_list_files");
//! assert_eq!(tool_name("s", "é", 64), "s___bgll2vzzlnn5w");
//! ```

use sha2::{Digest, Sha256};

/// The length of a name that every provider takes.
pub const MAX_NAME: usize = 64;

/// The characters of a hash in a name, five bits each.
const HASH: usize = 13;

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The name of a tool, of at most `max` characters: with a hash of both names where it would be longer, or where
/// `_` would stand for letters that ASCII has not.
///
/// Below 14 characters there is room for a part of the hash only.
#[must_use]
pub fn tool_name(client: &str, tool: &str, max: usize) -> String {
    let whole = plain_name(client, tool);
    let is_printable = |text: &str| text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    if whole.len() <= max && is_printable(client) && is_printable(tool) {
        return whole;
    }
    with_hash(whole, client, tool, max)
}

/// The name with the hash, for a tool whose name another one has already.
#[must_use]
pub fn hashed_name(client: &str, tool: &str, max: usize) -> String {
    with_hash(plain_name(client, tool), client, tool, max)
}

/// The name, of ASCII characters only, however long.
fn plain_name(client: &str, tool: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let mut name = String::with_capacity(client.len() + tool.len() + 2);
    if client.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        name.push('_');
    }
    name.extend(client.chars().map(allowed));
    name.push('_');
    name.extend(tool.chars().map(allowed));
    name
}

fn with_hash(mut name: String, client: &str, tool: &str, max: usize) -> String {
    name.truncate(max.saturating_sub(HASH + 1));
    name.push('_');
    name.extend(hash(client, tool));
    name.truncate(max);
    name
}

/// The first 65 bits of SHA-256(client, NUL, tool), as base32.
fn hash(client: &str, tool: &str) -> impl Iterator<Item = char> {
    let mut digest = Sha256::new();
    digest.update(client.as_bytes());
    digest.update([0]);
    digest.update(tool.as_bytes());
    let bits =
        digest.finalize().into_iter().take(16).fold(0, |n, byte| (n << 8) | u128::from(byte));
    (1..=HASH).filter_map(move |i| {
        let five = (bits >> (128 - 5 * i)) & 31;
        BASE32.get(usize::try_from(five).ok()?).map(|byte| char::from(*byte))
    })
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_and_foreign_names_end_in_a_hash() {
        let long = tool_name("s", &"t".repeat(128), 64);
        assert_eq!(long, "s_tttttttttttttttttttttttttttttttttttttttttttttttt_7ara2pam7ercp");
        assert_eq!(tool_name("服务", "工具", 64), "______urvmufuv4um5w");
        assert_eq!(tool_name("-a", "b", 64), "_-a_b");
        let hashed = hashed_name("a", "b", 64);
        let first: String = hashed.chars().skip(3).take(2).collect();
        assert_eq!(tool_name("a", "b", 2), first);
        assert_eq!(hashed.len(), 17);
    }

    proptest! {
        #[test]
        fn names_are_what_providers_take(
            client in "(?s).{1,80}|[a-z0-9_-]{1,40}",
            tool in "(?s).{1,80}|[a-z0-9_-]{1,40}",
            max in 1usize..150,
        ) {
            for name in [tool_name(&client, &tool, max), hashed_name(&client, &tool, max)] {
                prop_assert!(name.len() <= max);
                prop_assert!(name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
                prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)));
            }
        }
    }
}
