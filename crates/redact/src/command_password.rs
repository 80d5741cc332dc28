//! Passwords among the arguments of programs: `mysql -pPASSWORD`, `curl -u NAME:PASSWORD`. Where one stands it is a
//! password, whatever it looks like.

use super::byte_class::{is_blank, is_word};
use super::haystack::{Haystack, Spans};
use super::strength::is_stand_in;
use std::ops::Range;

/// What of an argument is the password.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    /// `NAME:PASSWORD`
    BehindColon,
    /// `NAME%PASSWORD`
    BehindPercent,
    /// `pass:PASSWORD`
    BehindWord,
}

/// How a program is told a password.
struct Program {
    names: &'static [&'static str],
    /// The command before which the options have another meaning: `login`.
    command: &'static str,
    /// The letters of options, whose values may be joined to them.
    short: &'static str,
    /// Letters of options without a value, that may stand before those in one word.
    flags: &'static str,
    /// The value is joined to the option's letter, or there is none.
    is_joined: bool,
    /// Long options, with or without `=`.
    long: &'static [&'static str],
    place: Place,
}

const PROGRAMS: &[Program] = &[
    Program {
        names: &["curl"],
        command: "",
        short: "uU",
        flags: "sSkLvifgGIjNOnqRZ0146#aBlM",
        is_joined: false,
        long: &["user", "proxy-user"],
        place: Place::BehindColon,
    },
    Program {
        names: &["mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "mysqlimport"],
        command: "",
        short: "p",
        flags: "",
        is_joined: true,
        long: &["password"],
        place: Place::Whole,
    },
    Program {
        names: &["sshpass"],
        command: "",
        short: "p",
        flags: "",
        is_joined: false,
        long: &[],
        place: Place::Whole,
    },
    Program {
        names: &["helm"],
        command: "",
        short: "",
        flags: "",
        is_joined: false,
        long: &["password"],
        place: Place::Whole,
    },
    Program {
        names: &["docker", "podman", "helm", "skopeo", "buildah"],
        command: "login",
        short: "p",
        flags: "",
        is_joined: false,
        long: &["password"],
        place: Place::Whole,
    },
    Program {
        names: &["redis-cli"],
        command: "",
        short: "a",
        flags: "",
        is_joined: false,
        long: &["pass"],
        place: Place::Whole,
    },
    Program {
        names: &[
            "ldapsearch",
            "ldapadd",
            "ldapmodify",
            "ldapdelete",
            "ldapmodrdn",
            "ldapcompare",
            "ldappasswd",
            "ldapwhoami",
            "ldapexop",
        ],
        command: "",
        short: "w",
        flags: "xZvncMWQ",
        is_joined: false,
        long: &[],
        place: Place::Whole,
    },
    Program {
        names: &["smbclient"],
        command: "",
        short: "U",
        flags: "NEk",
        is_joined: false,
        long: &["user"],
        place: Place::BehindPercent,
    },
    Program {
        names: &["wget"],
        command: "",
        short: "",
        flags: "",
        is_joined: false,
        long: &["password", "http-password", "ftp-password", "proxy-password"],
        place: Place::Whole,
    },
    Program {
        names: &["openssl"],
        command: "",
        short: "",
        flags: "",
        is_joined: false,
        long: &["pass", "passin", "passout"],
        place: Place::BehindWord,
    },
];

/// The most bytes of a command that are read, and of words.
const LONGEST: usize = 2048;
const MOST_WORDS: usize = 64;

/// Reads the command whose name is here.
pub(super) fn argument(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let end = text.run(at, 16, |byte| byte.is_ascii_lowercase() || byte == b'-');
    let name = text.slice(at..end);
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
    let is_named = |program: &&Program| program.names.iter().any(|known| known.as_bytes() == name);
    for program in PROGRAMS.iter().filter(is_named) {
        program.passwords(name, command, spans);
    }
    at + 1
}

/// The words of a command, without their quotation marks.
#[derive(Clone, Copy)]
struct Words<'t> {
    text: Haystack<'t>,
    at: usize,
    is_list: bool,
}

