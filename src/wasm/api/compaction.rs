//! Context compaction of arrays of messages: what `ts/compaction/` asks, in functions named `compaction…`, which are
//! left out of the package's entries.

use super::walked_messages::WalkedMessages;
use crate::wasm::columns::{float64, uint8, uint32};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{Problems, logged, strings};
use apex_parts_compaction::{
    self, BesideMessages, CacheCost, CompactionConfig, CompactionPlan, Estimate, Estimator, GoOn,
    History, IdList, ModelLimits, PlanAction, PruneEntry, PruneRun, RequestOptions, SummaryMeta,
    UndoTarget,
};
use apex_parts_model::{Build, Error, Key, Kind, Path, Report, View};
use js_sys::{Array, Function, Uint32Array};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

pub(super) type Made<T> = Result<T, JsValue>;

/// The messages of an array.
fn messages(given: &JsValue) -> Made<WalkedMessages> {
    let list = Js::hold(given);
    if list.kind() == Kind::Array {
        return Ok(WalkedMessages::new(list));
    }
    let got = list.kind().describe();
    let message =
        format!("`messages` must be an array of messages with parts, or a Transcript; got {got}");
    Err(logged(&Error::rule("schema", &Path::ROOT, message)))
}

fn config_of(given: &Js) -> Made<CompactionConfig> {
    CompactionConfig::read(given).map_err(|error| logged(&error))
}

fn model_of(given: &Js) -> Made<ModelLimits> {
    ModelLimits::read(given).map_err(|error| logged(&error))
}

fn thrown<T>(result: Result<T, Error>) -> Made<T> {
    result.map_err(|error| logged(&error))
}

fn cache_value(cache: &CacheCost) -> JsValue {
    let CacheCost { prefix, rewritten, saved, break_even } = *cache;
    float64(vec![prefix, rewritten, saved, break_even.unwrap_or(-1.0)])
}

fn estimate_value(estimate: &Estimate) -> JsValue {
    let mut value = Js::object();
    value.put_number(Key::Tokens, estimate.tokens);
    value.put(Key::Source, &Js::string(estimate.source.as_str()));
    let numbers = [
        (Key::Base, estimate.base),
        (Key::Added, estimate.added),
        (Key::Factor, estimate.factor),
        (Key::Media, estimate.media),
    ];
    for (key, number) in numbers {
        value.put_number(key, number);
    }
    value.take()
}

/// A list of ids as JSON.
fn ids(write: impl FnOnce(&mut IdList) -> Result<(), Error>) -> Made<JsValue> {
    let mut list = IdList::default();
    thrown(write(&mut list))?;
    Ok(uint8(list.finish()))
}

/// In place of a part: all outputs of the messages until the one that stands for the tokens.
const WHOLE: u32 = u32::MAX;

/// The columns of a plan, of which `ts/compaction/plans.ts` makes the object: its runs, which [`outputs_of`] takes, the
/// tokens, the cost with a cache, the fingerprint.
pub(super) fn pruned(history: &impl History, config: &JsValue) -> Made<Array> {
    let config = config_of(&Js::hold(config))?;
    let plan = thrown(apex_parts_compaction::prune(history, &config))?;
    let mut runs = vec![config.estimator as u32];
    for run in plan.runs {
        runs.extend(match run {
            PruneRun::Output(PruneEntry { message, part, tokens }) => [message, part, tokens],
            PruneRun::Messages(from, to) => [from, WHOLE, to],
        });
    }
    Ok([
        uint32(runs),
        JsValue::from_f64(plan.saved),
        cache_value(&plan.cache),
        JsValue::from_str(&plan.fingerprint),
    ]
    .into_iter()
    .collect())
}

/// The outputs of a plan: their tokens, and as JSON the ids of their messages and of their parts.
pub(super) fn outputs_of(history: &impl History, runs: &JsValue) -> Made<Array> {
    let runs = column(runs)?;
    let (by, runs) = runs.split_first().unwrap_or((&0, &[]));
    let by = if *by == Estimator::Chars as u32 { Estimator::Chars } else { Estimator::Classes };
    let (runs, _) = runs.as_chunks::<3>();
    let run = |[message, part, tokens]: &[u32; 3]| match *part {
        WHOLE => PruneRun::Messages(*message, *tokens),
        part => PruneRun::Output(PruneEntry { message: *message, part, tokens: *tokens }),
    };
    let runs: Vec<PruneRun> = runs.iter().map(run).collect();
    let outputs = thrown(apex_parts_compaction::outputs(history, &runs, by))?;
    let messages: Vec<u32> = outputs.iter().map(|output| output.message).collect();
    let places: Vec<(u32, u32)> = outputs.iter().map(|one| (one.message, one.part)).collect();
    Ok([
        uint32(outputs.iter().map(|output| output.tokens).collect()),
        ids(|list| history.message_ids(&messages, list))?,
        ids(|list| history.part_ids(&places, list))?,
    ]
    .into_iter()
    .collect())
}

