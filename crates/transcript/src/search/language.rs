//! The language of searches: a phrase, texts in quotation marks, regular expressions between slashes, filters.
//!
//! Words are one phrase, filters taken out of it: `exit tool:bash code` looks for `exit code` in calls of bash. What
//! is in quotation marks is a text of its own, filters and all; `/…/` is a regular expression, `/…/i` one for which
//! case never matters. A part must have every text, and pass every filter; a minus turns a filter round.
//!
//! ```
//! use apex_parts_transcript::search::{QueryOptions, parse_query};
//! let mut check = |_: &str| None; // every regular expression is valid
//! let query = parse_query("exit tool:bash code", QueryOptions::default(), &mut check);
//! let query = query.map_err(|mistake| mistake.sentence)?;
//! assert_eq!(query.terms[0].text, "exit code");
//! assert_eq!(query.filters[0].name, "tool");
//! let mistake = parse_query("cost>abc", QueryOptions::default(), &mut check).unwrap_err();
//! assert_eq!(mistake.sentence, "“abc” is not an amount of dollars, as in cost>0.05.");
//! # Ok::<(), String>(())
//! ```

use apex_parts_json::float::parse;
use serde::Serialize;

/// Longer queries come from a paste that went wrong, or from a link made to do harm.
const LONGEST: usize = 2000;
/// So much of a wrong value is repeated in a mistake.
const QUOTED: usize = 40;
/// The longest name before a colon that is taken for that of a filter.
const LONGEST_NAME: usize = 40;

/// The filters that take names, each with an example.
const NAME_FILTERS: &[(&str, &str)] = &[
    ("tool", "tool:bash"),
    ("status", "status:failed"),
    ("exit", "exit:101"),
    ("role", "role:user"),
    ("type", "type:reasoning"),
    ("agent", "agent:build"),
];
/// The filters that compare a number, each with an example, its unit, and its suffixes. A suffix stands for a power of
/// ten and a small factor, so that `1.005s` is 1005 ms and not 1004.9999999999999.
const NUMBER_FILTERS: &[(&str, &str, &str, &[Suffix])] = &[
    ("cost", "cost>0.05", "dollars", &[("", 0, 1)]),
    ("tokens", "tokens>1000", "tokens", &[("", 0, 1), ("k", 3, 1), ("m", 6, 1)]),
    ("dur", "dur>10s", "time", &[("", 3, 1), ("ms", 0, 1), ("s", 3, 1), ("m", 4, 6), ("h", 5, 36)]),
];
type Suffix = (&'static str, u32, u32);

/// The names of a call's statuses, by the number in [`crate::index::entry::PartFact::status`]; the last one is that of a
/// running call in a file that cannot hold its result.
pub(crate) const STATUSES: [&str; 7] =
    ["", "pending", "running", "completed", "error", "failed", "requested"];
const ROLES: &[&str] = &["user", "assistant", "other"];

/// How the words of a query are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryOptions {
    /// Words are a regular expression.
    pub regex: bool,
    /// Case matters.
    pub case_sensitive: bool,
}

/// A query as it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ParsedQuery {
    /// The texts that a part must have.
    pub terms: Vec<QueryTerm>,
    /// The filters that it must pass.
    pub filters: Vec<QueryFilter>,
    /// The first word that is written as a filter, and names none: it is searched for as it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// A text that is searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryTerm {
    /// The text, or the regular expression without its slashes.
    pub text: String,
    /// It is a regular expression.
    pub regex: bool,
    /// Case matters.
    pub case_sensitive: bool,
}

/// A filter of a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryFilter {
    /// Its name, such as `tool` or `cost`.
    pub name: &'static str,
    /// What passes it is left out.
    pub negated: bool,
    /// What it asks for.
    #[serde(flatten)]
    pub condition: FilterCondition,
}

