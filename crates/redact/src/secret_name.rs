//! Names that say that what they name is a secret.

use std::borrow::Cow;

/// What a name names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NamedSecret {
    /// A word that a person chose.
    Password,
    /// A name and a password in base64.
    Login,
    /// A key or a token.
    Key,
    /// The secret access key of AWS.
    AwsKey,
    /// The value of a header: a scheme and a credential.
    Authorization,
    /// The value of a header: names and values.
    Cookie,
}

/// The name of a value.
#[derive(Debug)]
pub(super) struct ValueName<'a> {
    pub(super) name: Cow<'a, [u8]>,
    /// It is told in a field of its own: `{"name": "DB_PASSWORD", "value": …}`.
    pub(super) is_beside: bool,
}

impl NamedSecret {
    /// The kind that such secrets belong to.
    pub(super) fn kind(self) -> &'static str {
        match self {
            NamedSecret::Password | NamedSecret::Login => "password",
            NamedSecret::Key => "secret",
            NamedSecret::AwsKey => "aws-key",
            NamedSecret::Authorization => "authorization",
            NamedSecret::Cookie => "cookie",
        }
    }
}

const PASSWORDS: &[&str] = &["password", "passwd", "passphrase", "pwd", "passcode"];

const KEYS: &[&str] = &[
    "secret",
    "secretkey",
    "secretkeybase",
    "clientsecret",
    "apikey",
    "accesskey",
    "authkey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "accountkey",
    "storagekey",
    "sharedaccesskey",
    "subscriptionkey",
    "sessionkey",
    "token",
    "credential",
    "credentials",
    "phpsessid",
    "jsessionid",
    "connectsid",
    "apikeys",
];

/// Names that end as those do and are of pages, of words, of what is public.
const OTHERS: &[&str] = &[
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "synctoken",
    "cursortoken",
    "cancellationtoken",
    "stoptoken",
    "padtoken",
    "eostoken",
    "bostoken",
    "unktoken",
    "masktoken",
    "septoken",
    "clstoken",
    "canceltoken",
    "resumetoken",
    "publictoken",
];

/// The most bytes of a name.
pub(super) const LONGEST_NAME: usize = 64;

/// What a name, as it is written in code, in a shell or in JSON, says of its value.
pub(super) fn named_secret(name: &[u8]) -> Option<NamedSecret> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let is_last_word = |word: &[u8]| {
        let before = name.len().checked_sub(word.len() + 1).and_then(|at| name.get(at));
        let ends = name.get(name.len().saturating_sub(word.len())..)?;
        let alone = before.is_none_or(|byte| matches!(byte, b'_' | b'-' | b'.'));
        (ends.eq_ignore_ascii_case(word) && alone).then_some(())
    };
    if is_last_word(b"pass").is_some() {
        return Some(NamedSecret::Password);
    }
    if name.eq_ignore_ascii_case(b"_auth") || name.eq_ignore_ascii_case(b"auth") {
        return Some(NamedSecret::Login);
    }
    let mut letters = [0_u8; LONGEST_NAME];
    let bytes = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let mut count = 0;
    for (letter, byte) in letters.iter_mut().zip(bytes) {
        *letter = byte.to_ascii_lowercase();
        count += 1;
    }
    let joined = letters.get(..count).unwrap_or_default();
    let digits = joined.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let joined = joined.get(..joined.len() - digits).unwrap_or_default();
    let ends = |words: &[&str]| words.iter().any(|word| joined.ends_with(word.as_bytes()));
    if ends(&["authorization"]) {
        return Some(NamedSecret::Authorization);
    }
    if ends(&["cookie"]) {
        return Some(NamedSecret::Cookie);
    }
    if ends(&["secretaccesskey", "awssecretkey", "awssecret"]) {
        return Some(NamedSecret::AwsKey);
    }
    if ends(PASSWORDS) {
        return Some(NamedSecret::Password);
    }
    (ends(KEYS) && !ends(OTHERS)).then_some(NamedSecret::Key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each exception is for, as programs write it.
    const MEANT: &[(&str, &[&str])] = &[
        ("pagetoken", &["pageToken", "next_page_token", "nextPageToken"]),
        ("nexttoken", &["NextToken", "nextToken"]),
        ("continuationtoken", &["ContinuationToken", "continuation-token"]),
        ("synctoken", &["syncToken", "next_sync_token"]),
        ("cursortoken", &["cursorToken"]),
        ("cancellationtoken", &["cancellationToken", "CancellationToken"]),
        ("canceltoken", &["cancelToken", "CancelToken", "cancel_token"]),
        ("stoptoken", &["stop_token", "stopToken"]),
        ("padtoken", &["pad_token"]),
        ("eostoken", &["eos_token"]),
        ("bostoken", &["bos_token"]),
        ("unktoken", &["unk_token"]),
        ("masktoken", &["mask_token"]),
        ("septoken", &["sep_token"]),
        ("clstoken", &["cls_token"]),
        ("resumetoken", &["resumeToken", "resume_token"]),
        ("publictoken", &["public_token", "publicToken"]),
    ];

    #[test]
    fn each_exception_excuses_what_it_means() {
        let mut excused: Vec<&str> = Vec::new();
        for (exception, names) in MEANT {
            excused.push(exception);
            for name in *names {
                assert_eq!(named_secret(name.as_bytes()), None, "{name}");
                let joined: String =
                    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
                assert!(joined.to_ascii_lowercase().ends_with(exception), "{name}: {exception}");
            }
        }
        let mut exceptions = OTHERS.to_vec();
        excused.sort_unstable();
        exceptions.sort_unstable();
        assert_eq!(excused, exceptions);
    }

    #[test]
    fn other_tokens_are_secrets() {
        for name in ["token", "accessToken", "auth_token", "cancell_token", "CSRF-TOKEN"] {
            assert_eq!(named_secret(name.as_bytes()), Some(NamedSecret::Key), "{name}");
        }
    }
}
