//! The limits of a model, the settings, and when a context is full.

use apex_parts_model::{Error, Key, Kind, View};

/// What a model takes, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelLimits {
    /// The whole context; 0 if it is not known.
    pub context: f64,
    /// The most input, where the model limits it by itself.
    pub input: Option<f64>,
    /// The most output.
    pub output: Option<f64>,
}

/// How tokens of a text are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Estimator {
    /// A quarter of the UTF-16 length: the same cuts as OpenCode.
    #[default]
    Chars,
    /// By classes of characters: closer to what tokenizers count.
    Classes,
}

/// What a token costs, in any unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Of input that is not cached.
    pub input: f64,
    /// Of input read from the prompt cache.
    pub cache_read: f64,
    /// Of input written to the prompt cache.
    pub cache_write: f64,
}

/// The settings of compaction; `snake_case` names of JavaScript are OpenCode's own.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactionConfig {
    /// False: a context never overflows.
    pub auto: bool,
    /// False: [`prune`](super::prune()) finds nothing.
    pub prune: bool,
    /// Tokens that are kept free; by default the smaller of 20,000 and the model's output.
    pub reserved: Option<f64>,
    /// The tokens at which the context overflows, instead of [`usable`].
    pub threshold: Option<f64>,
    /// At most so many recent turns stay verbatim; by default only the budget limits.
    pub tail_turns: Option<f64>,
    /// The budget of what stays verbatim; by default a quarter of [`usable`], between 2,000 and 15,000.
    pub preserve_recent_tokens: Option<f64>,
    /// So many tokens of the newest outputs are never cleared.
    pub protect: f64,
    /// Outputs are cleared if that saves more than so many tokens.
    pub minimum: f64,
    /// Outputs of so many recent turns are never cleared.
    pub protect_turns: f64,
    /// Outputs of these tools are never cleared.
    pub protected_tools: Vec<String>,
    /// The most characters (UTF-16 units) of one output in the request for a summary.
    pub tool_output_max: f64,
    /// Tokens of the user's own words that go verbatim with the summary.
    pub pin_user: f64,
    /// How tokens are counted.
    pub estimator: Estimator,
    /// What tokens cost.
    pub prices: Prices,
    /// `reserved` is subtracted also where the model has no limit of its own for input, as later versions of
    /// OpenCode do.
    pub subtract_reserved: bool,
    /// Tokens that are kept free by the rule of OpenCode 2, which holds instead of the others where this is given:
    /// of the context the larger of this and the output, of the model's limit for input this.
    pub buffer: Option<f64>,
}

impl Default for CompactionConfig {
    fn default() -> Self {
        CompactionConfig {
            auto: true,
            prune: false,
            reserved: None,
            threshold: None,
            tail_turns: None,
            preserve_recent_tokens: None,
            protect: 40_000.0,
            minimum: 20_000.0,
            protect_turns: 2.0,
            protected_tools: vec!["skill".to_owned()],
            tool_output_max: 2_000.0,
            pin_user: 2_000.0,
            estimator: Estimator::Chars,
            prices: Prices { input: 1.0, cache_read: 0.1, cache_write: 1.25 },
            subtract_reserved: false,
            buffer: None,
        }
    }
}

pub(super) fn bad_config(field: &str, message: String) -> Error {
    Error::compaction("bad_config", field, message)
}

/// A number of at least 0; `None` if it is not given.
fn amount<V: View>(of: &V, key: Key, within: &str) -> Result<Option<f64>, Error> {
    let value = of.get(key);
    if value.kind().is_nullish() {
        return Ok(None);
    }
    let number = value.number();
    if value.kind() == Kind::Number && number >= 0.0 {
        return Ok(Some(number));
    }
    let field = format!("{within}{}", key.as_str());
    let got = match value.kind() {
        Kind::Number => "a negative number",
        kind => kind.describe(),
    };
    Err(bad_config(&field, format!("`{field}` must be a finite number of at least 0, got {got}")))
}

fn flag<V: View>(of: &V, key: Key, default: bool) -> Result<bool, Error> {
    match of.get(key).kind() {
        kind if kind.is_nullish() => Ok(default),
        Kind::True => Ok(true),
        Kind::False => Ok(false),
        kind => {
            let name = key.as_str();
            Err(bad_config(
                name,
                format!("`{name}` must be true or false, got {}", kind.describe()),
            ))
        }
    }
}

