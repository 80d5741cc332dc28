//! What the import of OpenCode 2 takes: the session and the records of the wire contract of 2.1.2, with the checks of
//! the schema it is made of (ids, base64, lists that are not empty).

use crate::opencode::check::{TellProblem, check};
use crate::opencode::picked::{field, number, object};
use crate::opencode::shape::JsonShape::{
    Anything, Fields, Filled, Flag, Id, Integer, Kinds, List, Number, Record, Text, Told, Word,
};
use crate::opencode::shape::{JsonShape, MOST_EXACT, ShapeField, kind, optional, required};
use apex_parts_json::tape::Node;
use apex_parts_model::{Path, Severity};

/// Tells the problems of a record: an error for each reason for which the import stops, a warning for each field that
/// it drops. `tell` gets how bad it is, where, and what.
///
/// ```
/// use apex_parts_convert::opencode2::record_problems;
/// use apex_parts_json::tape::Tape;
/// use apex_parts_model::{Path, Severity};
///
/// let json = br#"{"id":"msg_1","type":"user","text":"hi","time":{"created":1},"mood":"good"}"#;
/// let mut tape = Tape::default();
/// tape.read(json, 0).unwrap();
/// let mut told = Vec::new();
/// record_problems(tape.root(json), &Path::ROOT, &mut |severity, path, _| {
///     told.push((severity, path.to_string()));
/// });
/// assert_eq!(told, [(Severity::Warning, "/mood".to_owned())]);
/// ```
pub fn record_problems(
    record: Node<'_>,
    path: &Path<'_>,
    tell: &mut dyn FnMut(Severity, &Path<'_>, String),
) {
    let tell: TellProblem<'_> = tell;
    let is_compaction = |word: Node<'_>| word.str().as_deref() == Some("compaction");
    // Which fields a compaction has, its status says.
    if field(object(Some(record)), "type").is_some_and(is_compaction) {
        return check(record, &COMPACTION, path, tell);
    }
    check(record, &RECORD, path, tell);
}

/// Tells the problems of a session without its records, as [`record_problems`] does.
pub fn info_problems(
    info: Node<'_>,
    path: &Path<'_>,
    tell: &mut dyn FnMut(Severity, &Path<'_>, String),
) {
    check(info, &Fields(INFO), path, tell);
}

const SESSION_ID: JsonShape = Id("ses");
const MESSAGE_ID: JsonShape = Id("msg_");
const ANY_RECORD: JsonShape = Record(&Anything);

const BASE64: JsonShape = Told("a string in base64", |value| {
    let Some(text) = value.str() else { return false };
    let data = text.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    // The ends that are there fill the last four characters.
    text.len() % 4 == 0 && text.len() - data.len() <= 2 && data.bytes().all(is_digit)
});

const ATTEMPT: JsonShape = Told("a positive integer", |value| {
    number(Some(value)).is_some_and(|n| n.fract() == 0.0 && (1.0..=MOST_EXACT).contains(&n))
});

const EXIT: JsonShape = Told("a number, or \"Infinity\", \"-Infinity\" or \"NaN\"", |value| {
    let is_word = |word: &str| matches!(word, "Infinity" | "-Infinity" | "NaN");
    number(Some(value)).is_some() || value.str().is_some_and(|word| is_word(&word))
});

const CREATED: JsonShape = Fields(&[required("created", &Number)]);
const SPAN: JsonShape = Fields(&[required("created", &Number), optional("completed", &Number)]);

const TOKENS: JsonShape = Fields(&[
    required("input", &Number),
    required("output", &Number),
    required("reasoning", &Number),
    required("cache", &Fields(&[required("read", &Number), required("write", &Number)])),
]);

const MODEL: JsonShape =
    Fields(&[required("id", &Text), required("providerID", &Text), optional("variant", &Text)]);

const LOCATION: JsonShape = Fields(&[required("directory", &Text)]);

const ERROR: JsonShape = Fields(&[
    required("type", &Text),
    required("message", &Text),
    optional("status", &Integer),
    optional("response", &Fields(&[required("body", &Text)])),
    optional("retryAfterMs", &Integer),
]);

const REASON: JsonShape = Word(&["auto", "manual"]);
const OUTCOME: JsonShape = Word(&["succeeded", "failed", "interrupted"]);

const REVERT: JsonShape = Fields(&[
    required("messageID", &MESSAGE_ID),
    optional("partID", &Text),
    optional("snapshot", &Text),
    optional(
        "files",
        &List(&Fields(&[
            required("file", &Text),
            required("patch", &Text),
            required("additions", &Integer),
            required("deletions", &Integer),
            required("status", &Word(&["added", "deleted", "modified"])),
        ])),
    ),
]);

const BOUNDARY: JsonShape = Kinds(
    "type",
    &[
        kind("before", &[required("messageID", &MESSAGE_ID)]),
        kind("through", &[required("messageID", &MESSAGE_ID)]),
    ],
);

/// The session.
const INFO: &[ShapeField] = &[
    required("id", &SESSION_ID),
    optional("parentID", &SESSION_ID),
    optional(
        "fork",
        &Fields(&[required("sessionID", &SESSION_ID), required("boundary", &BOUNDARY)]),
    ),
    required("projectID", &Text),
    optional("agent", &Text),
    optional("model", &MODEL),
    required("cost", &Number),
    required("tokens", &TOKENS),
    optional("outcome", &OUTCOME),
    required(
        "time",
        &Fields(&[
            required("created", &Number),
            required("updated", &Number),
            optional("idle", &Number),
            optional("viewed", &Number),
            optional("archived", &Number),
        ]),
    ),
    optional("title", &Text),
    optional("subpath", &Text),
    optional("metadata", &ANY_RECORD),
    optional(
        "permissions",
        &List(&Fields(&[
            required("action", &Text),
            required("resource", &Text),
            required("effect", &Word(&["allow", "deny", "ask"])),
        ])),
    ),
    optional("revert", &REVERT),
    required("location", &LOCATION),
];

const MENTION: JsonShape =
    Fields(&[required("start", &Number), required("end", &Number), required("text", &Text)]);

const FILE: JsonShape = Fields(&[
    required("data", &BASE64),
    required("mime", &Text),
    required(
        "source",
        &Kinds("type", &[kind("inline", &[]), kind("uri", &[required("uri", &Text)])]),
    ),
    optional("name", &Text),
    optional("description", &Text),
    optional("mention", &MENTION),
]);

const AGENT: JsonShape = Fields(&[required("name", &Text), optional("mention", &MENTION)]);

const SKILL: JsonShape = Fields(&[
    required("id", &Text),
    required("name", &Text),
    optional("text", &Text),
    optional("mention", &MENTION),
]);

/// What a call gives.
const BLOCK: JsonShape = Kinds(
    "type",
    &[
        kind("text", &[required("text", &Text)]),
        kind("file", &[required("uri", &Text), required("mime", &Text), optional("name", &Text)]),
    ],
);

const STATE: JsonShape = Kinds(
    "status",
    &[
        kind("streaming", &[required("input", &Text)]),
        kind("running", &[required("input", &ANY_RECORD), required("metadata", &ANY_RECORD)]),
        kind(
            "completed",
            &[
                required("input", &ANY_RECORD),
                required("content", &Filled(&BLOCK)),
                optional("metadata", &ANY_RECORD),
            ],
        ),
        kind(
            "error",
            &[
                required("input", &ANY_RECORD),
                required("error", &ERROR),
                optional("content", &Filled(&BLOCK)),
                optional("metadata", &ANY_RECORD),
            ],
        ),
    ],
);

/// What an answer consists of.
const CONTENT: JsonShape = Kinds(
    "type",
    &[
        kind("text", &[required("text", &Text), optional("native", &ANY_RECORD)]),
        kind(
            "reasoning",
            &[required("text", &Text), optional("native", &ANY_RECORD), optional("time", &SPAN)],
        ),
        kind(
            "tool",
            &[
                required("id", &Text),
                required("name", &Text),
                optional("executed", &Flag),
                optional("native", &ANY_RECORD),
                required("state", &STATE),
                required(
                    "time",
                    &Fields(&[
                        required("created", &Number),
                        optional("ran", &Number),
                        optional("completed", &Number),
                    ]),
                ),
            ],
        ),
    ],
);

/// A record with the fields that each has, before its own.
macro_rules! record {
    ($word:literal, $time:expr, $($field:expr),* $(,)?) => {
        kind($word, &[
            required("id", &MESSAGE_ID),
            optional("metadata", &ANY_RECORD),
            required("time", $time),
            $($field),*
        ])
    };
}

/// A record; of a compaction, only that it is one.
const RECORD: JsonShape = Kinds(
    "type",
    &[
        record!(
            "user",
            &CREATED,
            required("text", &Text),
            optional("files", &List(&FILE)),
            optional("agents", &List(&AGENT)),
            optional("skills", &List(&SKILL)),
        ),
        record!(
            "assistant",
            &Fields(&[
                required("created", &Number),
                optional("streamed", &Number),
                optional("completed", &Number),
            ]),
            required("agent", &Text),
            required("model", &MODEL),
            required("content", &List(&CONTENT)),
            optional(
                "snapshot",
                &Fields(&[
                    optional("start", &Text),
                    optional("end", &Text),
                    optional("files", &List(&Text)),
                ]),
            ),
            optional(
                "finish",
                &Word(&["stop", "length", "tool-calls", "content-filter", "error", "unknown"]),
            ),
            optional("rawFinish", &Text),
            optional("native", &ANY_RECORD),
            optional("cost", &Number),
            optional("tokens", &TOKENS),
            optional("error", &ERROR),
            optional(
                "retry",
                &Fields(&[
                    required("attempt", &ATTEMPT),
                    required("at", &Number),
                    required("error", &ERROR),
                ]),
            ),
        ),
        kind("compaction", &[]),
        record!(
            "shell",
            &SPAN,
            required("shellID", &Id("sh_")),
            required("command", &Text),
            required("status", &Word(&["running", "exited", "timeout", "killed"])),
            optional("exit", &EXIT),
            optional(
                "output",
                &Fields(&[
                    required("output", &Text),
                    required("cursor", &Integer),
                    required("size", &Integer),
                    required("truncated", &Flag),
                ]),
            ),
        ),
        record!("synthetic", &CREATED, required("text", &Text), optional("description", &Text),),
        record!("system", &CREATED, required("text", &Text), optional("description", &Text)),
        record!(
            "skill",
            &CREATED,
            required("skill", &Text),
            required("name", &Text),
            required("text", &Text),
        ),
        record!("agent-switched", &CREATED, required("agent", &Text), optional("previous", &Text)),
        record!(
            "model-switched",
            &CREATED,
            required("model", &MODEL),
            optional("previous", &MODEL),
        ),
        record!(
            "location-switched",
            &CREATED,
            optional("projectID", &Text),
            optional("subpath", &Text),
            required("location", &LOCATION),
            optional(
                "previous",
                &Fields(&[
                    required("location", &LOCATION),
                    optional("projectID", &Text),
                    optional("subpath", &Text),
                ]),
            ),
        ),
        record!("idle", &CREATED, required("outcome", &OUTCOME), optional("error", &ERROR)),
    ],
);

/// A compaction with the fields that each has, before its own.
macro_rules! compaction {
    ($word:literal, $($field:expr),* $(,)?) => {
        record!(
            $word,
            &CREATED,
            required("type", &Word(&["compaction"])),
            required("reason", &REASON),
            $($field),*
        )
    };
}

/// A compaction. `recent` is no field of 2.1 any more, but 2.0 demands it, so it is written, and not told.
const COMPACTION: JsonShape = Kinds(
    "status",
    &[
        compaction!("running", required("summary", &Text), optional("recent", &Text)),
        compaction!(
            "completed",
            optional("model", &MODEL),
            optional("native", &ANY_RECORD),
            required("summary", &Text),
            optional("recent", &Text),
            optional("cost", &Number),
            optional("tokens", &TOKENS),
        ),
        compaction!(
            "failed",
            required("error", &ERROR),
            optional("cost", &Number),
            optional("tokens", &TOKENS),
        ),
    ],
);

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
