#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use super::*;
use std::collections::BTreeSet;

/// Letters and digits that look random. Secrets are put together here, so that none stands in this file.
fn random(length: usize) -> String {
    let mut state = 11_u32;
    let alphabet = b"aZ3kQ9xW1mB7tR5nC2vH8jL4pD6sF0gYeTuIoP";
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(alphabet[(state >> 16) as usize % alphabet.len()])
    };
    (0..length).map(|_| next()).collect()
}

fn hex(length: usize) -> String {
    (0..length).map(|at| char::from(b"3f9a0c7e1b58d264"[(at * 7 + at / 5) % 16])).collect()
}

/// A case: `«` and `»` stand around each secret; `{R20}` is 20 random letters, `{H32}` as many digits.
fn read(case: &str) -> (String, Vec<Range<usize>>) {
    let mut filled = String::new();
    let mut rest = case;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let end = after.find('}').unwrap_or(0);
        let count = after.get(1..end).and_then(|count| count.parse().ok());
        match (after.get(..1), count) {
            (Some("R"), Some(count)) => filled.push_str(&random(count)),
            (Some("H"), Some(count)) => filled.push_str(&hex(count)),
            _ => {
                filled.push('{');
                rest = after;
                continue;
            }
        }
        rest = after.get(end + 1..).unwrap();
    }
    filled.push_str(rest);
    let (mut text, mut spans, mut from) = (String::new(), Vec::new(), 0);
    for c in filled.chars() {
        match c {
            '«' => from = text.len(),
            '»' => spans.push(from..text.len()),
            c => text.push(c),
        }
    }
    (text, spans)
}

fn found(text: &str) -> Vec<(&'static str, Range<usize>)> {
    find(text).into_iter().map(|secret| (secret.kind.name, secret.start..secret.end)).collect()
}

