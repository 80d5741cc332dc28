//! What the core gets from its host: the clock, ids, random bytes and the logger; and its errors as
//! JavaScript errors.

use apex_parts_model::{Error, ErrorKind, IdSource, Path, Problem, RANDOM_BYTES, Report, Severity};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

use super::handle::{Js, Scope};
use super::limits::TooLarge;
use apex_parts_model::Build;

#[wasm_bindgen(module = "/src/wasm/bridge.js")]
extern "C" {
    fn problem(list: u32, severity: &str, rule: &str, path: &str, message: &str, offset: f64);
}

#[wasm_bindgen(module = "/src/wasm/shared.js")]
extern "C" {
    fn log(level: &str, message: &str, details: &JsValue);
    #[wasm_bindgen(js_name = lastTime)]
    fn last_time() -> f64;
    #[wasm_bindgen(js_name = lastCount)]
    fn last_count() -> f64;
    #[wasm_bindgen(js_name = setLast)]
    fn set_last(time: f64, count: f64);
}

#[wasm_bindgen(module = "/src/wasm/errors.js")]
extern "C" {
    /// The name is that of one of the classes.
    #[wasm_bindgen(js_name = newError)]
    pub(crate) fn new_error(name: &str, message: &str, details: &JsValue) -> JsValue;
}

/// The time, in milliseconds since the Unix epoch. Read anew for each call, so that tests can replace
/// the clock.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}

/// Random bytes, fetched in bulk: one id needs only four to ten.
struct Pool {
    bytes: [u8; 512],
    used: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; 512], used: 512 }) };
}

/// A new id (UUIDv7). It sorts after the last one of every module of the program.
pub(crate) fn new_id() -> String {
    refill();
    let now = now();
    let mut ids = IdSource::after(last_time(), last_count());
    let id = POOL.with_borrow_mut(|pool| {
        ids.next(now, &mut |wanted| {
            for byte in wanted {
                *byte = pool.bytes.get(pool.used).copied().unwrap_or_default();
                pool.used += 1;
            }
        })
    });
    let (time, count) = ids.last();
    set_last(time, count);
    id
}

/// Fills the pool while it is not borrowed: a replaced `crypto` may call this module.
fn refill() {
    if POOL.with_borrow(|pool| pool.used + RANDOM_BYTES <= pool.bytes.len()) {
        return;
    }
    let mut fresh = [0; 512];
    if getrandom::fill(&mut fresh).is_err() {
        // No `crypto` here (some test environments): ids must be unique, they need not be secret.
        for byte in &mut fresh {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 255
            let random = (js_sys::Math::random() * 256.0) as u8;
            *byte = random;
        }
    }
    POOL.with_borrow_mut(|pool| *pool = Pool { bytes: fresh, used: 0 });
}

/// A list of problems in JavaScript's memory, to which each is added when it is found.
pub(crate) struct Problems {
    list: Js,
    pub(crate) errors: usize,
    pub(crate) first_error: Option<Problem>,
}

impl Problems {
    pub(crate) fn new() -> Problems {
        Problems { list: Js::list(), errors: 0, first_error: None }
    }

    pub(crate) fn list(&self) -> Js {
        self.list
    }

    /// Logs these problems as one error and returns it, to be thrown. Its message describes the first.
    pub(crate) fn logged(&self, first: Problem) -> JsValue {
        let details = js_sys::Object::new();
        set(&details, "problems", &self.list.take());
        let message = first.with_others(self.errors.saturating_sub(1));
        let thrown = new_error(Error::validation(vec![first]).name(), &message, &details);
        log("error", &message, &thrown);
        thrown
    }
}

impl Report for Problems {
    fn report(&mut self, p: Problem) {
        let offset = p.offset.unwrap_or(-1.0);
        problem(self.list.slot(), p.severity.as_str(), &p.rule, &p.path, &p.message, offset);
        if p.severity == Severity::Error {
            self.errors += 1;
            self.first_error.get_or_insert(p);
        }
    }
}

/// A list of texts.
pub(crate) fn strings<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> JsValue {
    let texts = texts.into_iter().map(|text| JsValue::from_str(text.as_ref()));
    texts.collect::<js_sys::Array>().into()
}

/// Sets a field of a new plain object, which takes any.
pub(crate) fn set(object: &js_sys::Object, key: &str, value: &JsValue) {
    let _ = js_sys::Reflect::set(object, &JsValue::from_str(key), value);
}

/// The JavaScript error: an `Error` with its name and details.
pub(crate) fn thrown(error: &Error) -> JsValue {
    let details = js_sys::Object::new();
    match error.kind() {
        ErrorKind::Validation(problems) => {
            let mut list = Problems::new();
            for problem in problems {
                list.report(problem.clone());
            }
            set(&details, "problems", &list.list.take());
        }
        ErrorKind::Transition { current, attempted, valid } => {
            let current = current.as_deref().map_or(JsValue::UNDEFINED, JsValue::from_str);
            set(&details, "currentStatus", &current);
            set(&details, "attemptedStatus", &attempted.as_str().into());
            set(&details, "validTransitions", &strings(valid.iter().map(|s| s.as_str())));
        }
        ErrorKind::Missing { function, field } => {
            set(&details, "function", &(*function).into());
            set(&details, "field", &field.as_str().into());
        }
        ErrorKind::Compaction { reason, field, .. } => {
            set(&details, "reason", &(*reason).into());
            if !field.is_empty() {
                set(&details, "field", &field.as_str().into());
            }
        }
        ErrorKind::Transcript { rule, offset, .. } => {
            set(&details, "rule", &rule.as_str().into());
            #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
            set(&details, "offset", &JsValue::from_f64(*offset as f64));
        }
    }
    new_error(error.name(), &error.to_string(), &details)
}

/// Logs an error of this name as a warning: it is not thrown, because it was corrected.
pub(crate) fn log_corrected(name: &str, message: &str) {
    let error = new_error(name, message, &js_sys::Object::new());
    log("warn", message, &error);
}

/// Logs a warning.
pub(crate) fn warn(message: &str) {
    log("warn", message, &JsValue::UNDEFINED);
}

/// Logs the error and returns it as a JavaScript error, to be thrown.
pub(crate) fn logged(error: &Error) -> JsValue {
    let thrown = thrown(error);
    log("error", &error.to_string(), &thrown);
    thrown
}

/// The result of a `create…` function: a missing argument is logged and gives `undefined`, any other
/// error is logged and thrown.
pub(crate) fn made(result: Result<Js, Error>) -> Result<JsValue, JsValue> {
    match result {
        Ok(made) => Ok(made.take()),
        Err(error) if matches!(error.kind(), ErrorKind::Missing { .. }) => {
            log("warn", &error.to_string(), &thrown(&error));
            Ok(JsValue::UNDEFINED)
        }
        Err(error) => Err(logged(&error)),
    }
}

impl TooLarge {
    /// The error for an argument: `PartValidationError`.
    pub(crate) fn invalid(&self) -> JsValue {
        let _scope = Scope::new();
        logged(&Error::rule("limit", &Path::ROOT, self.message()))
    }

    /// The error for the bytes of a transcript: `TranscriptError`.
    #[cfg(feature = "transcript")]
    pub(crate) fn transcript(&self) -> JsValue {
        logged(&Error::transcript("limit", self.message(), 0))
    }
}