/// What a filter asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FilterCondition {
    /// One of these names; `*` stands for any letters.
    Names {
        /// The names.
        values: Vec<String>,
    },
    /// A number that compares like this with a limit.
    Number {
        /// `<`, `<=`, `>` or `>=`.
        than: &'static str,
        /// The limit: dollars, tokens, or milliseconds.
        value: f64,
    },
}

/// What is wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueryMistake {
    /// What is wrong, in one sentence.
    pub sentence: String,
    /// The place in the query, in UTF-16 code units from 0.
    pub at: usize,
}

/// Says why a regular expression is not valid, `""` if that is not known; `None` where it is valid.
pub type CheckPattern<'a> = dyn FnMut(&str) -> Option<String> + 'a;

/// Reads a query.
///
/// # Errors
/// The first mistake in it.
pub fn parse_query(
    text: &str,
    options: QueryOptions,
    check: &mut CheckPattern<'_>,
) -> Result<ParsedQuery, QueryMistake> {
    let query = ParsedQuery::default();
    let reader = QueryReader { text, options, check, query, at: 0, phrase: None, broken: false };
    reader.read()
}

/// Does a name match, where `*` stands for any letters? Case does not matter.
pub(crate) fn matches_name(pattern: &str, name: &str) -> bool {
    let (pattern, whole) = (pattern.to_lowercase(), name.to_lowercase());
    let mut pieces: Vec<&str> = pattern.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    let Some((first, middle)) = pieces.split_first() else { return whole == last };
    let Some(rest) = whole.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    let mut rest = rest;
    middle.iter().all(|piece| match rest.split_once(piece) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// White space as `\s` of JavaScript.
fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// The bytes of a text before its first character for which this holds, or all.
fn length_until(text: &str, mut ends: impl FnMut(char) -> bool) -> usize {
    text.char_indices().find(|(_, c)| ends(*c)).map_or(text.len(), |(at, _)| at)
}

/// Does a term end here?
fn is_end(rest: &str) -> bool {
    rest.chars().next().is_none_or(is_space)
}

fn start(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// The words so far of the phrase that is being read, and where it begins.
struct Phrase {
    text: String,
    at: usize,
}

struct QueryReader<'a, 'c, 'f> {
    text: &'a str,
    options: QueryOptions,
    check: &'c mut CheckPattern<'f>,
    query: ParsedQuery,
    /// What was read, in bytes.
    at: usize,
    phrase: Option<Phrase>,
    /// True after a filter: the phrase continues, without the white space that stands here.
    broken: bool,
}

impl<'a> QueryReader<'a, '_, '_> {
    fn read(mut self) -> Result<ParsedQuery, QueryMistake> {
        if self.text.encode_utf16().nth(LONGEST).is_some() {
            let sentence = "A query has at most 2000 characters.".to_owned();
            return Err(QueryMistake { sentence, at: LONGEST });
        }
        loop {
            let length = length_until(self.rest(), |c| !is_space(c));
            let space = self.rest().get(..length).unwrap_or_default();
            self.at += length;
            if self.at >= self.text.len() {
                break;
            }
            if !self.quoted()? && !self.pattern()? && !self.filter()? {
                self.word(space);
            }
        }
        self.end_phrase()?;
        Ok(self.query)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// A mistake at an offset in bytes.
    fn mistake(&self, pieces: &[&str], at: usize) -> QueryMistake {
        let before = self.text.get(..at).unwrap_or(self.text);
        QueryMistake { sentence: pieces.concat(), at: before.encode_utf16().count() }
    }

    /// Quotation marks count only around a whole term, so that `{"a": 1}` is itself.
    fn quoted(&mut self) -> Result<bool, QueryMistake> {
        let Some(inner) = self.rest().strip_prefix('"') else { return Ok(false) };
        let mut text = String::new();
        let mut chars = inner.char_indices();
        let mut end = None;
        while let Some((at, c)) = chars.next() {
            if c == '"' {
                end = Some(at);
                break;
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let Some((_, escaped)) = chars.next() else { break };
            if !matches!(escaped, '"' | '\\') {
                text.push(c);
            }
            text.push(escaped);
        }
        let Some(end) = end.filter(|end| is_end(inner.get(end + 1..).unwrap_or_default())) else {
            if inner.contains('"') {
                return Ok(false);
            }
            return Err(self.mistake(&["This quotation mark is not closed."], self.at));
        };
        self.end_phrase()?;
        if !text.is_empty() {
            self.term(text, false, self.options.case_sensitive);
        }
        self.at += end + 2;
        Ok(true)
    }

    /// `/…/`, or `/…/i` for which case never matters; a path such as `/home/dev` is not one, for its second slash ends
    /// no term.
    fn pattern(&mut self) -> Result<bool, QueryMistake> {
        let Some(inner) = self.rest().strip_prefix('/') else { return Ok(false) };
        let (mut is_escaped, mut in_class) = (false, false);
        let end = length_until(inner, |c| {
            let ends = c == '/' && !is_escaped && !in_class;
            if !is_escaped && (in_class || c == '[') {
                in_class = c != ']';
            }
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let text = inner.get(..end).unwrap_or_default();
        let Some(behind) = inner.get(end + 1..).filter(|_| !text.is_empty()) else {
            return Ok(false);
        };
        let letters = length_until(behind, |c| !c.is_ascii_lowercase());
        let (flags, rest) = behind.split_at_checked(letters).unwrap_or_default();
        if !is_end(rest) || !flags.chars().all(|c| "dgimsuvy".contains(c)) {
            return Ok(false);
        }
        let flags_at = self.at + end + 2;
        if !matches!(flags, "" | "i") {
            let sentence =
                "The only flag of a regular expression is i; put a path in quotation marks.";
            return Err(self.mistake(&[sentence], flags_at));
        }
        self.end_phrase()?;
        self.check_pattern(text, self.at + 1)?;
        let case_sensitive = self.options.case_sensitive && flags.is_empty();
        self.term(text.to_owned(), true, case_sensitive);
        self.at = flags_at + flags.len();
        Ok(true)
    }

    fn filter(&mut self) -> Result<bool, QueryMistake> {
        let begin = self.at;
        let Some(head) = FilterHead::read(self.rest()) else { return Ok(false) };
        let example = head.example();
        if head.is_slip() {
            let pieces = ["Write ", example, ": a number is compared."];
            return Err(self.mistake(&pieces, begin));
        }
        let written = self.rest().get(..head.length).unwrap_or_default();
        self.at += head.length;
        let value_at = self.at;
        let value = self.value();
        let condition = match head.place {
            FilterPlace::Name(_) => {
                let values: Vec<String> =
                    value.split(',').filter(|v| !v.is_empty()).map(str::to_owned).collect();
                if values.is_empty() {
                    let pieces = ["A value is missing behind ", written, ", as in ", example, "."];
                    return Err(self.mistake(&pieces, self.at));
                }
                if let Some(sentence) = wrong_name(head.name(), example, &values) {
                    return Err(self.mistake(&[&sentence], value_at));
                }
                FilterCondition::Names { values }
            }
            FilterPlace::Number(place) => {
                let (.., unit, suffixes) = NUMBER_FILTERS.get(place).copied().unwrap_or_default();
                let Some(number) = amount(value, suffixes) else {
                    let shown = ["“", start(value, QUOTED), "”"].concat();
                    let shown = if value.is_empty() { "An empty value" } else { &shown };
                    let pieces = [shown, " is not an amount of ", unit, ", as in ", example, "."];
                    return Err(self.mistake(&pieces, value_at));
                };
                FilterCondition::Number { than: head.sign, value: number }
            }
        };
        let filter = QueryFilter { name: head.name(), negated: head.negated, condition };
        self.query.filters.push(filter);
        self.broken = true;
        Ok(true)
    }

    /// The value after the sign of a filter; in quotation marks it may have spaces.
    fn value(&mut self) -> &'a str {
        let rest = self.rest();
        let quoted = rest.strip_prefix('"').and_then(|inner| inner.split_once('"'));
        if let Some((inner, behind)) = quoted
            && is_end(behind)
        {
            self.at += inner.len() + 2;
            return inner;
        }
        let length = length_until(rest, is_space);
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn word(&mut self, space: &str) {
        let rest = self.rest();
        let (word, behind) =
            rest.split_at_checked(length_until(rest, is_space)).unwrap_or_default();
        if !self.options.regex && self.query.unknown.is_none() {
            self.query.unknown = unknown_in(word, behind).map(str::to_owned);
        }
        match &mut self.phrase {
            Some(phrase) => {
                phrase.text.push_str(if self.broken { " " } else { space });
                phrase.text.push_str(word);
            }
            None => self.phrase = Some(Phrase { text: word.to_owned(), at: self.at }),
        }
        self.broken = false;
        self.at += word.len();
    }

    fn end_phrase(&mut self) -> Result<(), QueryMistake> {
        let Some(Phrase { text, at }) = self.phrase.take() else { return Ok(()) };
        if self.options.regex {
            self.check_pattern(&text, at)?;
        }
        self.term(text, self.options.regex, self.options.case_sensitive);
        self.broken = false;
        Ok(())
    }

    fn term(&mut self, text: String, regex: bool, case_sensitive: bool) {
        self.query.terms.push(QueryTerm { text, regex, case_sensitive });
    }

    fn check_pattern(&mut self, text: &str, at: usize) -> Result<(), QueryMistake> {
        let Some(why) = (self.check)(text) else { return Ok(()) };
        let colon = if why.is_empty() { "" } else { ": " };
        Err(self.mistake(&["This is not a valid regular expression", colon, &why, "."], at))
    }
}

/// Which filter it is: an index into [`NAME_FILTERS`] or [`NUMBER_FILTERS`].
#[derive(Clone, Copy)]
enum FilterPlace {
    Name(usize),
    Number(usize),
}

/// How a filter begins: `-tool:`, `cost > `.
struct FilterHead {
    place: FilterPlace,
    negated: bool,
    sign: &'static str,
    /// Its length in bytes.
    length: usize,
}

/// The signs of filters; one that another begins with comes after it.
const SIGNS: [&str; 5] = [":", "<=", ">=", "<", ">"];

impl FilterHead {
    fn read(text: &str) -> Option<FilterHead> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let letters = length_until(unsigned, |c| !c.is_ascii_alphabetic());
        let (name, rest) = unsigned.split_at_checked(letters)?;
        let of = |other: &str| other.eq_ignore_ascii_case(name);
        let numbers = NUMBER_FILTERS.iter().position(|(name, ..)| of(name));
        let names = NAME_FILTERS.iter().position(|(name, _)| of(name));
        let place = names.map(FilterPlace::Name).or(numbers.map(FilterPlace::Number))?;
        let negated = unsigned.len() < text.len();
        let signed = SIGNS.iter().find_map(|sign| Some((*sign, rest.strip_prefix(sign)?)));
        let (sign, behind) = match (signed, place) {
            (Some(found), _) => found,
            (None, FilterPlace::Number(_)) => spaced_sign(rest)?,
            (None, FilterPlace::Name(_)) => return None,
        };
        // `tool>3` is text.
        if matches!(place, FilterPlace::Name(_)) && sign != ":" {
            return None;
        }
        let behind = match place {
            FilterPlace::Number(_) if begins_number(trimmed(behind)) && signed.is_none() => {
                trimmed(behind)
            }
            _ => behind,
        };
        Some(FilterHead { place, negated, sign, length: text.len() - behind.len() })
    }

    /// Is it `cost:3` or `cost=3`, the slip of one who knows that there is such a filter?
    fn is_slip(&self) -> bool {
        matches!(self.place, FilterPlace::Number(_)) && matches!(self.sign, ":" | "=")
    }

    fn name(&self) -> &'static str {
        self.words().0
    }

    fn example(&self) -> &'static str {
        self.words().1
    }

    fn words(&self) -> (&'static str, &'static str) {
        match self.place {
            FilterPlace::Name(place) => NAME_FILTERS.get(place).copied(),
            FilterPlace::Number(place) => {
                NUMBER_FILTERS.get(place).map(|(name, example, ..)| (*name, *example))
            }
        }
        .unwrap_or_default()
    }
}

/// Around the sign of a number there may be spaces, where a number follows: the sign, and what is behind it.
fn spaced_sign(rest: &str) -> Option<(&'static str, &str)> {
    if let Some(behind) = rest.strip_prefix('=') {
        return begins_number(behind).then_some(("=", behind));
    }
    let rest = trimmed(rest);
    let signs = SIGNS.iter().skip(1);
    let (sign, behind) = { signs }.find_map(|sign| Some((*sign, rest.strip_prefix(sign)?)))?;
    begins_number(trimmed(behind)).then_some((sign, behind))
}

fn trimmed(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

fn begins_number(text: &str) -> bool {
    text.starts_with(|c: char| matches!(c, '$' | '.' | '0'..='9'))
}

/// What is wrong with one of a filter's names.
fn wrong_name(filter: &str, example: &str, values: &[String]) -> Option<String> {
    let allowed = match filter {
        "status" => STATUSES.get(1..).unwrap_or_default(),
        "role" => ROLES,
        "exit" => {
            let wrong = values.iter().find(|value| !is_exit(value))?;
            let pieces = ["“", start(wrong, QUOTED), "” is not an exit code, as in ", example, "."];
            return Some(pieces.concat());
        }
        _ => return None,
    };
    let is_allowed = |value: &&String| allowed.iter().any(|name| name.eq_ignore_ascii_case(value));
    let unknown = values.iter().find(|value| !is_allowed(value))?;
    let (last, others) = allowed.split_last()?;
    let list = [&others.join(", "), " or ", last].concat();
    Some(["There is no ", filter, " “", start(unknown, QUOTED), "”: it is ", &list, "."].concat())
}

fn is_exit(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    (1..=10).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Dollars, tokens, or milliseconds.
fn amount(value: &str, suffixes: &[Suffix]) -> Option<f64> {
    // Only dollars have no suffix.
    let number = match value.strip_prefix('$') {
        Some(rest) if suffixes.len() == 1 => rest,
        Some(_) => return None,
        None => value,
    };
    let (digits, suffix) =
        number.split_at_checked(length_until(number, |c| c.is_ascii_alphabetic()))?;
    let (_, power, factor) =
        suffixes.iter().find(|(name, ..)| name.eq_ignore_ascii_case(suffix))?;
    let powers = ["e0", "", "", "e3", "e4", "e5", "e6"];
    let scaled = [digits, powers.get(*power as usize)?].concat();
    let is_amount = |number: &f64| number.is_finite() && !digits.starts_with('-');
    let number = parse(&scaled).filter(is_amount)?;
    Some(number * f64::from(*factor))
}

/// What stands before the colon of `foo:bar`, and of a `foo:` that nothing follows; not in an address, a path or a name
/// of code (`https://…`, `c:\…`, `std::fs`), nor where a sentence goes on: `error: no`.
fn unknown_in<'a>(word: &'a str, behind: &str) -> Option<&'a str> {
    let (name, value) = word.strip_prefix('-').unwrap_or(word).split_once(':')?;
    let is_name = name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_' | '-'));
    let is_code = value.starts_with(['/', ':', '\\']);
    let is_over = !value.is_empty() || trimmed(behind).is_empty();
    (is_name && !is_code && is_over).then_some(name)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
