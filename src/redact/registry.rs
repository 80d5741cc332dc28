//! Every kind of secret, one row each. Their order is their rank: of two that overlap the first counts.

use super::haystack::{is_alphanumeric, is_base64_url};
use super::secret_kind::{KnownToken, SecretKind};
use super::{assignment, cookie, email, header, home_folder, private_key, url, web_token};

const fn token(
    prefix: &'static str,
    body: fn(u8) -> bool,
    least: usize,
    most: usize,
) -> KnownToken {
    KnownToken { prefix, body, least, most, is_random: false }
}

/// The same for a beginning that other things have too.
const fn random(
    prefix: &'static str,
    body: fn(u8) -> bool,
    least: usize,
    most: usize,
) -> KnownToken {
    KnownToken { prefix, body, least, most, is_random: true }
}

fn is_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'a'..=b'f')
}

fn is_word_byte(byte: u8) -> bool {
    is_alphanumeric(byte) || byte == b'_'
}

fn is_dotted(byte: u8) -> bool {
    is_base64_url(byte) || byte == b'.'
}

/// The longest token without a length of its own.
const LONG: usize = 1024;

const NO_TOKENS: &[KnownToken] = &[];

/// A kind of tokens that are known by how they begin, and of nothing else.
const fn of_tokens(
    name: &'static str,
    what: &'static str,
    tokens: &'static [KnownToken],
) -> SecretKind {
    SecretKind { name, what, mask: name, tokens, anchors: &[] }
}

