//! Preformatted text as a fenced code block.

use super::attributes::Attributes;
use super::writer::{Writer, longest_run};

/// The longest name of a language after a fence.
const LONGEST_LANGUAGE: usize = 40;

/// Code that is being read.
#[derive(Default)]
pub(super) struct CodeBlock {
    /// How many elements are open that keep white space; none means that there is no code here.
    pub(super) depth: u32,
    /// The code so far.
    pub(super) text: String,
    pub(super) language: String,
}

impl CodeBlock {
    /// The language by the class of `pre` or `code`, if none is known.
    pub(super) fn find_language(&mut self, attributes: &Attributes<'_>) {
        if self.depth == 0 || !self.language.is_empty() {
            return;
        }
        let class = attributes.get("class").unwrap_or_default();
        let is_name =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '#' | '_' | '.');
        let words = class.split_ascii_whitespace();
        let mut names = words.filter_map(|word| {
            word.strip_prefix("language-").or_else(|| word.strip_prefix("lang-"))
        });
        let name = names.find(|n| n.len() <= LONGEST_LANGUAGE && n.chars().all(is_name));
        self.language.push_str(name.unwrap_or_default());
    }

    /// Writes a text between fences that are longer than any in it.
    pub(super) fn write(&self, text: &str, writer: &mut Writer) {
        let sign = "`".repeat((longest_run(text) + 1).max(3));
        writer.begin();
        writer.out.push_str(&sign);
        writer.out.push_str(&self.language);
        for line in text.split('\n') {
            writer.line(line.is_empty());
            writer.out.push_str(line);
        }
        writer.line(false);
        writer.out.push_str(&sign);
    }
}