const SECRETS: &[(&str, &[&str])] = &[
    (
        "private-key",
        &[
            "key:\n«-----BEGIN RSA PRIVATE KEY-----\n{R64}\n{R64}=\n-----END RSA PRIVATE KEY-----»\nnext",
            r#"{"k": "«-----BEGIN PRIVATE KEY-----\n{R64}\n{R20}==\n-----END PRIVATE KEY-----»\n"}"#,
            "«-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{H32}\n\n{R64}\n-----END EC PRIVATE KEY-----»",
            "«-----BEGIN OPENSSH PRIVATE KEY-----\n{R64}\n{R40}»",
            "«-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{R64}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----»",
        ],
    ),
    (
        "anthropic-key",
        &[
            "export ANTHROPIC_API_KEY=«sk-ant-api03-{R93}AA»",
            "'«sk-ant-{R24}»'",
            "«sk-ant-oat01-{R40}-{R20}».",
        ],
    ),
    (
        "openai-key",
        &[
            "key «sk-{R48}» end",
            "«sk-proj-{R20}_{R40}-{R20}»",
            "(«sk-svcacct-{R60}»)",
            "«sk-or-v1-{H64}»",
            "OPENAI_API_KEY: «sk-{H32}»",
        ],
    ),
    (
        "github-token",
        &[
            "«ghp_{R36}»",
            "a «gho_{R36}», b",
            "«ghs_{R36}»",
            "«github_pat_{R22}_{R59}»",
            "https://«ghp_{R36}»@github.com/a/b",
            r"\n«ghp_{R36}»\n",
        ],
    ),
    ("gitlab-token", &["«glpat-{R20}»", "PRIVATE-TOKEN: «glpat-{R11}_{R8}»"]),
    (
        "slack-token",
        &["«xoxb-1234567890-1234567890-{R24}»", "«xoxp-12345678901-{R20}»", "«xapp-1-A012-{R20}»"],
    ),
    (
        "aws-key",
        &[
            "«AKIAIOSFODNN7QX4M2TE»",
            "aws_access_key_id=«ASIAJ4XZQ2WVN7TLMK3P»",
            "aws_secret_access_key = «{R40}»",
            r#""SecretAccessKey": "«{R40}»","#,
        ],
    ),
    ("google-key", &["«AIzaSy{R33}»", "«ya29.a0Af{R60}-{R20}»", "?key=«AIzaSy{R33}»"]),
    ("stripe-key", &["«sk_live_{R24}»", "«rk_live_{R24}»"]),
    ("npm-token", &["//registry.npmjs.org/:_authToken=«npm_{R36}»"]),
    ("pypi-token", &["«pypi-AgEIcHlwaS5vcmc{R60}»"]),
    ("huggingface-token", &["HF_TOKEN=«hf_{R34}»"]),
    ("sendgrid-key", &["«SG.{R22}.{R43}»"]),
    ("twilio-key", &["«SK{H32}»"]),
    (
        "service-key",
        &[
            "«gsk_{R52}»",
            "«hvs.{R90}»",
            "«dckr_pat_{R27}»",
            "Unseal Key 3: «{R43}+»",
            "vault operator unseal «{R43}=»",
        ],
    ),
    (
        "jwt",
        &[
            "token «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{R43}»",
            "«eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.»",
        ],
    ),
    (
        "url-password",
        &[
            "postgres://admin:«s3cr3t»@db.internal:5432/app",
            "https://user:«pass»@host/",
            "https://user:«password»@db.corp.io/ root:root",
            "mysql://root:«t00r»@localhost/test",
            "mysql://root:«root»@db.corp.io/test",
            "redis://:«p4ssw0rd»@cache:6379",
            "amqp://me:«a@b»@host",
            "git clone https://oauth2:«{R20}»@git.corp.io/a.git",
            "https://«{R40}»@dev.azure.com/x",
        ],
    ),
    (
        "authorization",
        &[
            "Authorization: Bearer «abc123def456»",
            r#"-H "authorization: bearer «{R20}»""#,
            r#""Authorization": "Basic «dXNlcjpwYXNzd29yZA==»""#,
            "Proxy-Authorization: Basic «dXNlcjpwYXNz»",
            "Authorization: «{R32}»",
            "send Bearer «{R32}» along",
            "Authorization: token «{R32}»",
        ],
    ),
    (
        "cookie",
        &[
            "Set-Cookie: sid=«{R20}»; Path=/; HttpOnly",
            "cookie: theme=dark; session=«a8f3»; lang=en",
            r#""set-cookie": "__Host-auth=«x.y.z9»; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Secure""#,
            "curl --cookie 'sessionid=«{R16}»' x",
        ],
    ),
    (
        "url-token",
        &[
            "GET /x?token=«abcdef» HTTP/1.1",
            "https://a.io/?a=1&access_token=«{R20}»&b=2",
            "https://a.io/?api_key=«{H32}»#x",
            "s3://b?X-Amz-Signature=«{H64}»",
            "?sig=«{R20}%2B{R20}%3D»",
        ],
    ),
    (
        "password",
        &[
            "PASSWORD=«hunter2»",
            r#""password": "«correct-horse-1»""#,
            "DB_PASS='«p4ss!word»'",
            "mysql --password «s3cr3t!» -h db",
            "password: «Tr0ub4dor&3»",
            r#"{\"password\": \"«hunter22»\"}"#,
            "curl -u alice:«s3cr3tpw» https://x",
            "PGPASSWORD=«hunter2» psql",
            "passwd := \"«hunter2»\"",
            "userPassword => '«hunter2»'",
            // Signs below each other.
            ":password          => '«4ian1234»'",
            "passwd:            \"«hunter2»\"",
            "if (password === '«hunter2»')",
            // A quotation mark that closes what the command stands in is not the password's.
            "run `mysql -p«hunter2»`, then `ls`",
            r#"{"cmd":"mysql -p«hunter2»","x":"y"}"#,
            r#"mysql -p"«hunt er2»" shop"#,
            "mysql.exe -p«hunter2» shop",
            r"PsExec.exe \\db -u bob -p «winterfell» cmd",
            "Connect-VIServer vc.corp.io -User bob -Password «winterfell»",
        ],
    ),
    (
        "secret",
        &[
            r#""api_key": "«abcd1234efgh5678»""#,
            "SECRET_KEY: «9f8a-7b6c-5d4e-{R8}»",
            "client_secret=«{R32}»",
            "TOKEN = '«{H40}»'",
            "X-Api-Key: «{R32}»",
            "AccountKey=«{R86}==»;EndpointSuffix=x",
            "--api-key «{R24}»",
            "HEROKU_API_KEY=«{H8}-{H4}-{H4}-{H4}-{H12}»",
            "JSESSIONID=«{R32}»",
            "NEW_RELIC_LICENSE_KEY=«{H40}»",
            "mvn sonar:sonar -Dsonar.login=«{H40}»",
            "token: «{R20}»",
        ],
    ),
    (
        "email",
        &[
            "write to «alice@corp.io».",
            "<«Bob.O-Neil+x@mail.corp.co.uk»>",
            "Co-authored-by: A <«a.b@163.com»>",
            "mailto:«alice@corp.io»",
            "mail: «alice@corp.io»: hello",
        ],
    ),
    (
        "home-folder",
        &[
            "/home/«alice»/app",
            "cd /Users/«Alice.B»",
            r"C:\Users\«alice»\app",
            r#""C:\\Users\\«alice»\\app""#,
            r"C:\Users\«Jane Doe»\app",
            "file:///home/«alice»/x",
            "PATH=/home/«alice»/bin:/home/«bob»/bin",
            "~/.claude/projects/-home-«alice»-app",
            "/mnt/c/Users/«alice»/x",
            "in /home/«alice».",
            "c:/users/«alice»/x",
        ],
    ),
];

