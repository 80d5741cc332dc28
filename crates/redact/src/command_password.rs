//! Passwords in the arguments of programs: `mysql -pPASSWORD`, `curl -u NAME:PASSWORD`. What stands there is a password
//! even if it is a plain word.

use super::byte_class::is_blank;
use super::haystack::{Haystack, Spans};
use super::strength::{holds, is_given};
use std::ops::Range;

/// How programs take a password, one line each, with seven fields:
///
/// 1. the names of the program; `ldap*` stands for every name that begins with `ldap`
/// 2. the subcommand that must come first
/// 3. the letters of short options whose value is the password; behind a `+` the value must be joined to the letter
/// 4. the letters of short options without a value, which may stand before those in the same word
/// 5. the long options whose value is the password
/// 6. what stands before the password in that value
/// 7. words, or with a final `.` or `:` beginnings of words, and how many words behind them the password is
const PROGRAMS: &str = "\
curl||uU|sSkLvifgGIjNOnqRZ0146#aBlM|user proxy-user|:|
mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump||+p||password||
sshpass||p||||
helm||||password||
docker podman helm skopeo buildah|login|p||password||
redis-cli||a||pass||auth+9 AUTH+9
ldap*||w|xZvncMWQ|||
smbclient||U|NEk|user|%|
wget||||password http-password ftp-password proxy-password||
openssl||||pass passin passout|pass:|
openssl|enc|||k||
mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh rabbitmqadmin twine||p||password||
az|login|p||password||
sqlcmd mosquitto_pub mosquitto_sub mosquitto_rr ipmitool zip unzip||P|erjqmon9|pw||
influx||||password||
http https xh xhs||a||auth|:|
lftp||u||user|,|
7z 7za 7zz 7zr||+p||||
ssh-keygen||NP|q|||
keytool jarsigner||||storepass keypass srcstorepass deststorepass srckeypass destkeypass||
sqlplus|||||/|
rabbitmqctl||||||add_user+2 change_password+2
snmp*||AX||||
xfreerdp||||||/p:+0
psexec PsExec PSEXEC||p||||
Connect-VIServer connect-viserver||||password Password||
nmcli||||||password+1 wifi-sec.psk+1 802-11-wireless-security.psk+1
mc|alias|||||set+4
gh|secret|b||body||
aws|put-parameter|||value|SecureString|
poetry composer||||||http-basic.+2
ConvertTo-SecureString||||||+1";

/// The names of all programs, without the `*`.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let names = |line: &'static str| line.split('|').next().unwrap_or_default().split(' ');
    PROGRAMS.lines().flat_map(names).map(|name| name.trim_end_matches('*')).chain(["htpasswd"])
}

/// A line of the table.
struct Program {
    command: &'static [u8],
    short: &'static [u8],
    /// The value is joined to the option's letter, or there is none.
    is_joined: bool,
    flags: &'static [u8],
    long: &'static str,
    before: &'static [u8],
    words: &'static str,
}

impl Program {
    /// The lines for a program of this name.
    fn named(name: &[u8]) -> impl Iterator<Item = Program> {
        PROGRAMS.lines().filter_map(move |line| {
            let mut fields = line.split('|');
            let mut next = || fields.next().unwrap_or_default();
            let is_named = next().split(' ').any(|known| match known.strip_suffix('*') {
                Some(begun) => name.starts_with(begun.as_bytes()),
                None => name == known.as_bytes(),
            });
            let (command, short, flags) = (next().as_bytes(), next(), next().as_bytes());
            let is_joined = short.starts_with('+');
            let short = short.as_bytes();
            let (long, before, words) = (next(), next().as_bytes(), next());
            let program = Program { command, short, is_joined, flags, long, before, words };
            is_named.then_some(program)
        })
    }
}

/// The most bytes of a command that are read, and of words.
const LONGEST: usize = 2048;
const MOST_WORDS: usize = 64;

