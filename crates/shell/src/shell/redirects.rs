//! Redirects.

use super::letters::{begins, ends, has_any, owned};
use super::parser::{
    CodePlace, Input, NotParsed, Parser, PendingDocument, RedirectSource, SimpleCommand,
};
use super::word::ShellWord;

/// Longest first.
const OPERATORS: &[&str] =
    &["<<<", "<<-", "<<", "<&", "<>", "<", "&>>", "&>", ">>", ">&", ">|", ">"];

impl Parser<'_, '_> {
    /// A redirect, if one begins here; of a command, which is at this place of the script, or of none.
    pub(crate) fn redirect(
        &mut self,
        owner: Option<(&mut SimpleCommand, usize)>,
    ) -> Result<Option<RedirectSource>, NotParsed> {
        let first = self.peek();
        if !first.is_ascii_digit() && !b"<>&{".contains(&first) {
            return Ok(None);
        }
        let start = self.at;
        let is_name = self.peek() == b'{';
        let mut descriptor = String::new();
        if is_name {
            self.skip(1);
            descriptor = self.name();
            // A subscript here may be that of a descriptor, which is arithmetic.
            if self.peek() == b'[' {
                return Err(NotParsed);
            }
            if !self.takes("}") {
                self.at = start;
                return Ok(None);
            }
        } else {
            while self.peek().is_ascii_digit() {
                self.skip(1);
            }
        }
        let is_numbered = self.at > start;
        let Some(op) = OPERATORS.iter().find(|op| self.takes(op)) else {
            self.at = start;
            return Ok(None);
        };
        let is_process = op.len() == 1 && self.peek() == b'(';
        if is_process || (is_numbered && begins(op, "&")) {
            self.at = start;
            return Ok(None);
        }
        self.blanks();
        // The hyphen that closes a descriptor is a word, whatever follows.
        let target =
            if ends(op, "&") && self.takes("-") { ShellWord::plain("-") } else { self.word()? };
        // A number before another redirect is a part of that.
        let is_number = target.raw.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && (target.raw.is_empty() || matches!(self.peek(), b'<' | b'>')) {
            return Err(NotParsed);
        }
        // Bash expands this one twice.
        if *op == ">&" {
            self.out.is_evaluated |= !target.expands && has_any(&target.text, "$`");
            self.out.is_evaluated |= has_any(&target.bare, "$`");
            if target.expands {
                self.evaluate(&target.text);
            }
        }
        if is_name {
            self.out.named.push(descriptor);
        }
        let (owner, command) = match owner {
            Some((owner, command)) => (Some(owner), Some(command)),
            None => (None, None),
        };
        if matches!(*op, "<<" | "<<-") {
            // Bash only removes its quotes, and decodes nothing.
            let is_odd = has_any(&target.raw, "$`(") && !is_single(&target.raw);
            if target.expands || has_any(&target.text, "\n") || is_odd {
                return Err(NotParsed);
            }
            self.pending.push(PendingDocument {
                delimiter: target.text.clone(),
                strips_tabs: *op == "<<-",
                is_literal: target.quoted,
                command,
            });
        } else if let Some(owner) = owner.filter(|_| begins(op, "<")) {
            let is_text = *op == "<<<";
            let text = if is_text { target.text.clone() } else { String::new() };
            let is_literal = is_text && target.is_literal();
            Input { text, is_literal, is_piped: false }.join(&mut owner.input);
        }
        let place = CodePlace::default();
        Ok(Some(RedirectSource { op: owned(op), target, place }))
    }
}

/// Is it one text in single quotes?
fn is_single(raw: &str) -> bool {
    let inner = raw.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inner.is_some_and(|inner| !has_any(inner, "'"))
}
