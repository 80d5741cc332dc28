//! The tokens of `CREATE TABLE`.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SqlToken<'a> {
    /// A word that is not quoted: a keyword, a name or a number.
    Word(&'a str),
    /// A name in `"`, `` ` `` or `[]`, without them.
    Name(&'a str),
    /// A text in `'`, without them. It may be a name too.
    Text(&'a str),
    /// Any other character.
    Mark(char),
}

impl SqlToken<'_> {
    /// Is it this keyword?
    pub(crate) fn is(self, keyword: &str) -> bool {
        matches!(self, SqlToken::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    /// The name that it is.
    pub(crate) fn name(self) -> Option<String> {
        match self {
            SqlToken::Word(word) => Some(word.to_owned()),
            SqlToken::Name(name) => Some(name.replace("\"\"", "\"").replace("``", "`")),
            SqlToken::Text(text) => Some(text.replace("''", "'")),
            SqlToken::Mark(_) => None,
        }
    }
}

/// What stands in quotes, whose end is doubled where it belongs to the text, and what follows.
fn quoted(rest: &str, end: char) -> (&str, &str) {
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|rest| rest.find(end)) {
        let at = from + at;
        let after = rest.get(at + 1..).unwrap_or_default();
        if end == ']' || !after.starts_with(end) {
            return (rest.get(..at).unwrap_or_default(), after);
        }
        from = at + 2;
    }
    (rest, "")
}

/// The tokens of a text, without white space and comments.
pub(crate) fn sql_tokens(sql: &str) -> Vec<SqlToken<'_>> {
    let mut tokens = Vec::new();
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        rest = if rest.starts_with("--") {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map_or("", |(_, after)| after)
        } else if matches!(first, '"' | '`' | '[' | '\'') {
            let (text, after) = quoted(after, if first == '[' { ']' } else { first });
            tokens.push(match first {
                '\'' => SqlToken::Text(text),
                _ => SqlToken::Name(text),
            });
            after
        } else {
            let is_part =
                |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.') || !c.is_ascii();
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            if end == 0 {
                tokens.push(SqlToken::Mark(first));
                after
            } else {
                tokens.push(SqlToken::Word(rest.get(..end).unwrap_or_default()));
                rest.get(end..).unwrap_or_default()
            }
        }
        .trim_start();
    }
    tokens
}
