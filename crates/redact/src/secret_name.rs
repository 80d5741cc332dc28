//! Names whose value is a secret: `DB_PASSWORD`, `api_key`.

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

/// How a name tells of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NamedBy {
    /// It is that of the field.
    Field,
    /// It is told in a field of its own: `{"name": "DB_PASSWORD", "value": …}`.
    Beside,
    /// It is the element of the list before it: `["--api-key", …]`.
    Element,
    /// It is that of a cookie: `"cookies": [{"name": "session", "value": …}]`.
    Cookie,
    /// It is that of what keeps secrets and nothing else.
    Keeper,
}

/// The name of a value.
#[derive(Debug)]
pub(super) struct ValueName<'a> {
    pub(super) name: Cow<'a, [u8]>,
    pub(super) by: NamedBy,
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

/// Names that end so, without `_`, `-` and `.`, are those of passwords …
const PASSWORDS: &str = "password passwd passphrase pwd passcode sshpass";

/// … and these are those of keys.
const KEYS: &str = "secret secretkey keybase apikey apikeys accesskey appkey authkey privatekey \
    presharedkey signingkey encryptionkey fernetkey masterkey accountkey storagekey subscriptionkey licensekey \
    sessionkey clientkeydata sonarlogin token credential credentials devicecode phpsessid jsessionid connectsid";

/// Words that count only as the whole last word of a name: of passwords, and of keys.
const LAST_WORDS: [&str; 2] = ["pass pw psw psk", "pat salt creds"];

/// Before `pass`, these mean a pass of a compiler or a renderer.
const PASSES: &str = "first second render shadow depth color single multi";

/// Where or how often something is used, behind its name.
const SUFFIXES: &str = "prod production staging dev live b64 base64";

/// Names that end like those of keys but belong to pages, tokens of text, requests, or public values.
const OTHERS: &str = "pagetoken nexttoken continuationtoken synctoken cursortoken cancellationtoken \
    stoptoken padtoken eostoken bostoken unktoken masktoken septoken clstoken canceltoken resumetoken \
    publictoken publickeytoken clienttoken requesttoken idempotencytoken";

fn is_joint(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'.')
}

/// Is a word one of a list, in any case of letters?
fn is_one(word: &[u8], list: &str) -> bool {
    words_of(list).any(|known| word.eq_ignore_ascii_case(known))
}

fn words_of(list: &str) -> impl Iterator<Item = &[u8]> {
    list.as_bytes().split(|byte| *byte == b' ')
}

/// A name in two: what stands before its last joint, and its last word.
fn last_word(name: &[u8]) -> (&[u8], &[u8]) {
    match name.iter().rposition(|byte| is_joint(*byte)) {
        Some(at) => (name.get(..at).unwrap_or_default(), name.get(at + 1..).unwrap_or_default()),
        None => (b"", name),
    }
}

/// The most bytes of a name.
pub(super) const LONGEST_NAME: usize = 64;

/// A name without the number behind it: `token_2`, `password1`.
fn without_number(name: &[u8]) -> &[u8] {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = name.get(..name.len() - digits).unwrap_or_default();
    match rest.split_last() {
        Some((last, before)) if digits > 0 && is_joint(*last) => before,
        _ => rest,
    }
}

