//! The bodies of here-documents.

use super::letters::{has_any, until};
use super::parser::{Input, NotParsed, Parser, PendingDocument};
use super::word::ShellWord;

impl Parser<'_, '_> {
    /// Takes a line feed, and the bodies of the here-documents that were announced before it.
    pub(crate) fn line_feed(&mut self) -> Result<(), NotParsed> {
        self.skip(1);
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
        let mut text = String::new();
        loop {
            if self.at >= self.source.len() {
                return Err(NotParsed);
            }
            // In a body that is expanded, an escaped line feed joins two lines to one, also to one that ends
            // the body.
            let mut line = String::new();
            let mut has_feed;
            loop {
                let rest = self.rest_raw();
                let piece = until(rest, "\n");
                has_feed = piece.len() < rest.len();
                let escapes = piece.len() - piece.trim_end_matches('\\').len();
                let is_joined = !document.is_literal && escapes % 2 == 1 && has_feed;
                line.push_str(piece.get(..piece.len() - usize::from(is_joined)).unwrap_or(piece));
                let length = piece.len() + usize::from(is_joined);
                self.at += length;
                if !is_joined {
                    break;
                }
            }
            let line = if document.strips_tabs { line.trim_start_matches('\t') } else { &line };
            if line == document.delimiter {
                break;
            }
            // In a command substitution bash takes this for the end, and reads on behind the delimiter.
            let behind = line.strip_prefix(document.delimiter.as_str());
            if self.substitutions > 0 && behind.is_some_and(|behind| has_any(behind, ")")) {
                return Err(NotParsed);
            }
            text.push_str(line);
            text.push('\n');
            self.at += usize::from(has_feed);
        }
        let source = self.from(start);
        let mut word = ShellWord::default();
        if !document.is_literal {
            let mut parser = Parser::new(&text, self.depth, self.out);
            parser.is_document = true;
            // It is expanded before what stands before it in the text.
            parser.scope = usize::MAX;
            parser.nested(|parser| parser.expanded_text(&mut word, None))?;
        }
        if let Some(command) = document.command.and_then(|at| self.out.commands.get_mut(at)) {
            command.text.push('\n');
            command.text.push_str(source);
            let is_literal = document.is_literal || !word.expands;
            let text = if document.is_literal { text } else { word.text };
            Input { text, is_literal, is_piped: false }.join(&mut command.input);
        }
        Ok(())
    }
}