fn expect_object<V: View>(value: &V, what: &str) -> Result<(), Error> {
    match value.kind() {
        kind if kind.is_nullish() || matches!(kind, Kind::Object | Kind::Exotic) => Ok(()),
        kind => {
            Err(bad_config(what, format!("`{what}` must be an object, got {}", kind.describe())))
        }
    }
}

/// The estimator that is named; the default if none is.
pub fn estimator_of<V: View>(options: &V) -> Result<Estimator, Error> {
    let value = options.get(Key::Estimator);
    match (value.kind(), value.text().as_deref()) {
        (kind, _) if kind.is_nullish() => Ok(Estimator::Chars),
        (_, Some("chars")) => Ok(Estimator::Chars),
        (_, Some("classes")) => Ok(Estimator::Classes),
        (kind, _) => {
            let message =
                format!("`estimator` must be \"chars\" or \"classes\", got {}", kind.describe());
            Err(bad_config("estimator", message))
        }
    }
}

impl ModelLimits {
    /// Reads `{limit: {context, input?, output?}}`.
    ///
    /// # Errors
    /// `CompactionError` (`bad_config`) if a limit is no finite number of at least 0, or there is none.
    pub fn read<V: View>(model: &V) -> Result<ModelLimits, Error> {
        let limit = model.get(Key::Limit);
        if limit.kind() != Kind::Object {
            let message =
                "`model` must be {limit: {context, input?, output?}}, in tokens".to_owned();
            return Err(bad_config("model", message));
        }
        let context = amount(&limit, Key::Context, "limit.")?.ok_or_else(|| {
            bad_config("limit.context", "`limit.context` is missing: the model's context".into())
        })?;
        let input = amount(&limit, Key::Input, "limit.")?;
        Ok(ModelLimits { context, input, output: amount(&limit, Key::Output, "limit.")? })
    }
}

impl CompactionConfig {
    /// Reads the settings; what is not given has its default, fields that are not known are ignored. With `keep` or
    /// `buffer` they are those of OpenCode 2.
    ///
    /// # Errors
    /// `CompactionError` (`bad_config`) with the field: a number that is negative, `NaN` or infinite, a value of
    /// another kind, or a field of OpenCode 1 that contradicts one of OpenCode 2.
    pub fn read<V: View>(config: &V) -> Result<CompactionConfig, Error> {
        expect_object(config, "config")?;
        let default = CompactionConfig::default();
        let number = |key: Key| amount(config, key, "");
        let second = second_rule(config)?;
        let prices = config.get(Key::Prices);
        expect_object(&prices, "prices")?;
        let price = |key: Key| amount(&prices, key, "prices.");
        Ok(CompactionConfig {
            auto: flag(config, Key::Auto, default.auto)?,
            prune: flag(config, Key::Prune, default.prune)?,
            reserved: number(Key::Reserved)?,
            threshold: number(Key::Threshold)?,
            tail_turns: number(Key::TailTurns)?,
            preserve_recent_tokens: match second {
                Some((_, keep)) => Some(keep),
                None => number(Key::PreserveRecentTokens)?,
            },
            protect: number(Key::Protect)?.unwrap_or(default.protect),
            minimum: number(Key::Minimum)?.unwrap_or(default.minimum),
            protect_turns: number(Key::ProtectTurns)?.unwrap_or(default.protect_turns),
            protected_tools: names(config)?.unwrap_or(default.protected_tools),
            tool_output_max: number(Key::ToolOutputMax)?.unwrap_or(default.tool_output_max),
            pin_user: number(Key::PinUser)?.unwrap_or(default.pin_user),
            estimator: estimator_of(config)?,
            prices: Prices {
                input: price(Key::Input)?.unwrap_or(default.prices.input),
                cache_read: price(Key::CacheRead)?.unwrap_or(default.prices.cache_read),
                cache_write: price(Key::CacheWrite)?.unwrap_or(default.prices.cache_write),
            },
            subtract_reserved: flag(config, Key::SubtractReserved, false)?,
            buffer: second.map(|(buffer, _)| buffer),
        })
    }

    /// The budget of what stays verbatim, in tokens.
    pub(super) fn tail_budget(&self, model: &ModelLimits) -> f64 {
        let quarter = (usable(model, self) / 4.0).floor().clamp(2_000.0, 15_000.0);
        self.preserve_recent_tokens.unwrap_or(quarter)
    }

    /// The budget of the turns that stay if the earliest ones are left out: half of the context, so that several
    /// steps fit before more have to go.
    pub(super) fn truncation_budget(&self, model: &ModelLimits) -> f64 {
        self.preserve_recent_tokens.unwrap_or_else(|| (self.limit(model) / 2.0).floor())
    }