/// A column that a plan's own lists give back.
fn column(given: &JsValue) -> Made<Vec<u32>> {
    match given.dyn_ref::<Uint32Array>() {
        Some(column) => Ok(column.to_vec()),
        None => {
            let message = "expected a column of a plan, a Uint32Array".to_owned();
            Err(logged(&Error::rule("schema", &Path::ROOT, message)))
        }
    }
}

/// The ids of messages as JSON.
pub(super) fn ids_of(history: &impl History, indices: &JsValue) -> Made<JsValue> {
    let indices = column(indices)?;
    ids(|list| history.message_ids(&indices, list))
}

/// The columns of a plan, like those of [`pruned`]; [`ids_of`] takes the first of them.
fn plan_value(history: &impl History, plan: &CompactionPlan) -> Made<Array> {
    let id_of = |index: u32| thrown(history.message_id(index as usize));
    let mut pinned = Js::list();
    for one in &plan.pinned {
        let value = Js::object().with(Key::MessageID, &Js::string(&id_of(one.message)?));
        pinned.push(&value.with(Key::Text, &Js::string(&one.text)));
    }
    let text = |text: Option<&str>| text.map_or(JsValue::UNDEFINED, JsValue::from_str);
    let mut problems = Problems::new();
    for problem in &plan.problems {
        problems.report(problem.clone());
    }
    let actions = PlanAction::ALL.iter().flat_map(|action| [action.as_str(), action.why()]);
    Ok([
        uint32(plan.entries.iter().map(|entry| entry.message).collect()),
        uint8(plan.entries.iter().map(|entry| entry.action as u8).collect()),
        float64(plan.entries.iter().map(|entry| entry.tokens).collect()),
        float64(vec![plan.before, plan.after, f64::from(u8::from(plan.fits))]),
        cache_value(&plan.cache),
        text(plan.tail_start.map(id_of).transpose()?.as_deref()),
        text(plan.previous_summary.as_deref()),
        text(Some(&plan.fingerprint)),
        pinned.take(),
        problems.list().take(),
        strings(actions),
    ]
    .into_iter()
    .collect())
}