#[test]
fn every_kind_is_found_where_it_is() {
    let mut tried = BTreeSet::new();
    let mut wrong = Vec::new();
    for (kind, cases) in SECRETS {
        tried.insert(*kind);
        for case in *cases {
            let (text, spans) = read(case);
            let expected: Vec<_> = spans.into_iter().map(|span| (*kind, span)).collect();
            let found = found(&text);
            if found != expected {
                wrong.push(format!("{text}\n  found {found:?}\n  not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known: BTreeSet<_> = SECRET_KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(tried, known);
}

const OTHERS: &[&str] = &[
    "AKIAIOSFODNN7EXAMPLE aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "aws_access_key_id: AKIAI44QH8DHBEXAMPLE",
    "mysql://root:root@127.0.0.1/test postgres://user:password@db.example.com:5432/app",
    "curl -u user:password https://example.com user:password@tcp(localhost:3306)/app",
    "http://admin:admin@[::1]:8080/ http://user:pass@localhost",
    "arn:aws:secretsmanager:eu-1:123456789012:secret:prod/db-a1B2c3",
    "x:1000:1000:Bob:/home/node:/bin/sh",
    "root:x:0:0:root:/root:/bin/bash",
    "machine learning login page password policy",
    "commit {H40}",
    "index {H7}..{H7} 100644",
    "id: {H8}-{H4}-{H4}-{H4}-{H12}",
    "\"session_token_id\": \"{H8}-{H4}-{H4}-{H4}-{H12}\"",
    "\"client_token\": \"{H8}-{H4}-{H4}-{H4}-{H12}\", next_token: {H8}-{H4}-{H4}-{H4}-{H12}",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "\"integrity\": \"sha512-{R86}==\"",
    "sha256:{H64}",
    "data:image/png;base64,{R200}/AKIAIOSFODNN7EXAMPLE/{R40}",
    "![x](data:image/svg+xml,%3Csvg%20token=abc123def456%3E)",
    "{R200}/AKIAIOSFODNN7EXAMPLE/{R40}",
    "alice@example.com bob@sub.example.org noreply@github.com 12+a@users.noreply.github.com",
    "git clone git@github.com:a/b.git && git remote add x ssh://git@github.com/a/b",
    "deploy@host.corp.io:/srv/app",
    "react@18.2.0 vite@5.0.0-beta.1 @types/node@20.1.0 logo@2x.png getty@tty1.service a@1.2.beta",
    "@pytest.mark.skip @Component user@localhost",
    "sk-loading-spinner-container-large sk-folding-cube-2-animation-step-10",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxx ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx sk-your-api-key-here sk-...",
    "ghp_short task_{R36} NOTAKIAIOSFODNN7EXAMPLE AKIAIOSFODNN7EXAMPLEX",
    "password: string; token: string | undefined; secret: getSecret()",
    "password = input('Password: ')",
    "PASSWORD=$DB_PASSWORD TOKEN=${TOKEN} api_key={{ secrets.KEY }} password=<password>",
    "\"password\": \"********\", \"api_key\": \"your-api-key-here\", \"token\": \"<token>\"",
    "max_tokens: 4096, \"tokens\": {\"input\": 12345}, tokenizer: cl100k_base",
    "\"next_page_token\": \"{R24}\"",
    "token = self.tokens_2.next",
    "let token = Token::Ident(name1);",
    "PASSWORD_FILE=/run/secrets/db1 secretName: my-secret-1 password: /etc/x1",
    "model: claude-3-5-sonnet-20241022 api_key: claude-3-5-sonnet-20241022",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "Authorization: Bearer YOUR_API_KEY",
    "a bearer token is needed; the bearer certificate",
    "WWW-Authenticate: Basic realm=\"x\"",
    "document.cookie = x; Cookie: theme=dark; cookies: none",
    "https://example.com/a:b@c https://user@host/ http://$USER:$PASS@host",
    "https://x.io/?page=2&sort=token&q=what?token= f(a ? token : b)",
    "https://x.io/home/page src/home/index.ts ./home/x /home/ /home/$USER /home/<name> /Users/Shared/x",
    r"C:\Users\Public\x \Users\ C:\Program Files\x",
    "GET /users/123",
    "-----BEGIN PUBLIC KEY-----\n{R64}\n-----END PUBLIC KEY-----",
    "grep -r '-----BEGIN RSA PRIVATE KEY-----' . # a pattern, and prose about it that goes on for a while here",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "eyJ eyJhbGciOiJIUzI1NiJ9 eyJhbGciOiJIUzI1NiJ9.x",
    "Mon, 01 Jan 2024 10:00:00 GMT: 12:30 a=b c==d e=>f",
    "[redacted github-token 1] /home/[redacted user 1]/x PASSWORD=[redacted password 1] a@[redacted x 1].com",
];

#[test]
fn what_is_no_secret_is_not_found() {
    for case in OTHERS {
        let (text, _) = read(case);
        assert_eq!(found(&text), [], "{text}");
    }
}

#[test]
fn of_two_that_overlap_the_more_special_counts() {
    let (text, spans) =
        read("TOKEN=«ghp_{R36}» and https://u:«p4ss@word.io»@x.io and password=«a1@corp.io»");
    let expected = ["github-token", "url-password", "password"];
    let expected: Vec<_> = expected.into_iter().zip(spans).collect();
    assert_eq!(found(&text), expected);
}

#[test]
fn the_registry_is_sound() {
    assert!(SECRET_KINDS.len() <= MOST_KINDS);
    let names: BTreeSet<_> = SECRET_KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), SECRET_KINDS.len());
    let masks: BTreeSet<_> = SECRET_KINDS.iter().map(|kind| kind.mask).collect();
    assert_eq!(masks.len(), SECRET_KINDS.len());
    for kind in SECRET_KINDS {
        assert!(!kind.what.is_empty());
        assert!(kind.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
    }
}

/// The work is counted in what is found in the end: a text that is all beginnings would take minutes if each
/// were read to its end.
#[test]
fn hostile_texts_take_linear_time() {
    let pieces = [
        "sk-",
        "xoxb-",
        "vcp_",
        "1ghp_",
        "JQQJ9",
        "Q~",
        "_mmk",
        ".acc-",
        ".ey",
        "sl.",
        "eyJ",
        "eyJa.",
        "-eyJ",
        "-----BEGIN PRIVATE KEY-----\n",
        "AKIA",
        "://",
        "a://b:",
        "@a.",
        "a@",
        "Bearer ",
        "authorization: ",
        "cookie: a=1;",
        "password=\"",
        "token: ",
        "--token ",
        "&token=",
        "/home/",
        r"C:\Users\",
        "=",
        ":",
        "data:image/png;base64,",
        "data:",
        "-----BEGIN A PRIVATE KEY-----aB-",
        "-u a:",
        "\\",
        "\"",
        "[redacted ",
        "\"kty\"",
        "kind: Secret\n",
        "{\"kind\":\"Secret\",",
        "{\"data\":{\"kind\":\"Secret\"",
        "</token>",
        "tLS1CRUdJTi",
        "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t",
        "echo a |",
        "sudo -S <<<",
        "---- BEGIN SSH2 PRIVATE KEY ----\n",
        "Private-Lines: 9\n",
        "\tTRUE\t",
        "data:text/plain;base64,",
        "data:text/plain;base64,ZGF0YTp0ZXh0L3BsYWluO2Jhc2U2NCxkR",
        "mysql -p",
        "\"token\",",
        "\"token\", \"",
        "token\t",
        "password ",
        "Authorization: AWS4-X Signature=",
        "thin:",
        "@tcp(",
        "define('TOKEN', '",
        "net use \\\\h ",
        "set -x TOKEN ",
        "\"name\":\"session\",\"value\":",
        "key=\"TOKEN\" value=\"",
        "\nKey \npassword  ",
        "AUTH\r\n$9\r\n",
        "-b ",
    ];
    for piece in pieces {
        for tail in ["", "a1B2c3D4e5F6g7H8"] {
            let text = format!("{piece}{tail}").repeat(200_000 / (piece.len() + tail.len()));
            let found = find(&text);
            let last = found.last().map_or(0, |secret| secret.end);
            assert!(last <= text.len());
        }
    }
}

#[test]
fn a_code_of_a_url_that_is_cut_off_before_a_token_is_no_part_of_it() {
    for text in ["%-user:", "%2:", "%:", "%25:", "%2-user:pass", "%"] {
        assert!(find(text).is_empty(), "{text}");
    }
}

/// A text in which nothing is done twice: nested, cut off, and a key in base64 in base64.
#[test]
fn deep_texts_take_linear_time() {
    let deep = 100_000;
    let texts = [
        "[\"token\",".repeat(deep),
        "{\"data\":".repeat(deep) + "\"kind\":\"Secret\"",
        "\\\"".repeat(deep),
        "(".repeat(deep) + "token " + &")".repeat(deep),
        "password=\"".repeat(deep),
        "a".repeat(1 << 20),
        "\"".repeat(1 << 20),
        "kind: Secret\n".to_owned() + &"- data:\n".repeat(deep),
    ];
    for text in texts {
        assert!(find(&text).iter().all(|secret| secret.end <= text.len()));
    }
    let key = "-----BEGIN PRIVATE KEY-----\n".to_owned()
        + &"aB3/".repeat(200)
        + "\n-----END PRIVATE KEY-----\n";
    let once = encoded(key.as_bytes());
    let [twice] = &find(&format!("a {once} b"))[..] else { panic!("{once}") };
    assert_eq!((twice.kind.name, twice.start, twice.end), ("private-key", 2, 2 + once.len()));
    // What is in base64 twice is not looked into.
    assert!(find(&encoded(once.as_bytes())).is_empty());
}

/// Base64.
fn encoded(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
            << (8 * (3 - three.len()));
        for at in 0..=three.len() {
            out.push(char::from(digits[number >> (18 - 6 * at) & 63]));
        }
    }
    out + &"=".repeat((3 - bytes.len() % 3) % 3)
}

/// A key in PEM in base64, behind any number of bytes, in one line and in several.
#[test]
fn a_key_in_base64_is_found_at_any_offset() {
    for label in ["", "RSA ", "OPENSSH ", "ENCRYPTED "] {
        for lead in ["", "x", "ab", "a: |\n  "] {
            for length in [600, 601, 602] {
                let body = random(length);
                let key = format!(
                    "{lead}-----BEGIN {label}PRIVATE KEY-----\n{body}\n-----END {label}PRIVATE KEY-----\n"
                );
                let once = encoded(key.as_bytes());
                for width in [64, 76, once.len()] {
                    let lines: Vec<&str> = once
                        .as_bytes()
                        .chunks(width)
                        .map(|line| std::str::from_utf8(line).unwrap())
                        .collect();
                    for (joint, tail) in
                        [("\n", "\nend"), ("\n    ", "\n    end"), ("\\n", "\\nend")]
                    {
                        let text = format!("k: {}{tail}", lines.join(joint));
                        let spans = find(&text);
                        assert_eq!(spans.len(), 1, "{text}");
                        assert_eq!(
                            (spans[0].start, spans[0].end),
                            (3, text.len() - tail.len()),
                            "{text}"
                        );
                    }
                }
            }
        }
    }
    let certificate = encoded(format!("-----BEGIN CERTIFICATE-----\n{}", random(600)).as_bytes());
    let public = encoded(format!("-----BEGIN PUBLIC KEY-----\n{}", random(600)).as_bytes());
    assert!(find(&format!("{certificate} {public}")).is_empty());
}

#[test]
fn the_text_of_a_url_is_decoded_once() {
    let url = |kind: &str, text: &str| format!("(data:{kind};base64,{})", encoded(text.as_bytes()));
    let secret = format!("DB_PASSWORD={}", random(20));
    for kind in ["text/plain", "text/yaml;charset=utf-8", "application/json"] {
        let text = url(kind, &secret);
        assert_eq!(
            found(&text),
            [("password", text.find(',').unwrap() + 1..text.len() - 1)],
            "{text}"
        );
    }
    for text in [
        url("image/png", &secret),
        url("text/plain", "hello world"),
        url("text/plain", &url("text/plain", &secret)),
    ] {
        assert_eq!(found(&text), [], "{text}");
    }
}

#[test]
fn keys_of_other_formats_are_found() {
    let cases = [
        "PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\n{R24}\nPrivate-Lines: 2«\n{R64}\n{R64}»\nPrivate-MAC: x",
        "«---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"k\"\n{R64}\n{R64}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----»\n",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"{R43}\",\"d\":\"«{R43}»\"}",
        "{\"d\": \"«{R86}»\", \"n\": \"{R86}\", \"kty\": \"RSA\", \"dp\": \"«{R43}»\"}",
        "{\\\"k\\\":\\\"«{R43}»\\\",\\\"kty\\\":\\\"oct\\\"}",
    ];
    for case in cases {
        let (text, spans) = read(case);
        let expected: Vec<_> = spans.into_iter().map(|span| ("private-key", span)).collect();
        assert_eq!(found(&text), expected, "{text}");
    }
    let public =
        "---- BEGIN SSH2 PUBLIC KEY ----\n{R64}\n---- END SSH2 PUBLIC KEY ---- {\"d\":\"{R43}\"}";
    assert_eq!(found(&read(public).0), []);
}