/// All kinds.
pub static SECRET_KINDS: &[SecretKind] = &[
    SecretKind {
        name: "private-key",
        what: "private keys in PEM",
        mask: "private-key",
        tokens: &[random("AGE-SECRET-KEY-1", is_upper, 58, 58)],
        anchors: &[("-----BEGIN ", private_key::private_key)],
    },
    of_tokens("anthropic-key", "keys of Anthropic", &[token("sk-ant-", is_base64_url, 16, LONG)]),
    of_tokens(
        "openai-key",
        "keys of OpenAI and of others that begin with sk-",
        &[
            token("sk-proj-", is_base64_url, 16, LONG),
            token("sk-svcacct-", is_base64_url, 16, LONG),
            token("sk-admin-", is_base64_url, 16, LONG),
            token("sk-or-v1-", is_base64_url, 16, LONG),
            random("sk-", is_base64_url, 16, LONG),
        ],
    ),
    of_tokens(
        "github-token",
        "tokens of GitHub",
        &[
            token("ghp_", is_alphanumeric, 16, 255),
            token("gho_", is_alphanumeric, 16, 255),
            token("ghu_", is_alphanumeric, 16, 255),
            token("ghs_", is_alphanumeric, 16, 255),
            token("ghr_", is_alphanumeric, 16, 255),
            token("github_pat_", is_word_byte, 22, 255),
        ],
    ),
    of_tokens(
        "gitlab-token",
        "tokens of GitLab",
        &[
            token("glpat-", is_dotted, 16, 320),
            token("gldt-", is_base64_url, 16, 64),
            token("glrt-", is_dotted, 16, 320),
            token("glptt-", is_base64_url, 20, 64),
            token("glcbt-", is_base64_url, 16, 80),
        ],
    ),
    of_tokens(
        "slack-token",
        "tokens of Slack",
        &[
            random("xoxb-", is_base64_url, 10, 256),
            random("xoxp-", is_base64_url, 10, 256),
            random("xoxa-", is_base64_url, 10, 256),
            random("xoxo-", is_base64_url, 10, 256),
            random("xoxs-", is_base64_url, 10, 256),
            random("xoxr-", is_base64_url, 10, 256),
            random("xoxe.xox", is_dotted, 10, 512),
            random("xapp-", is_base64_url, 10, 256),
        ],
    ),
    SecretKind {
        name: "aws-key",
        what: "access keys of AWS, and their secrets next to their names",
        mask: "aws-key",
        tokens: &[
            token("AKIA", is_upper, 16, 16),
            token("ASIA", is_upper, 16, 16),
            token("ABIA", is_upper, 16, 16),
            token("ACCA", is_upper, 16, 16),
        ],
        anchors: &[("=", assignment::aws_key), (":", assignment::aws_key)],
    },
    of_tokens(
        "google-key",
        "keys and tokens of Google",
        &[
            token("AIza", is_base64_url, 30, 40),
            token("ya29.", is_dotted, 20, 2048),
            token("GOCSPX-", is_base64_url, 20, 40),
        ],
    ),
    of_tokens(
        "stripe-key",
        "live keys of Stripe",
        &[
            token("sk_live_", is_alphanumeric, 16, 255),
            token("rk_live_", is_alphanumeric, 16, 255),
            token("whsec_", is_alphanumeric, 24, 255),
        ],
    ),
    of_tokens("npm-token", "tokens of npm", &[token("npm_", is_alphanumeric, 30, 40)]),
    of_tokens(
        "pypi-token",
        "tokens of PyPI",
        &[token("pypi-", is_base64_url, 50, LONG), random("pypi-", is_base64_url, 16, 50)],
    ),
    of_tokens(
        "huggingface-token",
        "tokens of Hugging Face",
        &[random("hf_", is_alphanumeric, 16, 64), token("api_org_", is_alphanumeric, 30, 40)],
    ),
    of_tokens("sendgrid-key", "keys of SendGrid", &[random("SG.", is_dotted, 32, 80)]),
    of_tokens("twilio-key", "keys of Twilio", &[random("SK", is_hex, 32, 32)]),
    of_tokens(
        "service-key",
        "keys of other services that are known by how they begin",
        &[
            token("gsk_", is_alphanumeric, 40, 64),
            token("xai-", is_alphanumeric, 40, 128),
            token("pplx-", is_alphanumeric, 32, 64),
            token("r8_", is_alphanumeric, 37, 37),
            token("dop_v1_", is_hex, 64, 64),
            token("shpat_", is_alphanumeric, 32, 32),
            token("lin_api_", is_alphanumeric, 32, 48),
            token("dckr_pat_", is_base64_url, 20, 40),
            token("hvs.", is_base64_url, 24, 256),
            token("glsa_", is_word_byte, 32, 64),
            token("sntrys_", is_base64_url, 40, LONG),
            token("rubygems_", is_hex, 48, 48),
            token("figd_", is_base64_url, 32, 64),
            token("ATATT3", is_base64_url, 100, 256),
            token("PMAK-", is_base64_url, 40, 80),
            token("tvly-", is_base64_url, 24, 64),
            random("ntn_", is_alphanumeric, 40, 64),
        ],
    ),
    SecretKind {
        name: "jwt",
        what: "JSON Web Tokens",
        mask: "jwt",
        tokens: NO_TOKENS,
        anchors: &[("eyJ", web_token::web_token)],
    },
    SecretKind {
        name: "url-password",
        what: "passwords in URLs",
        mask: "url-password",
        tokens: NO_TOKENS,
        anchors: &[("://", url::password)],
    },
    SecretKind {
        name: "authorization",
        what: "what Authorization headers carry",
        mask: "authorization",
        tokens: NO_TOKENS,
        anchors: &[("authorization", header::authorization), ("bearer", header::bearer)],
    },
    SecretKind {
        name: "cookie",
        what: "values of cookies",
        mask: "cookie",
        tokens: NO_TOKENS,
        anchors: &[("cookie", cookie::cookie)],
    },
    SecretKind {
        name: "url-token",
        what: "tokens and keys in the queries of URLs",
        mask: "url-token",
        tokens: NO_TOKENS,
        anchors: &[("?", url::query_value), ("&", url::query_value)],
    },
    SecretKind {
        name: "password",
        what: "passwords next to their names",
        mask: "password",
        tokens: NO_TOKENS,
        anchors: &[
            ("=", assignment::password),
            (":", assignment::password),
            ("--", assignment::password),
            ("-u ", assignment::login),
            ("--user ", assignment::login),
        ],
    },
    SecretKind {
        name: "secret",
        what: "keys, tokens and secrets next to their names",
        mask: "secret",
        tokens: NO_TOKENS,
        anchors: &[("=", assignment::key), (":", assignment::key), ("--", assignment::key)],
    },
    SecretKind {
        name: "email",
        what: "mail addresses",
        mask: "email",
        tokens: NO_TOKENS,
        anchors: &[("@", email::email)],
    },
    SecretKind {
        name: "home-folder",
        what: "names of people in paths of their home folders",
        mask: "user",
        tokens: NO_TOKENS,
        anchors: &[
            ("/home/", home_folder::home_folder),
            ("/users/", home_folder::home_folder),
            ("\\users\\", home_folder::home_folder),
            ("-home-", home_folder::home_folder),
            ("-users-", home_folder::home_folder),
        ],
    },
];
