//! Redirects.

use super::parser::{Input, NotParsed, Parser, PendingDocument, RedirectSource, SimpleCommand};

/// Longest first.
const OPERATORS: &[&str] =
    &["<<<", "<<-", "<<", "<&", "<>", "<", "&>>", "&>", ">>", ">&", ">|", ">"];

impl Parser<'_, '_> {
    /// A redirect, if one begins here; of a command, which is at this place of the script, or of none.
    pub(crate) fn redirect(
        &mut self,
        owner: Option<(&mut SimpleCommand, usize)>,
    ) -> Result<Option<RedirectSource>, NotParsed> {
        let rest = self.rest();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let behind = match rest.strip_prefix('{').map(|rest| rest.trim_start_matches(is_name)) {
            Some(behind) if behind.starts_with('}') => behind.trim_start_matches('}'),
            _ => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        };
        let Some(op) = OPERATORS.iter().find(|op| behind.starts_with(**op)) else {
            return Ok(None);
        };
        let is_numbered = behind.len() < rest.len();
        let is_process = op.len() == 1 && behind.get(1..).is_some_and(|b| b.starts_with('('));
        if is_process || (is_numbered && op.starts_with('&')) {
            return Ok(None);
        }
        self.at += rest.len() - behind.len() + op.len();
        self.blanks();
        let target = self.word()?;
        if target.raw.is_empty() {
            return Err(NotParsed);
        }
        let (owner, command) = match owner {
            Some((owner, command)) => (Some(owner), Some(command)),
            None => (None, None),
        };
        if matches!(*op, "<<" | "<<-") {
            if target.expands || target.text.contains('\n') {
                return Err(NotParsed);
            }
            self.pending.push(PendingDocument {
                delimiter: target.text.clone(),
                strips_tabs: *op == "<<-",
                is_literal: target.quoted,
                command,
            });
        } else if let Some(owner) = owner.filter(|_| op.starts_with('<')) {
            let is_text = *op == "<<<";
            let text = if is_text { target.text.clone() } else { String::new() };
            let is_literal = is_text && target.is_literal();
            Input { text, is_literal }.join(&mut owner.input);
        }
        Ok(Some(RedirectSource { op: (*op).to_owned(), target }))
    }
}