/// Calls with what a request holds beside its messages: `system` and `tools` of the argument.
fn with_beside<T>(input: &Js, call: impl FnOnce(BesideMessages<'_>) -> T) -> T {
    let (system, tools) = (input.get(Key::System), input.get(Key::Tools));
    let (system, tools) = (system.text(), tools.json_text());
    call(BesideMessages { system: system.as_deref(), tools: tools.as_deref() })
}

pub(super) fn check_value(history: &impl History, input: &JsValue) -> Made<JsValue> {
    let input = Js::hold(input);
    let (model, config) = (model_of(&input.get(Key::Model))?, config_of(&input.get(Key::Config))?);
    let check = with_beside(&input, |beside| {
        apex_parts_compaction::check(history, &model, &config, beside)
    });
    let check = thrown(check)?;
    let mut value = Js::object();
    value.put_bool(Key::Overflow, check.overflow);
    value.put(Key::Used, &Js::hold(&estimate_value(&check.used)));
    value.put_number(Key::Usable, check.usable);
    value.put_number(Key::Headroom, check.headroom);
    Ok(value.take())
}

pub(super) fn estimated(history: &impl History, options: &JsValue) -> Made<JsValue> {
    let given = Js::hold(options);
    let by = thrown(apex_parts_compaction::estimator_of(&given))?;
    let estimate =
        with_beside(&given, |beside| apex_parts_compaction::estimate(history, by, beside));
    Ok(estimate_value(&thrown(estimate)?))
}

pub(super) fn planned(history: &impl History, input: &JsValue) -> Made<Array> {
    let input = Js::hold(input);
    let (model, config) = (model_of(&input.get(Key::Model))?, config_of(&input.get(Key::Config))?);
    let overflow = input.get(Key::Overflow).kind() == Kind::True;
    // `settledInput` says so by a name that the model has.
    let is_truncation = input.get(Key::Drop).kind() == Kind::True;
    let plan = with_beside(&input, |beside| {
        if is_truncation {
            apex_parts_compaction::plan_truncation(history, &model, &config, beside, overflow)
        } else {
            apex_parts_compaction::plan(history, &model, &config, beside, overflow)
        }
    });
    plan_value(history, &thrown(plan)?)
}

/// The columns of [`pruned`] with those of [`outputs_of`].
fn pruned_now(history: &impl History, config: &JsValue) -> Made<Array> {
    let columns = pruned(history, config)?;
    let outputs = outputs_of(history, &columns.get(0))?;
    Ok(Array::of2(&columns, &outputs))
}

/// The columns of [`planned`] with the ids of their messages.
fn planned_now(history: &impl History, input: &JsValue) -> Made<Array> {
    let columns = planned(history, input)?;
    let ids = ids_of(history, &columns.get(0))?;
    Ok(Array::of2(&columns, &ids))
}

/// The request as one UI message.
pub(super) fn requested(
    history: &impl History,
    plan: &JsValue,
    options: &JsValue,
) -> Made<JsValue> {
    let (plan, options) = (Js::hold(plan), Js::hold(options));
    let config = config_of(&options.get(Key::Config))?;
    let mut context = Vec::new();
    options.get(Key::Context).each(1 << 16, &mut |_, line| {
        context.extend(line.text().map(Cow::into_owned));
    });
    let prompt = options.get(Key::Prompt);
    let prompt = prompt.text();
    let options = RequestOptions {
        context: &context,
        prompt: prompt.as_deref(),
        tool_output_max: config.tool_output_max,
    };
    let text = thrown(apex_parts_compaction::summary_request(history, &plan, &options))?;
    let part = Js::object_with(Key::Type, apex_parts_model::Word::Text);
    let part = part.with(Key::Text, &Js::string(&text));
    let mut parts = Js::list();
    parts.push(&part);
    let fingerprint = plan.get(Key::Fingerprint);
    let id = format!("summary-{}", fingerprint.text().unwrap_or_default());
    let mut message = Js::object().with(Key::Id, &Js::string(&id));
    message.put_word(Key::Role, apex_parts_model::Word::User);
    let mut list = Js::list();
    list.push(&message.with(Key::Parts, &parts));
    Ok(list.take())
}

/// Calls with the array of messages.
macro_rules! over_messages {
    ($($(#[$meta:meta])* $name:ident $js:literal ($argument:ident) -> $made:ty, $call:path;)+) => {
        $($(#[$meta])*
        #[wasm_bindgen(js_name = $js, skip_typescript)]
        pub fn $name(list: &JsValue, $argument: &JsValue) -> Made<$made> {
            let _scope = Scope::new();
            $call(&messages(list)?, $argument)
        })+
    };
}

over_messages! {
    /// `SessionCompaction.check`
    compaction_check "compactionCheck" (input) -> JsValue, check_value;
    /// `SessionCompaction.estimate`
    compaction_estimate "compactionEstimate" (options) -> JsValue, estimated;
    /// `SessionCompaction.prune`
    compaction_prune "compactionPrune" (config) -> Array, pruned_now;
    /// `SessionCompaction.plan`
    compaction_make_plan "compactionPlan" (input) -> Array, planned_now;
}

/// `SessionCompaction.usable`
#[wasm_bindgen(js_name = compactionUsable, skip_typescript)]
pub fn compaction_usable(input: &JsValue) -> Made<f64> {
    let _scope = Scope::new();
    let input = Js::hold(input);
    let (model, config) = (model_of(&input.get(Key::Model))?, config_of(&input.get(Key::Config))?);
    Ok(apex_parts_compaction::usable(&model, &config))
}

/// `SessionCompaction.isOverflow`
#[wasm_bindgen(js_name = compactionIsOverflow, skip_typescript)]
pub fn compaction_is_overflow(input: &JsValue) -> Made<bool> {
    let _scope = Scope::new();
    let input = Js::hold(input);
    let (model, config) = (model_of(&input.get(Key::Model))?, config_of(&input.get(Key::Config))?);
    Ok(apex_parts_compaction::is_overflow(&input.get(Key::Tokens), &model, &config))
}

/// `SessionCompaction.summaryRequest`
#[wasm_bindgen(js_name = compactionRequest, skip_typescript)]
pub fn compaction_request(list: &JsValue, plan: &JsValue, options: &JsValue) -> Made<JsValue> {
    let _scope = Scope::new();
    requested(&messages(list)?, plan, options)
}

/// `SessionCompaction.filterCompacted`
#[wasm_bindgen(js_name = compactionFilter, skip_typescript)]
pub fn compaction_filter(list: &JsValue) -> Made<JsValue> {
    let _scope = Scope::new();
    messages(list)?;
    Ok(apex_parts_compaction::filter_compacted(&Js::hold(list)).take())
}

/// `SessionCompaction.applyPrune`
#[wasm_bindgen(js_name = compactionApplyPrune, skip_typescript)]
pub fn compaction_apply_prune(list: &JsValue, plan: &JsValue, now: &JsValue) -> Made<JsValue> {
    let _scope = Scope::new();
    messages(list)?;
    let now = now.as_f64().unwrap_or(f64::NAN);
    Ok(thrown(apex_parts_compaction::apply_prune(&Js::hold(list), &Js::hold(plan), now))?.take())
}

/// `SessionCompaction.applySummary`
#[wasm_bindgen(js_name = compactionApplySummary, skip_typescript)]
pub fn compaction_apply_summary(
    list: &JsValue,
    plan: &JsValue,
    text: &JsValue,
    meta: &JsValue,
) -> Made<JsValue> {
    let _scope = Scope::new();
    messages(list)?;
    let text = Js::hold(text);
    let text = text.text().unwrap_or_default();
    with_meta(meta, |meta| {
        apex_parts_compaction::apply_summary(&Js::hold(list), &Js::hold(plan), &text, meta)
    })
}

/// `SessionCompaction.applyTruncation`
#[wasm_bindgen(js_name = compactionApplyTruncation, skip_typescript)]
pub fn compaction_apply_truncation(
    list: &JsValue,
    plan: &JsValue,
    meta: &JsValue,
) -> Made<JsValue> {
    let _scope = Scope::new();
    messages(list)?;
    with_meta(meta, |meta| {
        apex_parts_compaction::apply_truncation(&Js::hold(list), &Js::hold(plan), meta)
    })
}

/// Calls with what a host knows of a summary.
fn with_meta(
    meta: &JsValue,
    call: impl FnOnce(&mut SummaryMeta<'_, Js>) -> Result<Js, Error>,
) -> Made<JsValue> {
    let given = Js::hold(meta);
    let id = given.get(Key::Id).take().dyn_into::<Function>().ok();
    let go_on = match given.get(Key::Continue).text().as_deref() {
        None | Some("auto") => GoOn::Auto,
        Some("always") => GoOn::Always,
        Some("never") => GoOn::Never,
        Some(_) => {
            let message = "`continue` must be \"auto\", \"always\" or \"never\"";
            return Err(logged(&Error::compaction("bad_config", "continue", message)));
        }
    };
    let cost = given.get(Key::Cost).number();
    let mut meta = SummaryMeta {
        id: &mut || {
            let made = id.as_ref().and_then(|id| id.call0(&JsValue::UNDEFINED).ok());
            made.and_then(|id| id.as_string()).filter(|id| !id.is_empty()).ok_or_else(|| {
                let message =
                    "`id` must be a function that returns a new id: a string that is not empty";
                Error::compaction("bad_config", "id", message)
            })
        },
        now: given.get(Key::Now).number(),
        auto: given.get(Key::Auto).kind() != Kind::False,
        overflow: given.get(Key::Overflow).kind() == Kind::True,
        go_on,
        tokens: given.get(Key::Tokens),
        cost,
        model_id: given.get(Key::ModelID),
        provider_id: given.get(Key::ProviderID),
        finish: given.get(Key::Finish),
    };
    Ok(thrown(call(&mut meta))?.take())
}

/// `SessionCompaction.undo`
#[wasm_bindgen(js_name = compactionUndo, skip_typescript)]
pub fn compaction_undo(list: &JsValue, target: &JsValue) -> Made<JsValue> {
    let _scope = Scope::new();
    messages(list)?;
    let target = Js::hold(target);
    let compaction = target.get(Key::CompactionID);
    let parts = target.get(Key::PartIDs);
    let mut ids = Vec::new();
    parts.each(usize::MAX, &mut |_, id| ids.extend(id.text().map(Cow::into_owned)));
    let target = match (compaction.text(), parts.kind()) {
        (Some(id), _) => apex_parts_compaction::undo(&Js::hold(list), UndoTarget::Compaction(&id)),
        (None, Kind::Array) => {
            apex_parts_compaction::undo(&Js::hold(list), UndoTarget::Parts(&ids))
        }
        _ => {
            let message = "pass `compactionID`, or `partIDs`, a list of ids";
            Err(Error::compaction("unknown_target", "", message))
        }
    };
    Ok(thrown(target)?.take())
}