    /// The tokens at which the context overflows.
    pub(super) fn limit(&self, model: &ModelLimits) -> f64 {
        self.threshold.unwrap_or_else(|| usable(model, self))
    }

    /// Does a context of so many tokens overflow?
    pub(super) fn overflows(&self, used: f64, model: &ModelLimits) -> bool {
        self.auto && model.context > 0.0 && used >= self.limit(model)
    }
}

/// The tokens that are kept free and those that stay verbatim where the settings are OpenCode 2's; none if they are not.
fn second_rule<V: View>(config: &V) -> Result<Option<(f64, f64)>, Error> {
    const BUFFER: f64 = 20_000.0;
    const KEEP: f64 = 15_000.0;
    let keep = config.get(Key::Keep);
    expect_object(&keep, "keep")?;
    let buffer = amount(config, Key::Buffer, "")?;
    if buffer.is_none() && keep.kind().is_nullish() {
        return Ok(None);
    }
    for key in [Key::Reserved, Key::PreserveRecentTokens] {
        if !config.get(key).kind().is_nullish() {
            let name = key.as_str();
            let message = format!(
                "`{name}` is a setting of OpenCode 1, and cannot stand beside `keep` or `buffer` of OpenCode 2"
            );
            return Err(bad_config(name, message));
        }
    }
    let keep = amount(&keep, Key::Tokens, "keep.")?;
    Ok(Some((buffer.unwrap_or(BUFFER), keep.unwrap_or(KEEP))))
}

/// The names of `protectedTools`.
fn names<V: View>(config: &V) -> Result<Option<Vec<String>>, Error> {
    /// More tools than any agent has.
    const MOST: usize = 100_000;
    let list = config.get(Key::ProtectedTools);
    if list.kind().is_nullish() {
        return Ok(None);
    }
    let (mut names, mut good) = (Vec::new(), list.kind() == Kind::Array);
    list.each(MOST, &mut |_, name| match name.text() {
        Some(name) => names.push(name.into_owned()),
        None => good = false,
    });
    if good {
        return Ok(Some(names));
    }
    let message = "`protectedTools` must be a list of tool names".to_owned();
    Err(bad_config("protectedTools", message))
}

/// The tokens of the context that a history can use.
///
/// ```
/// use apex_parts_compaction::{CompactionConfig, ModelLimits, usable};
/// let model = ModelLimits { context: 200_000.0, input: None, output: Some(8_000.0) };
/// assert_eq!(usable(&model, &CompactionConfig::default()), 192_000.0);
/// ```
#[must_use]
pub fn usable(model: &ModelLimits, config: &CompactionConfig) -> f64 {
    const MOST_OUTPUT: f64 = 32_000.0;
    const RESERVED: f64 = 20_000.0;
    if model.context <= 0.0 {
        return 0.0;
    }
    let given = |limit: Option<f64>| limit.filter(|limit| *limit > 0.0);
    if let Some(buffer) = config.buffer {
        // Here no output is none.
        let out = model.output.unwrap_or(MOST_OUTPUT).min(MOST_OUTPUT);
        let free = model.context - out.max(buffer);
        let input = given(model.input).map_or(f64::INFINITY, |input| input - buffer);
        return free.min(input).max(0.0);
    }
    let out = given(model.output).map_or(MOST_OUTPUT, |output| output.min(MOST_OUTPUT));
    let reserved = config.reserved.unwrap_or(RESERVED.min(out));
    let free = match given(model.input) {
        Some(input) => input - reserved,
        None if config.subtract_reserved => model.context - out - reserved,
        None => model.context - out,
    };
    free.max(0.0)
}

/// Do the tokens that a step reported overflow the context? `tokens` is a `TokenStats`.
#[must_use]
pub fn is_overflow<V: View>(tokens: &V, model: &ModelLimits, config: &CompactionConfig) -> bool {
    let cache = tokens.get(Key::Cache);
    let sum = || {
        let own = tokens.get_count(Key::Input) + tokens.get_count(Key::Output);
        let reasoning =
            if config.buffer.is_some() { tokens.get_count(Key::Reasoning) } else { 0.0 };
        own + reasoning + cache.get_count(Key::Read) + cache.get_count(Key::Write)
    };
    let total = tokens.get_count(Key::Total);
    config.overflows(if total > 0.0 { total } else { sum() }, model)
}

#[cfg(test)]
mod tests;
