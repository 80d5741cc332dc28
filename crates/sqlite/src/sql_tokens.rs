//! The tokens of `CREATE TABLE` and `CREATE INDEX`.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SqlToken<'a> {
    /// A word that is not quoted: a keyword or a name.
    Word(&'a str),
    /// A number without a sign.
    Number(&'a str),
    /// What stands in these quotes, without them: a text in `'`, else a name; either may be the other.
    Quoted(char, &'a str),
    /// Any other character.
    Mark(char),
}

impl SqlToken<'_> {
    /// Is it this keyword?
    pub(crate) fn is(self, keyword: &str) -> bool {
        matches!(self, SqlToken::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    /// Is it one of these keywords?
    pub(crate) fn is_any(self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }

    /// The name or the text that it is.
    pub(crate) fn name(self) -> Option<String> {
        match self {
            SqlToken::Word(word) => Some(word.to_owned()),
            SqlToken::Quoted(']', name) => Some(name.to_owned()),
            SqlToken::Quoted(quote, name) => {
                let mut plain = String::with_capacity(name.len());
                // Of each pair of quotes the first is left out.
                let mut is_first = false;
                for c in name.chars() {
                    is_first = c == quote && !is_first;
                    if !is_first {
                        plain.push(c);
                    }
                }
                Some(plain)
            }
            SqlToken::Number(_) | SqlToken::Mark(_) => None,
        }
    }
}

/// What SQLite takes for white space.
fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
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

/// The length of the number that a text begins with: digits, a fraction, an exponent; or hexadecimal digits.
fn number_length(text: &str) -> usize {
    let mut last = ' ';
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let end = text.find(|c: char| {
        let is_sign = matches!(c, '+' | '-') && matches!(last, 'e' | 'E') && !is_hex;
        last = c;
        !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || is_sign)
    });
    end.unwrap_or(text.len())
}

/// The tokens of a text, without white space and comments.
pub(crate) fn sql_tokens<'a>(sql: &'a str) -> Vec<SqlToken<'a>> {
    let mut tokens = Vec::new();
    let mut rest = sql.trim_start_matches(is_space);
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        let mut take = |length: usize, token: fn(&'a str) -> SqlToken<'a>| match rest
            .split_at_checked(length)
        {
            Some((own, after)) => {
                tokens.push(token(own));
                after
            }
            None => after,
        };
        rest = if rest.starts_with("--") {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if rest.starts_with("/*") {
            after.get(1..).and_then(|rest| rest.split_once("*/")).map_or("", |(_, after)| after)
        } else if matches!(first, '"' | '`' | '[' | '\'') {
            let quote = if first == '[' { ']' } else { first };
            let (text, after) = quoted(after, quote);
            tokens.push(SqlToken::Quoted(quote, text));
            after
        } else if first.is_ascii_digit()
            || first == '.' && after.starts_with(|c: char| c.is_ascii_digit())
        {
            take(number_length(rest), SqlToken::Number)
        } else {
            let is_part =
                |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii();
            match rest.find(|c| !is_part(c)).unwrap_or(rest.len()) {
                0 => {
                    tokens.push(SqlToken::Mark(first));
                    after
                }
                end => take(end, SqlToken::Word),
            }
        }
        .trim_start_matches(is_space);
    }
    tokens
}

/// The definitions between the first parentheses, and what follows them.
pub(crate) fn definitions<'t, 'a>(
    tokens: &'t [SqlToken<'a>],
) -> (Vec<&'t [SqlToken<'a>]>, &'t [SqlToken<'a>]) {
    let (mut depth, mut from) = (0_u32, 0);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            SqlToken::Mark('(') => {
                depth += 1;
                if depth == 1 {
                    from = at + 1;
                }
            }
            SqlToken::Mark(end @ (')' | ',')) if depth == 1 => {
                found.push(tokens.get(from..at).unwrap_or_default());
                from = at + 1;
                if *end == ')' {
                    return (found, tokens.get(from..).unwrap_or_default());
                }
            }
            SqlToken::Mark(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if depth > 0 {
        found.push(tokens.get(from..).unwrap_or_default());
    }
    (found, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_in_four_ways() {
        let names =
            |sql: &str| -> Vec<_> { sql_tokens(sql).into_iter().map(SqlToken::name).collect() };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(
            names("a \"b \"\" c\" `d``\"\"` [e \"\"`]"),
            [some("a"), some("b \" c"), some("d`\"\""), some("e \"\"`")]
        );
        assert_eq!(names("'it''s' '''' ''''''"), [some("it's"), some("'"), some("''")]);
        assert_eq!(names("größe\u{a0}_1$"), [some("größe\u{a0}_1$")]);
        assert_eq!(names("\"open"), [some("open")]);
        assert_eq!(names(""), []);
    }

    #[test]
    fn comments_and_numbers() {
        use SqlToken::{Mark, Number, Word};
        assert_eq!(sql_tokens("a--x\nb/* ( */c/*/d"), [Word("a"), Word("b"), Word("c")]);
        assert_eq!(
            sql_tokens("-1.5e-7,.5+0xFFe-1"),
            [
                Mark('-'),
                Number("1.5e-7"),
                Mark(','),
                Number(".5"),
                Mark('+'),
                Number("0xFFe"),
                Mark('-'),
                Number("1")
            ]
        );
    }

    #[test]
    fn definitions_end_at_their_parenthesis() {
        let tokens = sql_tokens("CREATE TABLE t (a, b(1, 2), c) STRICT");
        let (found, rest) = definitions(&tokens);
        assert_eq!(found.iter().map(|one| one.len()).collect::<Vec<_>>(), [1, 6, 1]);
        assert_eq!(rest, [SqlToken::Word("STRICT")]);
        assert_eq!(definitions(&sql_tokens("a")).0.len(), 0);
        assert_eq!(definitions(&sql_tokens("(a, (b")).0.len(), 2);
        assert_eq!(definitions(&sql_tokens(")))")).0.len(), 0);
    }
}