/// Reads the command whose name is here.
pub(super) fn argument(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let end = text.run(at, 24, is_inside);
    let name = text.slice(at..end);
    let end = if text.has_any_case(end, b".exe") { end + b".exe".len() } else { end };
    // `["mysql", "-pPASSWORD"]`: a list of words.
    let list = text.quote(end).map(|(_, behind)| behind);
    let list = list.filter(|behind| text.at(*behind) == Some(b','));
    if list.is_none() && !text.at(end).is_some_and(is_blank) {
        return at + 1;
    }
    let command = Words { text, at: list.unwrap_or(end), is_list: list.is_some() };
    if name == b"htpasswd" {
        spans.extend(table_entry(command));
    }
    for program in Program::named(name) {
        program.passwords(name, command, spans);
    }
    at + 1
}

/// The words of a command, without their quotation marks.
#[derive(Clone, Copy)]
pub(super) struct Words<'t> {
    pub(super) text: Haystack<'t>,
    pub(super) at: usize,
    pub(super) is_list: bool,
}

impl Words<'_> {
    fn ranges(mut self) -> impl Iterator<Item = Range<usize>> {
        let limit = self.at + LONGEST;
        let next = move || if self.at > limit { None } else { self.next() };
        std::iter::from_fn(next).take(MOST_WORDS)
    }

    pub(super) fn next(&mut self) -> Option<Range<usize>> {
        let Words { text, is_list, .. } = *self;
        let is_between = |byte: u8| is_blank(byte) || (is_list && matches!(byte, b',' | b'\n'));
        let mut at = text.run(self.at, 64, is_between);
        // A command goes on behind an escaped line feed.
        while text.at(at) == Some(b'\\') && text.at(at + 1) == Some(b'\n') {
            at = text.run(at + 2, 64, is_blank);
        }
        let quote = text.quote(at).filter(|(quote, _)| is_list || *quote != b'`');
        if let Some((quote, start)) = quote {
            let end = quoted_end(text, start, quote);
            self.at = behind_quote(text, end);
            return Some(start..end);
        }
        // `\\HOST`, also where it is escaped.
        if text.at(at) == Some(b'\\') && text.at(at + 1) == Some(b'\\') {
            at = text.run(at, 8, |byte| byte == b'\\');
        }
        let is_inside = |byte: u8| byte > b' ' && !b"\"'`;|&()<>\\".contains(&byte);
        let end = text.run(at, LONGEST, is_inside);
        let mut word = at..end;
        self.at = end;
        let begun = text.slice(at..end);
        let is_open = matches!(begun, [b'-', _] | [.., b'=' | b':']);
        if let Some((quote, start)) = text.quote(end).filter(|(quote, _)| is_open && *quote != b'`')
        {
            // `--user="…"`
            word.end = quoted_end(text, start, quote);
            self.at = behind_quote(text, word.end);
        }
        (end > word.start && !is_list).then_some(word)
    }
}

/// Where what stands in quotation marks ends.
fn quoted_end(text: Haystack<'_>, start: usize, quote: u8) -> usize {
    let mut at = start;
    while at < start + LONGEST {
        at = text.run(at, LONGEST, |byte| byte != quote && !matches!(byte, b'\\' | b'\n'));
        // `DOMAIN\NAME` goes on, an escaped quotation mark and a line feed that is written out do not.
        let behind = text.run(at, 4, |byte| byte == b'\\');
        if behind == at
            || matches!(text.at(behind), Some(b'n' | b'\n' | b'"' | b'\'' | b'`') | None)
        {
            return at;
        }
        at = behind;
    }
    at
}

fn behind_quote(text: Haystack<'_>, end: usize) -> usize {
    if text.at(end) == Some(b'\n') {
        return end;
    }
    text.run(end, 4, |byte| byte == b'\\') + 1
}

