//! Every kind of secret, one row each. Their order is their rank: of two that overlap the first counts.

use super::secret_kind::SecretKind;
use super::{
    assignment, command_input, command_password, cookie, email, header, home_folder, manifest,
    password_file, private_key, url, web_token,
};

/// A kind of tokens that are known by their format, and of nothing else: see `token_formats.rs`.
const fn of_tokens(name: &'static str, what: &'static str) -> SecretKind {
    SecretKind { name, what, mask: name, anchors: &[] }
}

/// The kind of texts that are masked because they were chosen: none that is found by itself.
pub static MASKED: SecretKind = of_tokens("masked", "texts that you chose");

/// All kinds that are found.
pub static SECRET_KINDS: &[SecretKind] = &[
    SecretKind {
        name: "private-key",
        what: "private keys in PEM, of SSH2 and PuTTY, and JSON Web Keys",
        mask: "private-key",
        anchors: &[
            ("-----BEGIN ", private_key::private_key),
            ("---- BEGIN ", private_key::private_key),
            ("private-lines: ", private_key::putty),
            ("\"kty\"", private_key::web_key),
            ("\"kty\\\"", private_key::web_key),
        ],
    },
    of_tokens("anthropic-key", "keys of Anthropic"),
    of_tokens("openai-key", "keys of OpenAI and of others that begin with sk-"),
    of_tokens("github-token", "tokens of GitHub"),
    of_tokens("gitlab-token", "tokens of GitLab"),
    of_tokens("slack-token", "tokens of Slack, and addresses that accept messages without one"),
    SecretKind {
        name: "aws-key",
        what: "access keys of AWS, and their secrets next to their names",
        mask: "aws-key",
        anchors: &[],
    },
    of_tokens("google-key", "keys and tokens of Google"),
    of_tokens("stripe-key", "secret and restricted keys of Stripe"),
    of_tokens("npm-token", "tokens of npm"),
    of_tokens("pypi-token", "tokens of PyPI"),
    of_tokens("huggingface-token", "tokens of Hugging Face"),
    of_tokens("sendgrid-key", "keys of SendGrid"),
    of_tokens("twilio-key", "keys of Twilio"),
    of_tokens("service-key", "keys of other services that are recognised by their prefix or form"),
    SecretKind {
        name: "jwt",
        what: "JSON Web Tokens",
        mask: "jwt",
        anchors: &[("eyJ", web_token::web_token)],
    },
    SecretKind {
        name: "url-password",
        what: "passwords in URLs",
        mask: "url-password",
        anchors: &[("://", url::password)],
    },
    SecretKind {
        name: "authorization",
        what: "values of Authorization headers",
        mask: "authorization",
        anchors: &[("authorization", header::authorization), ("bearer", header::bearer)],
    },
    SecretKind {
        name: "cookie",
        what: "values of cookies",
        mask: "cookie",
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
        anchors: &[("?", url::query_value), ("&", url::query_value)],
    },
    SecretKind {
        name: "password",
        what: "passwords next to their names",
        mask: "password",
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
        anchors: &[("kind", manifest::manifests)],
    },
    SecretKind {
        name: "email",
        what: "mail addresses",
        mask: "email",
        anchors: &[("@", email::email)],
    },
    SecretKind {
        name: "home-folder",
        what: "names of people in paths of their home folders",
        mask: "user",
        anchors: &[
            ("/home/", home_folder::home_folder),
            ("/users/", home_folder::home_folder),
            ("\\users\\", home_folder::home_folder),
            ("-home-", home_folder::home_folder),
            ("-users-", home_folder::home_folder),
        ],
    },
];
