//! What a change of the history costs with a prompt cache, and when it pays.

use super::config::Prices;

/// The cost of a change, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CacheCost {
    /// The tokens before the change, which stay in the cache.
    pub prefix: f64,
    /// The tokens after it, which must be written to the cache again.
    pub rewritten: f64,
    /// The tokens that each further request saves.
    pub saved: f64,
    /// After so many further requests it has paid; `None` if it never does.
    pub break_even: Option<f64>,
}

impl CacheCost {
    pub(super) fn new(prefix: f64, rewritten: f64, saved: f64, prices: &Prices) -> CacheCost {
        let (once, each) =
            (rewritten * (prices.cache_write - prices.cache_read), saved * prices.cache_read);
        let break_even = (each > 0.0).then(|| (once / each).ceil().max(0.0));
        CacheCost { prefix, rewritten, saved, break_even }
    }
}