/// The length of the quotation mark here, with its backslashes; 0 if there is none.
fn quote_length(word: &[u8], at: usize) -> usize {
    let rest = word.get(at..).unwrap_or_default();
    let slashes = rest.iter().take_while(|byte| **byte == b'\\').count();
    let is_quote = matches!(rest.get(slashes), Some(b'"' | b'\''));
    if is_quote { slashes + 1 } else { 0 }
}

impl Program {
    fn passwords(&self, name: &[u8], command: Words<'_>, spans: &mut Spans) {
        let text = command.text;
        let mut is_command = self.command.is_empty();
        let (mut is_next, mut names) = (false, 0);
        // How many words there are up to the password, and the last of them.
        let mut left = if self.words == "+1" { 1 } else { 0 };
        let mut last = None;
        let is_secure = self.before == b"SecureString";
        if is_secure && !command.ranges().any(|word| text.slice(word) == self.before) {
            return;
        }
        for word in command.ranges() {
            let bytes = text.slice(word.clone());
            // Another one begins, which is read by itself.
            if bytes == name {
                break;
            }
            if std::mem::take(&mut is_next) {
                self.add(text, word, spans);
                continue;
            }
            if !is_command {
                is_command = bytes == self.command;
                names += usize::from(!bytes.starts_with(b"-"));
                if names > 2 {
                    return;
                }
                continue;
            }
            if self.before == b"/" {
                self.add(text, word, spans);
                continue;
            }
            match self.value(bytes) {
                None => {}
                Some(None) => is_next = true,
                Some(Some(skipped)) => self.add(text, word.start + skipped..word.end, spans),
            }
            if left > 0 && !bytes.starts_with(b"-") {
                left -= 1;
                last = Some(word.clone());
                if left == 0 {
                    self.add(text, word, spans);
                    return;
                }
            } else if let Some((begun, places)) = self.word(bytes) {
                if places == 0 {
                    self.add(text, word.start + begun..word.end, spans);
                }
                left = places;
            }
        }
        // Where it is the last of all.
        if left > ANY / 2
            && let Some(word) = last
        {
            self.add(text, word, spans);
        }
    }

    /// For a word that announces the password: how much of the word is known, and how many words later the password is.
    fn word(&self, word: &[u8]) -> Option<(usize, usize)> {
        self.words.split(' ').find_map(|known| {
            let (text, places) = known.split_once('+')?;
            let is_begun = text.ends_with(['.', ':']);
            let is_it =
                if is_begun { word.starts_with(text.as_bytes()) } else { word == text.as_bytes() };
            (is_it && !text.is_empty()).then_some((text.len(), places.parse().ok()?))
        })
    }

    /// For an option whose value is the password: where the value begins in this word, or `None` if it is the next word.
    fn value(&self, word: &[u8]) -> Option<Option<usize>> {
        let name = word.strip_prefix(b"-").filter(|name| !name.is_empty())?;
        let long = name.strip_prefix(b"-").unwrap_or(name);
        let end = long.iter().position(|byte| *byte == b'=');
        let option = long.get(..end.unwrap_or(long.len()))?;
        if !option.is_empty() && self.long.split(' ').any(|known| known.as_bytes() == option) {
            return Some(end.map(|end| {
                let at = word.len() - long.len() + end + 1;
                at + quote_length(word, at)
            }));
        }
        // Letters before it are options without a value.
        let is_letter = |byte: &u8| *byte != b'+' && self.short.contains(byte);
        let at = name.iter().position(is_letter)?;
        let before = name.get(..at)?;
        if !before.iter().all(|byte| self.flags.contains(byte)) {
            return None;
        }
        let begins = at + 2 + quote_length(word, at + 2);
        let is_alone = begins == word.len();
        (!is_alone || !self.is_joined).then_some((!is_alone).then_some(begins))
    }