/// What a name, as it is written in code, in a shell or in JSON, says of its value.
pub(super) fn named_secret(name: &[u8]) -> Option<NamedSecret> {
    let mut name = name;
    if name.len() > LONGEST_NAME {
        return None;
    }
    let is_numbered = name.last().is_some_and(u8::is_ascii_digit);
    if is_numbered && !name.ends_with(b"64") {
        name = without_number(name);
    }
    if name.last_chunk().is_some_and(|last| !may_tell(last)) || is_common(name) {
        return None;
    }
    // The folder that a shell is in.
    if matches!(name, b"PWD" | b"OLDPWD") {
        return None;
    }
    if name.eq_ignore_ascii_case(b"_auth") || name.eq_ignore_ascii_case(b"auth") {
        return Some(NamedSecret::Login);
    }
    let (before, word) = last_word(name);
    if !before.is_empty() && is_one(word, SUFFIXES) {
        name = without_number(before);
    }
    let (before, word) = last_word(name);
    let is_alone = before.is_empty() && word.len() == name.len();
    let is_told = |list: &str| is_one(word, list);
    if !is_alone || word.iter().all(u8::is_ascii_lowercase) || word.eq_ignore_ascii_case(b"pass") {
        let [passwords, keys] = LAST_WORDS;
        if is_told(passwords) && !(is_told("pass") && is_one(last_word(before).1, PASSES)) {
            return Some(NamedSecret::Password);
        }
        if is_told(keys) && !(is_told("pat") && is_alone) {
            return Some(NamedSecret::Key);
        }
    }
    let mut letters = [0_u8; LONGEST_NAME];
    let bytes = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let mut count = 0;
    for (letter, byte) in letters.iter_mut().zip(bytes) {
        *letter = byte.to_ascii_lowercase();
        count += 1;
    }
    let joined = letters.get(..count).unwrap_or_default();
    let ends = |list: &str| words_of(list).any(|end| joined.ends_with(end));
    if ends("authorization") {
        return Some(NamedSecret::Authorization);
    }
    if ends("cookie") {
        return Some(NamedSecret::Cookie);
    }
    if ends("secretaccesskey awssecretkey awssecret") {
        return Some(NamedSecret::AwsKey);
    }
    if ends(PASSWORDS) {
        return Some(NamedSecret::Password);
    }
    (ends(KEYS) && !ends(OTHERS)).then_some(NamedSecret::Key)
}

/// The last letters of the names that tell a secret, of words behind them, and of headers.
const ENDS: [u32; 28] = [
    four(b"word"),
    four(b"sswd"),
    four(b"rase"),
    four(b"pass"),
    four(b"code"),
    four(b"cret"),
    four(b"oken"),
    four(b"base"),
    four(b"tial"),
    four(b"ials"),
    four(b"reds"),
    four(b"salt"),
    four(b"data"),
    four(b"keys"),
    four(b"auth"),
    four(b"tion"),
    four(b"okie"),
    four(b"ssid"),
    four(b"tsid"),
    four(b"onid"),
    four(b"ogin"),
    four(b"prod"),
    four(b"ging"),
    four(b"live"),
    four(b"_dev"),
    four(b"-dev"),
    four(b"_b64"),
    four(b"se64"),
];
/// The same of three.
const SHORT_ENDS: [u32; 5] = [
    four(b"\0key") >> 8,
    four(b"\0pwd") >> 8,
    four(b"\0psw") >> 8,
    four(b"\0psk") >> 8,
    four(b"\0pat") >> 8,
];

/// Four bytes as a number, letters in lower case.
const fn four(bytes: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*bytes) | 0x2020_2020
}

/// Ends that are those of many other names as well, and how the names go that are meant.
const COMMON: [u32; 6] =
    [four(b"tion"), four(b"code"), four(b"data"), four(b"onid"), four(b"ogin"), four(b"base")];
const MEANT: &str = "authorization production passcode device_code device-code devicecode key-data key_data \
    keydata key_base key-base keybase jsessionid sonarlogin sonar.login sonar_login";

