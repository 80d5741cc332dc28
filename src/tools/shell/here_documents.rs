//! The bodies of here-documents.

use super::parser::{Input, NotParsed, Parser, PendingDocument};
use super::word::ShellWord;

impl Parser<'_, '_> {
    /// Takes a line feed, and the bodies of the here-documents that were announced before it.
    pub(crate) fn line_feed(&mut self) -> Result<(), NotParsed> {
        self.at += 1;
        for (at, document) in std::mem::take(&mut self.pending).iter().enumerate() {
            if at > 0 {
                self.takes("\n");
            }
            self.body(document)?;
        }
        Ok(())
    }

    /// Skips blanks, comments and line feeds.
    pub(crate) fn line_feeds(&mut self) -> Result<(), NotParsed> {
        self.blanks();
        while self.peek() == b'\n' {
            self.line_feed()?;
            self.blanks();
        }
        Ok(())
    }

    fn body(&mut self, document: &PendingDocument) -> Result<(), NotParsed> {
        let start = self.at;
        // In a body that is expanded, an escaped line feed joins two lines to one.
        let mut is_joined = false;
        let mut text = String::new();
        loop {
            if self.is_at_end() {
                return Err(NotParsed);
            }
            let rest = self.rest();
            let line = rest.split('\n').next().unwrap_or_default();
            let length = line.len();
            let has_feed = length < rest.len();
            let shown = if document.strips_tabs { line.trim_start_matches('\t') } else { line };
            let is_end = !is_joined && shown == document.delimiter;
            if !is_end {
                text.push_str(shown);
                text.push('\n');
            }
            let escapes = line.len() - line.trim_end_matches('\\').len();
            is_joined = !document.is_literal && escapes % 2 == 1;
            self.at += length;
            if is_end {
                break;
            }
            self.at += usize::from(has_feed);
        }
        let source = self.from(start).to_owned();
        let mut word = ShellWord::default();
        if !document.is_literal {
            let mut parser = Parser::new(&text, self.depth, self.out);
            parser.nested(|parser| parser.expanded_text(&mut word, None))?;
        }
        if let Some(command) = document.command.and_then(|at| self.out.commands.get_mut(at)) {
            command.text.push('\n');
            command.text.push_str(&source);
            let is_literal = document.is_literal || !word.expands;
            let text = if document.is_literal { text } else { word.text };
            Input { text, is_literal }.join(&mut command.input);
        }
        Ok(())
    }
}
