//! [`TokenCounts`]: the tokens of a step, a message or a session.

use apex_parts_json::writer::ObjectWriter;

/// Tokens in disjoint counts: no token is in two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TokenCounts {
    /// Tokens that the model read and that no cache had.
    pub input: f64,
    /// Tokens that it wrote, without those of reasoning.
    pub output: f64,
    /// Tokens of its reasoning.
    pub reasoning: f64,
    /// Tokens that it read from a cache.
    pub read: f64,
    /// Tokens that were written into a cache.
    pub write: f64,
    /// All tokens, where the file has a sum of its own.
    pub total: Option<f64>,
}

/// A valid count of tokens, or a valid cost: finite and not negative (BR-13).
pub fn count(value: f64) -> f64 {
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

impl TokenCounts {
    /// Adds the tokens of another step.
    pub fn add(&mut self, other: TokenCounts) {
        self.input += count(other.input);
        self.output += count(other.output);
        self.reasoning += count(other.reasoning);
        self.read += count(other.read);
        self.write += count(other.write);
        if let Some(total) = other.total {
            self.total = Some(self.total.unwrap_or(0.0) + count(total));
        }
    }

    /// The same, each a valid count.
    #[must_use]
    pub fn counted(self) -> TokenCounts {
        let TokenCounts { input, output, reasoning, read, write, total } = self;
        let [input, output, reasoning] = [input, output, reasoning].map(count);
        let (read, write) = (count(read), count(write));
        TokenCounts { input, output, reasoning, read, write, total: total.map(count) }
    }

    /// Writes the fields of `tokens`.
    pub fn write(self, out: &mut ObjectWriter<'_>) {
        if let Some(total) = self.total {
            out.number("total", count(total));
        }
        out.number("input", count(self.input)).number("output", count(self.output));
        out.number("reasoning", count(self.reasoning));
        out.object("cache", |cache| {
            cache.number("read", count(self.read)).number("write", count(self.write));
        });
    }
}