/// Is it one of those other names? They are passed over before the lists are gone through.
fn is_common(name: &[u8]) -> bool {
    let is_end = |end: &[u8]| {
        let tail = name.len().checked_sub(end.len()).and_then(|at| name.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    let is_so = name.last_chunk().is_some_and(|last| COMMON.contains(&four(last)));
    is_so && !words_of(MEANT).any(is_end)
}

/// The letters that stand at a place of those ends, a bit each.
const fn letters(shift: u32) -> u32 {
    let mut bits = 1 << ((four(b"\0\0pw") >> shift) & 31);
    let mut at = 0;
    while at < ENDS.len() {
        #[allow(clippy::indexing_slicing)] // below its length
        let end = ENDS[at];
        bits |= 1 << ((end >> shift) & 31);
        at += 1;
    }
    at = 0;
    while at < SHORT_ENDS.len() {
        #[allow(clippy::indexing_slicing)] // below its length
        let end = SHORT_ENDS[at] << 8;
        bits |= 1 << ((end >> shift) & 31);
        at += 1;
    }
    bits
}

/// May a name end so that tells a secret? Nearly none does, and everything else is asked of those alone.
#[inline]
fn may_tell(last: &[u8; 4]) -> bool {
    const LAST: u32 = letters(24);
    const LAST_BUT_ONE: u32 = letters(16);
    let [a, b, c, d] = *last;
    if d.is_ascii_digit() {
        // `_1`, `-12`, `_b64`
        let is_joint = |byte: &u8| matches!(byte, b'_' | b'-');
        return [a, b, c].iter().any(is_joint) || ENDS.contains(&four(last));
    }
    if LAST >> (d & 31) & 1 == 0 || LAST_BUT_ONE >> (c & 31) & 1 == 0 {
        return false;
    }
    let number = four(last);
    ENDS.contains(&number)
        || SHORT_ENDS.contains(&(number >> 8))
        || (number >> 16 == four(b"\0\0pw") >> 16 && !b.is_ascii_alphanumeric())
}

/// May a name end here that is looked at: one that may tell a secret, one with a number, or `value`?
#[inline]
pub(super) fn is_worth_reading(text: &[u8], at: usize) -> bool {
    let Some(last) = text.get(..at).and_then(<[u8]>::last_chunk::<4>) else { return true };
    let [.., end] = last;
    end.is_ascii_digit() || may_tell(last) || four(last) == four(b"alue")
}

/// May a name that tells a secret end here, perhaps in quotation marks? It is asked at every blank.
#[inline]
pub(super) fn may_end(text: &[u8], at: usize) -> bool {
    let before = |end: usize| end.checked_sub(1).and_then(|last| text.get(last));
    let mut end = at;
    if matches!(before(end), Some(b'"' | b'\'' | b'`')) {
        end -= 1;
        end -= usize::from(before(end) == Some(&b'\\'));
    }
    let last = text.get(..end).and_then(<[u8]>::last_chunk);
    last.map_or(end > 1, may_tell)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each exception is for, as programs write it.
    const EXCUSED: &[(&str, &[&str])] = &[
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
        ("publickeytoken", &["PublicKeyToken"]),
        ("clienttoken", &["ClientToken", "client_token"]),
        ("requesttoken", &["client_request_token", "ClientRequestToken"]),
        ("idempotencytoken", &["idempotency_token", "idempotencyToken"]),
    ];

    #[test]
    fn each_exception_excuses_what_it_means() {
        let mut excused: Vec<&str> = Vec::new();
        for (exception, names) in EXCUSED {
            excused.push(exception);
            for name in *names {
                assert_eq!(named_secret(name.as_bytes()), None, "{name}");
                let joined: String =
                    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
                assert!(joined.to_ascii_lowercase().ends_with(exception), "{name}: {exception}");
            }
        }
        let mut exceptions: Vec<&str> = OTHERS.split(' ').collect();
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

    #[test]
    fn a_name_tells_by_its_end() {
        let passwords = [
            "password",
            "DB_PASSWD",
            "passphrase",
            "DB_PW",
            "db.pass",
            "pass",
            "psk",
            "JENKINS_PSW",
            "SSHPASS",
            "PGPASSWORD",
            "admin-password-2",
            "DB_PASS_1",
            "PASSWORD_PROD",
            "dbPassword_b64",
            "wifi_psk",
        ];
        let keys = [
            "HASHIDS_SALT",
            "AZDO_PAT",
            "creds",
            "NEXUS_CREDS",
            "app_key",
            "APP_KEY",
            "fernet-key",
            "secret_key_base",
            "pre_shared_key",
            "device_code",
            "KEY_SECRET_2",
            "SECRET_KEY_BASE64",
            "API_KEY_DEV",
        ];
        for name in passwords {
            assert_eq!(named_secret(name.as_bytes()), Some(NamedSecret::Password), "{name}");
        }
        for name in keys {
            assert_eq!(named_secret(name.as_bytes()), Some(NamedSecret::Key), "{name}");
        }
        let others = [
            "PWD",
            "OLDPWD",
            "CWD",
            "pat",
            "PAT",
            "PSW",
            "SALT",
            "shadow_pass",
            "first-pass",
            "bypass",
            "compass",
            "token_url",
            "secret_id",
            "key",
            "public_key",
            "tokens",
            "max_tokens",
            "password_file",
            "pass_count",
            "secretName",
            "session_id",
            "sid",
            "session",
            "FAIL",
            "spat",
            "basalt",
            "cobalt",
            "_1",
            "",
            "_",
        ];
        for name in others {
            assert_eq!(named_secret(name.as_bytes()), None, "{name}");
        }
        for name in passwords.iter().chain(&keys) {
            assert!(may_end(name.as_bytes(), name.len()), "{name}");
            assert!(may_end(format!("\"{name}\"").as_bytes(), name.len() + 2), "{name}");
        }
        assert!(!may_end(b"the board", 9) && !may_end(b"the", 0) && !may_end(b"", 0));
    }
}
