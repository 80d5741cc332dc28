//! [`AskedText`]: the first request of a run that is more than a command for the program.

use super::transcript_summary::SummaryText;

/// The first request; one that is a command is passed over if nothing came of it before the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskedText {
    /// The first of all.
    first: Option<SummaryText>,
    /// The one that counts so far, if it is another.
    asked: Option<SummaryText>,
    /// The last that may count is a command, of which nothing has come yet.
    is_open: bool,
}

/// Is it a command, as `/review src`? A path is none.
fn is_command(text: &str) -> bool {
    let Some(command) = text.trim_start().strip_prefix('/') else { return false };
    let name = command.split(char::is_whitespace).next().unwrap_or_default();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    !name.is_empty() && name.chars().all(is_of_name)
}

impl AskedText {
    /// A person asks something.
    pub(crate) fn request(&mut self, text: impl FnOnce() -> SummaryText) {
        if self.first.is_some() && !self.is_open {
            return;
        }
        let text = text();
        self.is_open = is_command(&text.text);
        if self.first.is_none() {
            self.first = Some(text);
        } else {
            self.asked = Some(text);
        }
    }

    /// The model said something, or called a tool.
    pub(crate) fn answered(&mut self) {
        self.is_open = false;
    }

    /// The request that counts; the first of all where nothing came of any.
    pub(crate) fn first(&self) -> Option<SummaryText> {
        self.asked.as_ref().filter(|_| !self.is_open).or(self.first.as_ref()).cloned()
    }
}

/// The first line of a request that says something; behind the line `mark`, if it has one.
pub(crate) fn first_line<'a>(asked: &'a str, mark: Option<&str>) -> Option<&'a str> {
    let mut lines = asked.lines().map(str::trim);
    let marked = mark.is_some_and(|mark| lines.any(|line| line == mark));
    let mut lines = if marked { lines } else { asked.lines().map(str::trim) };
    lines.find(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(said: &[&str]) -> String {
        let mut asked = AskedText::default();
        for text in said {
            match text.strip_prefix("< ") {
                Some(_) => asked.answered(),
                None => asked
                    .request(|| SummaryText { text: (*text).to_owned(), ..SummaryText::default() }),
            }
        }
        asked.first().unwrap_or_default().text
    }

    #[test]
    fn a_command_without_an_answer_is_passed_over() {
        for (said, first) in [
            (&["/mode", "Fix it", "< Done"][..], "Fix it"),
            (&["/mode", "/clear all", "Fix it"], "Fix it"),
            (&["/review src", "< Good", "Thanks"], "/review src"),
            (&["/mode", "/review src", "< Good"], "/review src"),
            (&["/mode", "/clear"], "/mode"),
            (&["/home/dev is full", "Fix it"], "/home/dev is full"),
            (&["/", "Fix it"], "/"),
            (&["Fix it", "/mode"], "Fix it"),
            (&[], ""),
        ] {
            assert_eq!(asked(said), first, "{said:?}");
        }
    }

    #[test]
    fn a_run_is_called_by_the_first_line_of_what_was_asked() {
        let issue = "Here is the issue:\nISSUE:\n\nIt breaks\nbadly";
        for (asked, mark, line) in [
            ("\n Fix it \nnow", None, Some("Fix it")),
            (issue, Some("ISSUE:"), Some("It breaks")),
            (issue, None, Some("Here is the issue:")),
            ("Fix it", Some("ISSUE:"), Some("Fix it")),
            ("ISSUE:\n ", Some("ISSUE:"), None),
            (" \n", None, None),
        ] {
            assert_eq!(first_line(asked, mark), line, "{asked}");
        }
    }
}
