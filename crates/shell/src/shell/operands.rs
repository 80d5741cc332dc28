//! Operands of arithmetic: names, numbers and expansions that stand side by side.

use super::letters::{DIGITS, begins, ends, has_any, is_listed, is_made_of, name_length, up_to};

/// Letters with which more is read than here: they may run a command.
const CODE: &str = "`\\'";
/// What prints numbers.
const COUNTS: &str = "nproc id_-u id_-g wc_-l wc_-w wc_-c wc_-m date_+%s date_+%s%N date_+%Y date_+%m date_+%d \
date_+%H date_+%M date_+%S";

/// What stands between two operators.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Operand<'t> {
    /// The variables of which it takes the values.
    pub(super) names: Vec<&'t str>,
    /// It is put together: it may be a name that stands nowhere.
    pub(super) is_joined: bool,
    /// A program prints it, which prints numbers only.
    pub(super) is_counted: bool,
    /// Letters stand in it outside expansions.
    pub(super) has_letters: bool,
    pieces: usize,
}

/// The operands of a text in which `$` begins an expansion; none if it may run a command, or has arguments.
pub(super) fn operands(text: &str) -> Option<Vec<Operand<'_>>> {
    let (mut found, mut operand, mut rest) = (Vec::new(), <Operand as Default>::default(), text);
    if has_any(text, CODE) {
        return None;
    }
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '$' => {
                let length = operand.expansion(rest)?;
                if rest.get(..length).is_some_and(|taken| ends(taken, "([")) {
                    // What is in it is read as what follows.
                    operand.end(&mut found);
                }
                length
            }
            '"' => 1,
            '_' | 'a'..='z' | 'A'..='Z' | '0'..='9' => operand.word(rest),
            _ => {
                operand.end(&mut found);
                // What these end is a number; what follows at once belongs to it.
                operand.pieces += usize::from(matches!(c, ')' | ']'));
                c.len_utf8()
            }
        };
        rest = rest.get(length..)?;
    }
    operand.end(&mut found);
    Some(found)
}

impl<'t> Operand<'t> {
    /// Another one begins.
    fn end(&mut self, found: &mut Vec<Operand<'t>>) {
        self.is_joined |= self.pieces > 1;
        if self.pieces > 0 {
            found.push(std::mem::take(self));
        }
    }

    /// A name or a number; gives its length.
    fn word(&mut self, rest: &'t str) -> usize {
        let length = name_length(rest);
        let word = up_to(rest, length);
        self.pieces += 1;
        self.has_letters |= !word.bytes().all(|byte| byte.is_ascii_digit());
        if !begins(word, DIGITS) {
            self.names.push(word);
        }
        length
    }

    /// What a `$` begins; gives its length.
    fn expansion(&mut self, rest: &'t str) -> Option<usize> {
        self.pieces += 1;
        let behind = rest.get(1..)?;
        if let Some(inner) = behind.strip_prefix('{') {
            return self.parameter(inner).map(|length| length + 3);
        }
        if let Some(inner) = behind.strip_prefix('(').filter(|inner| !begins(inner, "(")) {
            let inner = inner.get(..inner.find(')')?)?;
            self.is_counted = true;
            return is_count(inner).then_some(inner.len() + 3);
        }
        if behind.starts_with("((") || begins(behind, "[") {
            return Some(rest.len() - behind.trim_start_matches(['(', '[']).len());
        }
        if begins(behind, "?$!#") {
            return Some(2);
        }
        self.name(behind).map(|name| name.len() + 1)
    }

    fn name(&mut self, text: &'t str) -> Option<&'t str> {
        let name = text.get(..name_length(text))?;
        if name.is_empty() || begins(name, DIGITS) {
            return None;
        }
        self.names.push(name);
        Some(name)
    }

    /// What is in `${…}`; gives its length.
    fn parameter(&mut self, text: &'t str) -> Option<usize> {
        let mut depth = 1_usize;
        let end = text.bytes().position(|byte| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let inner = text.get(..end)?;
        // A length, the last exit code and the like.
        if begins(inner, "#") || is_listed("? $ !", inner) {
            return Some(end);
        }
        let whole = inner.strip_prefix('!').unwrap_or(inner);
        let name = self.name(whole)?;
        let operator = whole.get(name.len()..)?;
        if begins(operator, "@") {
            return None;
        }
        let subscript = operator.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let is_element = subscript.is_some_and(|it| !has_any(it, "]@*"));
        if !operator.is_empty() && !is_element {
            let plain = operator.strip_prefix(':').unwrap_or(operator);
            let default = plain.strip_prefix(['-', '=', '+']);
            let others = operands(default.unwrap_or(operator))?;
            // It is the value, or the one operand that may stand for it.
            self.is_joined |= default.is_none() || others.len() > 1;
            for other in others {
                self.is_joined |= other.is_joined;
                self.names.extend(other.names);
                self.has_letters |= other.has_letters;
                self.is_counted |= other.is_counted;
            }
        }
        Some(end)
    }
}

/// Do these commands print numbers only? The last one is what it looks like: it is in no quotes, as their number is
/// even behind it.
pub(super) fn is_count(text: &str) -> bool {
    let mut parts = text.split('|').map(str::trim);
    let last = parts.next_back().unwrap_or_default();
    let (command, input) = last.split_once('<').unwrap_or((last, ""));
    (is_listed(COUNTS, &command.trim().replace(' ', "_")) || is_grep_count(command))
        && !has_any(input, "<")
        && last.matches('"').count() % 2 == 0
        && parts.all(|part| !part.is_empty())
        && is_made_of(text, " _./:,=+%<@^-|$\"'*?!~[]{}")
}

/// Does `grep` count the lines of one file, whose name it does not print?
fn is_grep_count(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace();
    let is_grep = words.next().is_some_and(|name| is_listed("grep egrep fgrep", name));
    let (options, operands): (Vec<_>, Vec<_>) = words.partition(|word| begins(word, "-"));
    let is_plain = |option: &&str| {
        option
            .get(1..)
            .is_some_and(|option| is_made_of(option, "") && !has_any(option, "rRHefdDmABC"))
    };
    is_grep
        && options.iter().any(|option| has_any(option, "c"))
        && options.iter().all(is_plain)
        && matches!(operands.len(), 1 | 2)
        && operands.iter().all(|word| !has_any(word, "$*?[{~'\""))
}