    fn add(&self, text: Haystack<'_>, word: Range<usize>, spans: &mut Spans) {
        let bytes = text.slice(word.clone());
        let sign = |sign: u8| bytes.iter().position(|byte| *byte == sign);
        let mut end = word.end;
        let skipped = match self.before {
            b"" | b"SecureString" => Some(0),
            b"pass:" => bytes.starts_with(self.before).then_some(5),
            // `NAME/PASSWORD@PLACE`
            b"/" => {
                end = word.start + sign(b'@').unwrap_or_default();
                sign(b'/').filter(|at| *at > 0 && word.start + at < end).map(|at| at + 1)
            }
            signs => signs.first().and_then(|first| sign(*first)).map(|at| at + 1),
        };
        let Some(start) = skipped.map(|skipped| word.start + skipped) else { return };
        let value = start..end;
        if is_given(text.slice(value.clone())) {
            spans.push(value);
        }
    }
}

/// Stands for "the last word of the command" in the table.
const ANY: usize = 9;

/// `net use X: \\\\HOST\\SHARE PASSWORD /user:NAME`, or the password behind the name, at the first word.
pub(super) fn share(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let end = text.run(at, 512, |byte| byte >= b' ' && byte != b'|' && byte != b'&');
    let mut from = at + b"net use ".len();
    let mut is_behind = false;
    while from < end {
        let word = from..text.run(from, end - from, |byte| !is_blank(byte));
        let bytes = text.slice(word.clone());
        from = text.run(word.end, 64, is_blank).max(word.end + 1);
        if bytes.starts_with(b"\\\\") {
            is_behind = true;
        } else if is_behind && !bytes.starts_with(b"/") {
            if is_given(bytes) {
                spans.push(word);
            }
            break;
        }
    }
    at + 1
}

/// `127.0.0.1:6379> AUTH PASSWORD`, at the end of the prompt.
pub(super) fn prompt(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let start = text.run_back(at, 64, |byte| byte > b' ');
    let prompt = text.slice(start..at);
    if holds(prompt, b"redis") || prompt.iter().rfind(|byte| !byte.is_ascii_digit()) == Some(&b':')
    {
        let words = Words { text, at: at + b"> auth ".len(), is_list: false };
        spans.extend(words.ranges().last().filter(|word| is_given(text.slice(word.clone()))));
    }
    at + 1
}

/// `AUTH`, a line break, `$8`, a line break, the password: how a client tells it to Redis.
pub(super) fn protocol(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let is_break = |byte: u8| matches!(byte, b'\r' | b'\n' | b'\\');
    let skip_break = |at: usize| {
        let is_written = text.at(at) == Some(b'\\');
        if is_written {
            text.run(at, 4, |byte| matches!(byte, b'\\' | b'r' | b'n'))
        } else {
            text.run(at, 2, is_break)
        }
    };
    let mut value = None;
    let mut from = skip_break(at + 4);
    while text.at(from) == Some(b'$') {
        let digits = text.run(from + 1, 4, |byte| byte.is_ascii_digit());
        let start = skip_break(digits);
        let length = text
            .slice(from + 1..digits)
            .iter()
            .fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'));
        let end = start + length;
        if start == digits || text.slice(start..end).len() < length {
            break;
        }
        value = Some(start..end);
        from = skip_break(end);
    }
    spans.extend(value.filter(|value| is_given(text.slice(value.clone()))));
    at + 1
}

/// `htpasswd -b FILE NAME PASSWORD`, and with `-n` without a file.
fn table_entry(command: Words<'_>) -> Option<Range<usize>> {
    let (mut is_given_here, mut places) = (false, 3);
    for word in command.ranges() {
        let bytes = command.text.slice(word.clone());
        if let Some(letters) = bytes.strip_prefix(b"-") {
            is_given_here |= letters.contains(&b'b');
            places -= usize::from(letters.contains(&b'n'));
            continue;
        }
        places -= 1;
        if places == 0 {
            return (is_given_here && is_given(bytes)).then_some(word);
        }
    }
    None
}
