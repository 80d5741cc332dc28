//! Errors in the middle of a stream: where they stand, what their fields are called, and whether the request may be
//! sent again. The words are those of many servers; a provider's own rules are in its format.

use apex_parts_json::float;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_model::delta::StreamError;
use serde_json::Value;
use std::borrow::Cow;

/// An error's details that nest deeper are kept as their text.
const MAX_DETAIL_DEPTH: usize = 64;

/// Does the value say nothing?
pub(crate) fn is_nothing(value: Val<'_>) -> bool {
    !value.exists()
        || value.raw() == "\"\""
        || value.is_array() && value.items().next().is_none()
        || value.is_empty_object()
}

/// The name and the fields of an exception of AWS: a record of one field beside `p`, which is padding.
pub(crate) fn exception_of(root: Val<'_>) -> Option<(Cow<'_, str>, Val<'_>)> {
    let mut fields = root.entries().filter(|(name, _)| name != "p");
    let (name, value) = fields.next()?;
    let is_one = name.ends_with("Exception") && value.is_object() && fields.next().is_none();
    is_one.then_some((name, value))
}

/// The error of a record, in one of the places where servers put it. In a format whose records have a `type`,
/// only one without it, or of the type `error`, is an error.
pub(crate) fn error_of<'a>(event: &str, root: Val<'a>, is_typed: bool) -> Option<Val<'a>> {
    let [kind, error, errors, detail, object, success, choices, groq] = root
        .fields(&["type", "error", "errors", "detail", "object", "success", "choices", "x_groq"]);
    let is_error = kind.is("error") || !kind.exists() && event == "error";
    if is_typed && kind.exists() && !is_error {
        return None;
    }
    let inner =
        [error, groq.get("error"), choices.items().next().map_or(error, |c| c.get("error"))];
    if let Some(found) =
        inner.into_iter().find(|e| (e.is_object() || e.is_string()) && !is_nothing(*e))
    {
        return Some(found);
    }
    if let Some((_, exception)) = exception_of(root) {
        return Some(exception);
    }
    if let Some(first) = errors.items().next().filter(|e| e.is_object() || e.is_string()) {
        return Some(first);
    }
    let has_text = [error, root.get("message")].into_iter().any(|text| !is_nothing(text));
    let is_alone = root.entries().count() == 1 && (detail.is_string() || detail.is_array());
    let is_own = is_error
        || error.is_true()
        || object.is("error")
        || success.raw() == "false" && has_text
        || is_alone && !is_nothing(detail);
    is_own.then_some(root)
}

/// The error of a record, read: `error` is where it stands in `root`. With `kind_first` its `type` goes before its
/// `code`.
pub(crate) fn read_error<'a>(root: Val<'a>, error: Val<'a>, kind_first: bool) -> StreamError<'a> {
    let [code, kind, error_type, name, status, status_code, retry_info] =
        error.fields(&["code", "type", "error_type", "name", "status", "statusCode", "details"]);
    // An error that is the record itself has the type of the record.
    let is_of_record = kind.is("error") || kind.is("RUN_ERROR");
    let kind = if is_of_record { Val::default() } else { kind };
    let exception = exception_of(root).map(|(name, _)| name);
    let word = |value: Val<'a>| value.str().filter(|text| !text.trim().is_empty());
    let number = |value: Val<'a>| value.is_number().then(|| value.word());
    let first = [
        word(kind).filter(|_| kind_first),
        word(code),
        word(status),
        number(code),
        word(kind),
        word(error_type),
        word(name),
        number(status),
        number(status_code),
    ];
    let code_word = exception
        .clone()
        .or_else(|| first.into_iter().flatten().next())
        .unwrap_or(Cow::Borrowed("error"));
    let flags = error.fields(&["retryable", "is_retryable", "isRetryable"]);
    let flag = flags.into_iter().find_map(|flag| match flag.raw() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    });
    let retry = [code, kind, error_type, status, status_code, name];
    let retryable = flag
        .or_else(|| exception.as_deref().and_then(retryable))
        .or_else(|| retry.into_iter().find_map(|value| retryable(&value.word())));
    let [message, detail, text, reason, error_text] =
        error.fields(&["message", "detail", "error", "reason", "errorText"]);
    let texts = [message, detail, text, reason, error_text];
    let message = error.str().or_else(|| texts.into_iter().find_map(word)).or_else(|| {
        let other = [message, detail].into_iter().find(|value| !is_nothing(*value));
        other.map(|value| Cow::Owned(value.json()))
    });
    let id = |of: Val<'a>| of.fields(&["request_id", "requestId"]).into_iter().find_map(word);
    StreamError {
        code: code_word,
        message,
        retryable,
        param: word(error.get("param")),
        request_id: id(error).or_else(|| id(root)),
        retry_after_ms: retry_after(error, retry_info)
            .or_else(|| retry_after(root, Val::default())),
        // A response that failed without an error says no more than that.
        details: (error.is_object() && error.get("object").raw() != "\"response\"")
            .then(|| details(error)),
    }
}

/// An error object as JSON text.
fn details(error: Val<'_>) -> Cow<'_, str> {
    if record::read(error.raw(), MAX_DETAIL_DEPTH).is_ok() {
        return error.json().into();
    }
    Value::String(error.raw().to_owned()).to_string().into()
}

/// How long to wait before the request is sent again, in milliseconds; `infos` are Google's.
fn retry_after(error: Val<'_>, infos: Val<'_>) -> Option<f64> {
    let seconds = |value: Val<'_>| {
        let text = value.word();
        let number = float::parse(text.trim().trim_end_matches('s'))?;
        Some((number * 1000.0).round()).filter(|ms| ms.is_finite() && *ms >= 0.0)
    };
    let info = infos.items().find(|info| info.get("@type").text().ends_with("RetryInfo"));
    let [ms, after] = error.fields(&["retry_after_ms", "retry_after"]);
    let ms = || float::parse(ms.word().trim()).filter(|ms| ms.is_finite() && *ms >= 0.0);
    info.and_then(|info| seconds(info.get("retryDelay"))).or_else(ms).or_else(|| seconds(after))
}

/// Words that decide: the first list that has one a code contains.
const WORDS: [(bool, &str); 3] = [
    (true, "throttl ratelimit toomanyrequests overload slowdown"),
    (
        false,
        "quota billing invalid notfound authentic unauthorized permission forbidden accessdenied contextlength \
         toolarge toolong contentfilter contentpolicy unsupported unimplemented validation failedprecondition \
         outofrange badrequest",
    ),
    (
        true,
        "unavailable timeout timedout deadlineexceeded badgateway connection servererror internal \
         resourceexhausted apierror modelstreamerror",
    ),
];

/// Whether sending the request again may succeed, by a code, type or HTTP status; `None` if the word is not known.
pub(crate) fn retryable(code: &str) -> Option<bool> {
    let plain: String = code
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | '.') && !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    for (decision, words) in WORDS {
        if words.split_ascii_whitespace().any(|word| plain.contains(word)) {
            return Some(decision);
        }
    }
    match plain.parse::<u16>().ok()? {
        501 | 505 => Some(false),
        408 | 409 | 425 | 429 | 500..=599 => Some(true),
        400..=499 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