impl Words<'_> {
    fn ranges(mut self) -> impl Iterator<Item = Range<usize>> {
        let limit = self.at + LONGEST;
        let next = move || if self.at > limit { None } else { self.next() };
        std::iter::from_fn(next).take(MOST_WORDS)
    }

    fn next(&mut self) -> Option<Range<usize>> {
        let Words { text, is_list, .. } = *self;
        let is_between = |byte: u8| is_blank(byte) || (is_list && matches!(byte, b',' | b'\n'));
        let mut at = text.run(self.at, 64, is_between);
        // A command goes on behind an escaped line feed.
        while text.at(at) == Some(b'\\') && text.at(at + 1) == Some(b'\n') {
            at = text.run(at + 2, 64, is_blank);
        }
        if let Some((quote, start)) = text.quote(at) {
            let end = quoted_end(text, start, quote);
            self.at = behind_quote(text, end);
            return Some(start..end);
        }
        let is_inside = |byte: u8| byte > b' ' && !b"\"'`;|&()<>\\".contains(&byte);
        let end = text.run(at, LONGEST, is_inside);
        let mut word = at..end;
        self.at = end;
        if let Some((quote, start)) = text.quote(end).filter(|_| end > at) {
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
    text.run(end, 4, |byte| byte == b'\\') + 1
}

/// How many bytes the quotation mark has that may be here.
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
        for word in command.ranges() {
            let bytes = text.slice(word.clone());
            // Another one begins, which is read by itself.
            if bytes == name {
                return;
            }
            if std::mem::take(&mut is_next) {
                self.add(text, word, spans);
                continue;
            }
            if !is_command {
                is_command = bytes == self.command.as_bytes();
                names += usize::from(!bytes.starts_with(b"-"));
                if names > 2 {
                    return;
                }
                continue;
            }
            match self.value(bytes) {
                None => {}
                Some(None) => is_next = true,
                Some(Some(skipped)) => self.add(text, word.start + skipped..word.end, spans),
            }
        }
    }

    /// If a word is an option that has the password as value: where that begins in it, or none if it is the next word.
    fn value(&self, word: &[u8]) -> Option<Option<usize>> {
        let name = word.strip_prefix(b"-").filter(|name| !name.is_empty())?;
        let long = name.strip_prefix(b"-").unwrap_or(name);
        let end = long.iter().position(|byte| *byte == b'=');
        let option = long.get(..end.unwrap_or(long.len()))?;
        if self.long.iter().any(|known| known.as_bytes() == option) {
            return Some(end.map(|end| {
                let at = word.len() - long.len() + end + 1;
                at + quote_length(word, at)
            }));
        }
        // Letters before it are options without a value.
        let at = name.iter().position(|byte| self.short.as_bytes().contains(byte))?;
        let before = name.get(..at)?;
        if !before.iter().all(|byte| self.flags.as_bytes().contains(byte)) {
            return None;
        }
        let begins = at + 2 + quote_length(word, at + 2);
        let is_alone = begins == word.len();
        (!is_alone || !self.is_joined).then_some((!is_alone).then_some(begins))
    }

    fn add(&self, text: Haystack<'_>, word: Range<usize>, spans: &mut Spans) {
        let bytes = text.slice(word.clone());
        let behind = |sign: u8| bytes.iter().position(|byte| *byte == sign).map(|at| at + 1);
        let skipped = match self.place {
            Place::Whole => Some(0),
            Place::BehindColon => behind(b':'),
            Place::BehindPercent => behind(b'%'),
            Place::BehindWord => bytes.starts_with(b"pass:").then_some(5),
        };
        let Some(start) = skipped.map(|skipped| word.start + skipped) else { return };
        if is_given(text.slice(start..word.end)) {
            spans.push(start..word.end);
        }
    }
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

/// Is it a password that is told here, and no variable and no place where one would be put?
pub(super) fn is_given(value: &[u8]) -> bool {
    let is_variable = matches!(value, [b'$' | b'<' | b'{' | b'[', ..])
        || matches!(value, [b'%', .., b'%'])
        || value.windows(2).any(|pair| matches!(pair, b"${" | b"{{" | b"$("));
    !value.is_empty()
        && !is_variable
        && !is_stand_in(value)
        && value.iter().any(|byte| is_word(*byte))
}
