//! How many secrets are found of a list made for this, in every surrounding in which a session shows them, and how many
//! texts without any are left alone. Secrets are put together here, so that none stands in this file.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::cast_precision_loss)]

use crate::redact::Redactor;

/// What is random in a secret.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn of(&mut self, letters: &str, count: usize) -> String {
        (0..count).map(|_| char::from(letters.as_bytes()[self.below(letters.len())])).collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

/// A secret of a shape: `{a36}` is 36 letters and digits, `h` is hexadecimal, `u` capitals and digits, `l` small letters
/// and digits, `w` base64 for URLs, `b` base64, `d` digits.
fn made(shape: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let mut rest = shape;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let (piece, after) = behind.split_once('}').unwrap();
        let count = piece[1..].parse().unwrap();
        let letters = match &piece[..1] {
            "a" => format!("{LOWER}{UPPER}{DIGITS}"),
            "h" => "0123456789abcdef".to_owned(),
            "u" => format!("{UPPER}{DIGITS}"),
            "l" => format!("{LOWER}{DIGITS}"),
            "w" => format!("{LOWER}{UPPER}{DIGITS}-_"),
            "b" => format!("{LOWER}{UPPER}{DIGITS}+/"),
            _ => DIGITS.to_owned(),
        };
        out.push_str(&random.of(&letters, count));
        // A token does not end with what joins its pieces.
        if out.ends_with(['-', '_']) {
            out.pop();
            out.push('q');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

const TOKENS: &[&str] = &[
    "sk-ant-api03-{w93}AA",
    "sk-{a20}T3BlbkFJ{a20}",
    "sk-proj-{w74}T3BlbkFJ{w73}A",
    "sk-or-v1-{h64}",
    "ghp_{a36}",
    "gho_{a36}",
    "ghs_{a36}",
    "github_pat_{a22}_{a59}",
    "glpat-{w20}",
    "gldt-{w20}",
    "glrt-{w20}",
    "glptt-{h40}",
    "glcbt-{a2}_{w20}",
    "glimt-{w25}",
    "glagent-{w50}",
    "gloas-{w64}",
    "glsoat-{w20}",
    "glft-{w20}",
    "GR1348941{w20}",
    "xoxb-{d12}-{d13}-{a24}",
    "xoxp-{d12}-{d12}-{d12}-{h32}",
    "xoxa-2-{a40}",
    "xoxc-{d12}-{d12}-{d12}-{h64}",
    "xoxd-{a60}%2F{a40}%3D",
    "xoxe-1-{u146}",
    "xoxe.xoxp-1-{u163}",
    "xoxr-{a40}",
    "xoxs-{d10}-{d10}-{d10}-{h32}",
    "xapp-1-{u11}-{d13}-{h64}",
    "AKIA{u16}",
    "ASIA{u16}",
    "AIza{w35}",
    "AQ.Ab8R{w47}",
    "sk_live_{a24}",
    "rk_live_{a24}",
    "sk_test_{a24}",
    "rk_test_{a30}",
    "npm_{a36}",
    "pypi-AgEIcHlwaS5vcmc{w100}",
    "hf_{a34}",
    "SG.{w22}.{w43}",
    "{d10}:AA{w33}",
    "M{a23}.{w6}.{w27}",
    "N{a25}.{w6}.{w38}",
    "sbp_{h40}",
    "sb_secret_{w31}",
    "tskey-auth-{a17}-{a32}",
    "tskey-api-{a17}-{a32}",
    "dapi{h32}",
    "nvapi-{w64}",
    "pcsk_{a6}_{a63}",
    "lsv2_pt_{h32}_{h10}",
    "lsv2_sk_{h32}_{h10}",
    "hvs.{w90}",
    "hvb.{w140}",
    "shpat_{h32}",
    "shpca_{h32}",
    "shppa_{h32}",
    "shpss_{h32}",
    "lin_api_{a40}",
    "lin_oauth_{h64}",
    "NRAK-{u27}",
    "NRII-{w32}",
    "NRJS-{h19}",
    "fo1_{w43}",
    "fm1a_{b120}",
    "fm1r_{b120}",
    "fm2_{b200}",
    "FlyV1 fm2_{b160}=",
    "e2b_{h40}",
    "jina_{a60}",
    "tgp_v1_{w43}",
    "phx_{a43}",
    "pul-{h40}",
    "CFPAT-{w43}",
    "pat{a14}.{h64}",
    "vercel_blob_rw_{a16}_{a30}",
    "fc-{h32}",
    "v1.0-{h24}-{h146}",
    "dp.pt.{l43}",
    "glsa_{a32}_{h8}",
    "glc_{b60}",
    "sntryu_{h64}",
    "sntrys_eyJpYXQiO{b120}_{b43}",
    "pplx-{a48}",
    "sq0csp-{w43}",
    "sq0atp-{w22}",
    "{h32}-us{d2}",
    "PMAK-{h24}-{h34}",
    "rubygems_{h48}",
    "pscale_tkn_{w43}",
    "pscale_pw_{w43}",
    "pscale_oauth_{w43}",
    "dop_v1_{h64}",
    "doo_v1_{h64}",
    "dor_v1_{h64}",
    "ntn_{d11}{a35}",
    "figd_{w40}",
    "ATATT3{w186}",
    "{a14}.atlasv1.{w64}",
    "HRKU-AA{w58}",
    "pnu_{l36}",
    "rdme_{l70}",
    "ops_eyJ{b280}",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiAi{a20}.{w43}",
];

/// Where tokens stand, at the `@`.
const PLACES: &[&str] = &[
    "the key is @ and no other",
    "out:\n@\n",
    "use `@` here",
    "{\"out\": \"@\", \"n\": 1}",
    "const c = connect('@'); // ok",
    "<code>&quot;@&quot;</code>",
    "<b>@</b>",
    "\u{1b}[32m@\u{1b}[0m done",
    "\u{1b}[1;38;5;208m@\u{1b}[m",
    "f.txt:3:\u{1b}[01;31m\u{1b}[K@\u{1b}[m\u{1b}[K end",
    "\"text\":\"\\u001b[32m@\\u001b[0m\"",
    "\"text\":\"\\\\u001b[32m@\\\\u001b[0m\"",
    "printf '\\x1b[33m@\\x1b[0m'",
    "echo -e \"\\033[1m@\\033[0m\"",
    "echo -e '\\e[1m@\\e[0m'",
    "\u{1b}]8;;https://x.test/\u{1b}\\@\u{1b}]8;;\u{1b}\\ end",
    "\u{1b}]8;;https://x.test/\u{7}@\u{1b}]8;;\u{7} end",
    "\"a\\u003d@\\u0026b\"",
    "q=one%3D@%26x%3D1",
    "say%20@%20now",
    "one\\n@\\ntwo",
    "one\\t@\\r\\n",
    "\"{\\\"k\\\": \\\"@\\\"}\"",
    "     1→@",
    "    12\t@",
    "src/a.env:3:VALUE=@",
    "src/a.env-4-@",
    "> @",
    "| @ |",
    "+VALUE=@",
    "(@) [@] <@>",
    "a=@;b",
    "see @, and so on",
    "it is @.",
    "令牌是@。",
    "“@”",
    "https://x.test/?k=@&b=1",
    "curl -H 'X-Key: @' https://x.test",
    "&#34;@&#34;",
    "x&#61;@&#38;y",
    "\\u0022@\\u0022",
    "%22@%22",
    "%2522@%2522",
    "\\e]8;;http://x.test\\a@\\e]8;;\\a end",
    "\u{1b}[38:5:9m@\u{1b}[39m",
    "\u{a0}@\u{a0}",
    "\u{feff}@",
];

/// Where passwords stand, whatever they look like.
const PASSWORD_PLACES: &[&str] = &[
    "curl -u admin:@ https://api.test/x",
    "curl -sS -uadmin:@ https://api.test/x",
    "curl -su 'admin:@' https://api.test/x",
    "curl -X POST --user admin:@ https://api.test/x",
    "curl --user=\"admin:@\" https://api.test/x",
    "curl -U px:@ -x http://proxy.test:3128 https://api.test/",
    "curl --proxy-user px:@ https://api.test/",
    "mysql -u root -p@ shop",
    "mysqldump -uroot -p'@' shop > shop.sql",
    "mysqladmin -p@ ping",
    "mariadb -h db -p@",
    "sshpass -p '@' ssh deploy@h.test",
    "sshpass -p@ ssh deploy@h.test",
    "docker login -u bob -p @ reg.test",
    "docker login --username bob --password @ reg.test",
    "podman login --password=@ reg.test",
    "helm registry login reg.test -u bob -p @",
    "skopeo login -u bob -p @ reg.test",
    "buildah login -p @ -u bob reg.test",
    "redis-cli -h cache.test -a @ ping",
    "ldapsearch -x -D cn=admin -w @ -b dc=x",
    "ldapmodify -xw @ -f a.ldif",
    "htpasswd -b .htpasswd bob @",
    "htpasswd -bc .htpasswd bob @",
    "htpasswd -nb bob @",
    "smbclient //h.test/share -U bob%@",
    "smbclient //h.test/share -Ubob%@",
    "wget --user bob --password @ https://x.test",
    "wget --password='@' https://x.test",
    "openssl rsa -in k.pem -passin pass:@ -out o.pem",
    "openssl enc -aes-256-cbc -pass pass:@ -in a",
    "machine api.test login bob password @",
    "machine api.test\n  login bob\n  password @\n",
    "db.test:5432:app:bob:@",
    "*:*:app:bob:@\n",
    "{\"password\": {\"value\": \"@\", \"type\": \"text\"}}",
    "[{\"name\": \"DB_PASSWORD\", \"value\": \"@\"}]",
    "[{\"key\": \"PASSWORD\", \"type\": \"plain\", \"value\": \"@\"}]",
    "- name: DB_PASSWORD\n  value: @\n",
    "env:\n  - name: APP_PASSWORD\n    value: \"@\"\n",
    "host=db.test user=bob password=@ dbname=app",
    "Server=db.test;Database=app;User Id=bob;Password=@;",
    "postgres://bob:@@db.test:5432/app",
    "jdbc:postgresql://db.test/app?user=bob&password=@",
    "protocol=https\nhost=git.test\nusername=bob\npassword=@\n",
    "<password>@</password>",
    "{\"command\": \"mysql -u root -p\\\"@\\\" shop\"}",
    "[\"curl\", \"-u\", \"admin:@\", \"https://x.test\"]",
    "[\"mysql\", \"-uroot\", \"-p@\", \"shop\"]",
    "curl -k \\\n  -u admin:@ \\\n  https://x.test",
    "helm repo add r https://x.test --username bob --password @",
    "smbclient -U \"DOM\\bob%@\" //h.test/share",
    "default login bob password @",
    "machine h.test login bob password \"@\"",
    "{\"value\": \"@\", \"name\": \"API_SECRET\"}",
    "{\"Name\": \"DB_PASSWORD\", \"Value\": \"@\"}",
    "- value: @\n  name: DB_PASSWORD\n",
];

/// Words too.
const PASSWORDS: &[&str] = &["{l10}!{d2}", "{u4}{d3}{l5}#{d2}", "hunter", "{a16}", "winterfell"];

/// How the lines of a file are shown: what stands before each and behind it; `N` is the number of the line.
const LINES: &[(&str, &str)] = &[
    ("", ""),
    ("", "\r"),
    ("    ", ""),
    ("     N\t", ""),
    ("     N→", ""),
    ("0000N| ", ""),
    ("N: ", ""),
    ("N:", ""),
    ("Line N: ", ""),
    ("keys/id_rsa:N:", ""),
    ("keys/id_rsa-N-", ""),
    ("keys/id_rsa:", ""),
    ("> ", ""),
    ("> > ", ""),
    ("| ", " |"),
    ("+", ""),
    ("-", ""),
    ("# ", ""),
    ("// ", ""),
    ("  \"", "\\n\" +"),
    ("  '", "',"),
    ("", "$"),
    ("", "^M$"),
    ("", "<br>"),
    ("echo \"", "\" >> k.pem"),
    ("  '", "' . PHP_EOL ."),
    ("  \u{1b}[2mN\u{1b}[0m │ ", ""),
    ("[N] ", ""),
    ("web-1  | ", ""),
    (" * ", ""),
    ("-- ", ""),
    ("\u{1b}[36m", "\u{1b}[0m"),
    ("\u{1b}[32m+", "\u{1b}[m"),
];

const HARMLESS: &[&str] = &[
    "<div class=\"sk-circle-fade-dot1 sk-chase-dot2\"></div>",
    ".sk-cube-grid .sk-cube1 { animation-delay: 0.2s } .sk-folding-cube-2-animation-step-10 {}",
    "WORKDIR /home/node/app and /home/runner/work /home/vscode/.cache /home/ubuntu/x /home/ec2-user/y /home/app/z",
    "/Users/Shared/Relocated /home/linuxbrew/.linuxbrew C:\\Users\\Public\\x C:\\Users\\Default\\x",
    "GET /home/about/team 200, POST \"/home/contact\", https://x.test/home/about/team",
    "HEAD is now at 9fceb02d0ae598e95dc970b74767f19372d61af8 fix",
    "FROM node@sha256:aa11bb22cc33dd44ee55ff66aa11bb22cc33dd44ee55ff66aa11bb22cc33dd44",
    "interface Auth { password: string; apiKey?: string; token: Token1 }",
    "curl -u \"${USER}:${TOKEN}\" https://api.test/",
    "curl -u $USER:$PASS https://api.test/; curl -u admin https://api.test/",
    "curl -o out.txt https://x.test/a:b && curl --user-agent x:y https://x.test",
    "mysql -h db -P3306 -uroot shop; mysql -u root -p shop; mysqldump -p shop",
    "docker run -p 8080:80 -u 1000:1000 nginx:1.27; docker login -u bob --password-stdin reg.test",
    "cp -p a b; mkdir -p a/b/c; ssh -p 2222 h.test; redis-cli -h cache.test -p 6379",
    "2026-08-01T10:00:00:123:info:started",
    "localhost:8080:80 a.test:443 12:30:45:12:99 src/x.ts:1234:5:foo:bar",
    "root:x:0:0:root:/root:/bin/bash\nbob:x:1000:1000::/home/app:/bin/sh",
    "password: <your-password>, api_key: YOUR_API_KEY, token: xxxxxxxx",
    "fc-cache -fv; fc-list : family; pul-down phx_reply phx_join e2b_sandbox tskey-auth-",
    "pat: the patch, pat_1, patched.files; v1.0-beta v1.0-rc1; sbp_ dapi_version dapi",
    "offset 12345678:90 and ports 8080:80, 12345678:AA",
    "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "https://discord.com/api/webhooks/ID/TOKEN https://discord.com/channels/123456789012345678/1",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END CERTIFICATE-----",
    "1: -----BEGIN RSA PRIVATE KEY-----\n2: is the first line of such a file\n3: and then",
    "\u{1b}[32m✓\u{1b}[0m 12 tests passed \u{1b}[2m(3.1s)\u{1b}[22m",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "http://localhost:3000/home/index.html",
    "<input type=\"hidden\" name=\"csrf_token\" value=\"\"> <password></password> <token>TOKEN</token>",
    "{\"auths\": {}, \"auth\": false, \"credsStore\": \"desktop\"} auth: bearer, auth: \"required\"",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {name: db, key: password}",
    "- name: APP_PORT\n  value: \"8080\"\n- name: MODE\n  value: production",
    "[{\"name\": \"color\", \"value\": \"blue1234\"}, {\"name\": \"PASSWORD\", \"value\": \"${PW}\"}]",
    "git config credential.helper store; HRKU is an abbreviation; ops_team npm_config_cache npm_package_name",
    "connect(host=host, user=user, password=password, database=database)",
    "psql \"host=db.test user=bob password=$PW dbname=app\"; machine learning, login page, password reset",
    "the machine login and password policy; machine translation login form",
    "a1b2c3d4e5f60718293a4b5c6d7e8f90-us west, 0123456789abcdef0123456789abcdef-usual",
    "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk= sha512-WFOSvCMVrfZbhkZnP2wsbqOSk5yZ7Y+RlUyUWrwW5XbVRkkNQ0qIkfGWKjNaNsZrgpMIzoMeB1Vmg3X8VJzP8w==",
    "\"version\": \"18.2.0\", \"resolved\": \"https://registry.npmjs.org/a/-/a-1.0.0.tgz\"",
    "MODULE.functionName.anotherVeryLongFunctionNameWithoutDigits; Object.defineProperty.bindToContext",
    "openssl rsa -in k.pem -passin env:PW -passout file:pw.txt; openssl x509 -pubkey",
    "wget --user-agent=x https://x.test; smbclient -U bob //h.test/share; ldapsearch -x -W -D cn=admin",
    "uuid 3f2504e0-4f89-11d3-9a0c-0305e82c3301 etag W/\"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
    "sk-... sk-xxxx sk-your-key-here AKIA is a prefix, ghp_ too, xoxb- as well, glpat- and npm_",
    "SK is a country, skills, sketch-1, skeleton-loading-2; hf_hub_download('a/b-1')",
    "color: #a1b2c3d4; width: calc(100% - 20px); margin: 0 auto; content: \"\\201C\";",
    "\\u001b[32mok\\u001b[0m 4 passed; %20 %3D %26 &quot;a&quot; &amp;b=1",
];

/// A secret in a text is masked, and all around it is as it was.
fn is_masked(place: &str, secret: &str, missing: &mut Vec<String>) -> bool {
    let text = place.replacen('@', secret, if place.starts_with("(@)") { 3 } else { 1 });
    let mut redactor = Redactor::default();
    let masked = redactor.redact_text(&text).unwrap_or_else(|| text.clone());
    let again = redactor.redact_text(&masked);
    let (before, behind) = place.split_once('@').unwrap();
    let behind = behind.rsplit('@').next().unwrap();
    let is_gone = !masked.contains(secret) && masked.contains("[redacted ");
    let is_good =
        is_gone && masked.starts_with(before) && masked.ends_with(behind) && again.is_none();
    if !is_good {
        missing.push(format!("{text:?}\n  → {masked:?}"));
    }
    is_good
}

/// So many of 1,000 secrets are found, and of 1,000 texts without one are left alone.
const LEAST: f64 = 0.98;

fn assert_share(what: &str, good: usize, all: usize, missing: &[String]) {
    let share = good as f64 / all as f64;
    println!("{what}: {good} of {all}, {share:.4}");
    assert!(
        share >= LEAST,
        "{what}: {good} of {all}, {share:.4}\n{}",
        missing[..missing.len().min(40)].join("\n")
    );
}

#[test]
fn tokens_are_found_in_every_surrounding() {
    let mut random = Random(20_261_126);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for shape in TOKENS {
        for place in PLACES {
            let secret = made(shape, &mut random);
            all += 1;
            good += usize::from(is_masked(place, &secret, &mut missing));
        }
    }
    assert_share("tokens", good, all, &missing);
}

#[test]
fn a_token_is_found_around_a_sequence_of_the_terminal() {
    let mut random = Random(7);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for shape in TOKENS {
        let secret = made(shape, &mut random);
        for at in [1, 4, secret.len() / 2, secret.len() - 3] {
            let (head, tail) = secret.split_at(at);
            let parted = format!("{head}\u{1b}[01;31m\u{1b}[K{tail}");
            all += 1;
            good += usize::from(is_masked("a @ b", &parted, &mut missing));
        }
    }
    assert_share("tokens with a sequence inside", good, all, &missing);
}

#[test]
fn passwords_are_found_by_their_place() {
    let mut random = Random(11);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for place in PASSWORD_PLACES {
        for shape in PASSWORDS {
            let secret = made(shape, &mut random);
            all += 1;
            good += usize::from(is_masked(place, &secret, &mut missing));
        }
    }
    assert_share("passwords", good, all, &missing);
}

#[test]
fn private_keys_are_found_however_their_lines_are_shown() {
    let mut random = Random(13);
    let (mut good, mut all, mut missing) = (0, 0, Vec::new());
    for (before, behind) in LINES {
        for (label, count) in
            [("RSA ", 12), ("", 8), ("EC ", 3), ("OPENSSH ", 6), ("ENCRYPTED ", 14)]
        {
            for is_cut in [false, true] {
                let mut lines = vec![format!("-----BEGIN {label}PRIVATE KEY-----")];
                lines.extend((0..count).map(|_| made("{b64}", &mut random)));
                lines.push(made("{b31}=", &mut random));
                if !is_cut {
                    lines.push(format!("-----END {label}PRIVATE KEY-----"));
                }
                let shown: Vec<_> = lines
                    .iter()
                    .enumerate()
                    .map(|(at, line)| {
                        let before = before.replace('N', &(at + 1).to_string());
                        format!("{before}{line}{behind}")
                    })
                    .collect();
                let text = format!("before\n{}\nafter", shown.join("\n"));
                let masked = Redactor::default().redact_text(&text).unwrap_or_default();
                let is_left =
                    lines.iter().skip(1).take(count + 1).any(|line| masked.contains(line.as_str()));
                let stays = masked.starts_with("before\n") && masked.ends_with("\nafter");
                let again = Redactor::default().redact_text(&masked);
                all += 1;
                if is_left || !stays || again.is_some() {
                    missing.push(format!("{text}\n  → {masked}"));
                } else {
                    good += 1;
                }
            }
        }
    }
    assert_share("private keys", good, all, &missing);
}

#[test]
fn texts_without_secrets_are_left_alone() {
    let mut alarms = Vec::new();
    for text in HARMLESS {
        if let Some(masked) = Redactor::default().redact_text(text) {
            alarms.push(format!("{text}\n  → {masked}"));
        }
    }
    assert_share("harmless texts", HARMLESS.len() - alarms.len(), HARMLESS.len(), &alarms);
}
