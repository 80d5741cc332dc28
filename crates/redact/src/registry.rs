//! Every kind of secret, one row each. Their order is their rank: of two that overlap the first counts.

use super::byte_class::*;
use super::secret_kind::{KnownToken, LONG, SecretKind, random, token};
use super::service_keys::{SERVICE_SHAPES, SERVICE_TOKENS};
use super::shaped_token::{ShapedToken, behind, piece};
use super::{
    assignment, command_input, command_password, cookie, email, header, home_folder, manifest,
    password_file, private_key, url, web_token,
};

/// A kind of tokens that are known by how they begin, and of nothing else.
const fn of_tokens(
    name: &'static str,
    what: &'static str,
    tokens: &'static [KnownToken],
) -> SecretKind {
    of_shapes(name, what, tokens, &[])
}

/// The same, and of tokens that are known by their shapes.
const fn of_shapes(
    name: &'static str,
    what: &'static str,
    tokens: &'static [KnownToken],
    shapes: &'static [ShapedToken],
) -> SecretKind {
    SecretKind { name, what, mask: name, tokens, shapes, anchors: &[] }
}

/// The kind of texts that are masked because they were chosen: none that is found by itself.
pub static MASKED: SecretKind = of_tokens("masked", "texts that you chose", &[]);

/// All kinds that are found.
pub static SECRET_KINDS: &[SecretKind] = &[
    SecretKind {
        name: "private-key",
        what: "private keys in PEM, of SSH2 and PuTTY, and JSON Web Keys",
        mask: "private-key",
        tokens: &[random("AGE-SECRET-KEY-1", is_upper, 58, 58)],
        shapes: &[],
        anchors: &[
            ("-----BEGIN ", private_key::private_key),
            ("---- BEGIN ", private_key::private_key),
            ("private-lines: ", private_key::putty),
            ("\"kty\"", private_key::web_key),
            ("\"kty\\\"", private_key::web_key),
        ],
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
            token("glrtr-", is_base64_url, 16, 64),
            token("glptt-", is_base64_url, 20, 64),
            token("glcbt-", is_base64_url, 16, 80),
            token("glimt-", is_base64_url, 20, 64),
            token("glagent-", is_base64_url, 40, 80),
            token("gloas-", is_base64_url, 40, 80),
            token("glsoat-", is_base64_url, 16, 64),
            token("glffct-", is_base64_url, 16, 64),
            token("glft-", is_base64_url, 16, 64),
            random("GR1348941", is_base64_url, 20, 32),
        ],
    ),
    of_shapes(
        "slack-token",
        "tokens of Slack, and addresses that accept messages without one",
        &[
            random("xoxa-", is_base64_url, 10, 256),
            random("xoxb-", is_base64_url, 10, 256),
            random("xoxc-", is_base64_url, 10, 256),
            random("xoxd-", is_path, 20, 512),
            random("xoxe-", is_base64_url, 10, 512),
            random("xoxe.xox", is_dotted, 10, 512),
            random("xoxo-", is_base64_url, 10, 256),
            random("xoxp-", is_base64_url, 10, 256),
            random("xoxr-", is_base64_url, 10, 256),
            random("xoxs-", is_base64_url, 10, 256),
            random("xapp-", is_base64_url, 10, 256),
        ],
        &[behind("hooks.slack.com/", &[piece(is_lower, 8, 9), piece(is_path, 30, 120)], b'/')],
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
        shapes: &[],
        anchors: &[],
    },
    of_tokens(
        "google-key",
        "keys and tokens of Google",
        &[
            token("AIza", is_base64_url, 30, 40),
            token("ya29.", is_dotted, 20, 2048),
            token("GOCSPX-", is_base64_url, 20, 40),
            random("AQ.Ab8R", is_base64_url, 30, 128),
        ],
    ),
    of_tokens(
        "stripe-key",
        "secret and restricted keys of Stripe",
        &[
            token("sk_live_", is_alphanumeric, 16, 255),
            token("rk_live_", is_alphanumeric, 16, 255),
            random("sk_test_", is_alphanumeric, 16, 255),
            random("rk_test_", is_alphanumeric, 16, 255),
            random("sk_prod_", is_alphanumeric, 16, 255),
            random("rk_prod_", is_alphanumeric, 16, 255),
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
        &[
            token("hf_", is_alphanumeric, 34, 40),
            random("hf_", is_alphanumeric, 16, 64),
            token("api_org_", is_alphanumeric, 30, 40),
        ],
    ),
    of_tokens("sendgrid-key", "keys of SendGrid", &[random("SG.", is_dotted, 32, 80)]),
    of_tokens("twilio-key", "keys of Twilio", &[random("SK", is_hex, 32, 32)]),
    of_shapes(
        "service-key",
        "keys of other services that are recognised by their prefix or form",
        SERVICE_TOKENS,
        SERVICE_SHAPES,
    ),
    SecretKind {
        name: "jwt",
        what: "JSON Web Tokens",
        mask: "jwt",
        tokens: &[],
        shapes: &[],
        anchors: &[("eyJ", web_token::web_token)],
    },
    SecretKind {
        name: "url-password",
        what: "passwords in URLs",
        mask: "url-password",
        tokens: &[],
        shapes: &[],
        anchors: &[("://", url::password)],
    },
    SecretKind {
        name: "authorization",
        what: "values of Authorization headers",
        mask: "authorization",
        tokens: &[],
        shapes: &[],
        anchors: &[("authorization", header::authorization), ("bearer", header::bearer)],
    },
    SecretKind {
        name: "cookie",
        what: "values of cookies",
        mask: "cookie",
        tokens: &[],
        shapes: &[],
        anchors: &[
            ("cookie", cookie::cookie),
            ("-b ", cookie::option),
            ("\ttrue\t", cookie::jar),
            ("\tfalse\t", cookie::jar),
        ],
    },
    SecretKind {
        name: "url-token",
        what: "tokens and keys in the queries of URLs",
        mask: "url-token",
        tokens: &[],
        shapes: &[],
        anchors: &[("?", url::query_value), ("&", url::query_value)],
    },
    SecretKind {
        name: "password",
        what: "passwords next to their names",
        mask: "password",
        tokens: &[],
        shapes: &[],
        anchors: &[
            ("-u ", assignment::login),
            ("--user ", assignment::login),
            ("net use ", command_password::share),
            ("> auth ", command_password::prompt),
            ("auth\r\n$", command_password::protocol),
            ("auth\\r\\n$", command_password::protocol),
            ("echo ", command_input::piped),
            ("printf ", command_input::piped),
            ("<<<", command_input::here),
            ("thin:", url::data_source),
            ("@tcp(", url::data_source),
            ("@unix(", url::data_source),
            ("machine ", password_file::netrc),
            ("default login ", password_file::netrc),
            (":", password_file::pgpass),
            ("identified by ", assignment::identified),
        ],
    },
    SecretKind {
        name: "secret",
        what: "keys, tokens and secrets next to their names",
        mask: "secret",
        tokens: &[],
        shapes: &[],
        anchors: &[("kind", manifest::manifests)],
    },
    SecretKind {
        name: "email",
        what: "mail addresses",
        mask: "email",
        tokens: &[],
        shapes: &[],
        anchors: &[("@", email::email)],
    },
    SecretKind {
        name: "home-folder",
        what: "names of people in paths of their home folders",
        mask: "user",
        tokens: &[],
        shapes: &[],
        anchors: &[
            ("/home/", home_folder::home_folder),
            ("/users/", home_folder::home_folder),
            ("\\users\\", home_folder::home_folder),
            ("-home-", home_folder::home_folder),
            ("-users-", home_folder::home_folder),
        ],
    },
];
