//! What `opencode import` takes: the records of OpenCode 1.18.33. `docs/opencode.md` says how this was found; a test
//! (`tests/package/opencode/`) compares the verdicts with those of the program itself.

use super::shape::JsonShape::{
    Anything, Fields, Flag, Id, Integer, Kinds, List, Moment, Number, Positive, Record, Text, Word,
};
use super::shape::{JsonShape, ShapeField, ShapeKind, kind, optional, required};

/// The version whose records these are. A session must name one; that of a session of another agent would say
/// nothing of its form.
pub(super) const VERSION: &str = "1.18.33";

const SESSION_ID: JsonShape = Id("ses");
const MESSAGE_ID: JsonShape = Id("msg");
const PART_ID: JsonShape = Id("prt");

const CACHE: JsonShape = Fields(&[required("read", &Number), required("write", &Number)]);
const SUMS: JsonShape = Fields(&[
    required("input", &Number),
    required("output", &Number),
    required("reasoning", &Number),
    required("cache", &CACHE),
]);
const TOKENS: JsonShape = Fields(&[
    optional("total", &Number),
    required("input", &Number),
    required("output", &Number),
    required("reasoning", &Number),
    required("cache", &CACHE),
]);

const DIFF: JsonShape = Fields(&[
    optional("file", &Text),
    optional("patch", &Text),
    required("additions", &Number),
    required("deletions", &Number),
    optional("status", &Word(&["added", "deleted", "modified"])),
]);

const RULE: JsonShape = Fields(&[
    required("permission", &Text),
    required("pattern", &Text),
    required("action", &Word(&["allow", "deny", "ask"])),
]);

const REVERT: JsonShape = Fields(&[
    required("messageID", &MESSAGE_ID),
    optional("partID", &PART_ID),
    optional("snapshot", &Text),
    optional("diff", &Text),
]);

/// The session. What `import` sets itself by where it runs (`projectID`, `directory`, `path`) need not be there, and is
/// not looked at.
pub(super) const SESSION: &[ShapeField] = &[
    required("id", &SESSION_ID),
    required("slug", &Text),
    optional("projectID", &Anything),
    optional("workspaceID", &Id("wrk")),
    optional("directory", &Anything),
    optional("path", &Anything),
    optional("parentID", &SESSION_ID),
    optional(
        "summary",
        &Fields(&[
            required("additions", &Number),
            required("deletions", &Number),
            required("files", &Number),
            optional("diffs", &List(&DIFF)),
        ]),
    ),
    optional("cost", &Number),
    optional("tokens", &SUMS),
    optional("share", &Fields(&[required("url", &Text)])),
    required("title", &Text),
    optional("agent", &Text),
    optional(
        "model",
        &Fields(&[
            required("id", &Text),
            required("providerID", &Text),
            optional("variant", &Text),
        ]),
    ),
    required("version", &Text),
    optional("metadata", &Record(&Anything)),
    required(
        "time",
        &Fields(&[
            required("created", &Moment),
            required("updated", &Moment),
            optional("compacting", &Moment),
            optional("archived", &Number),
        ]),
    ),
    optional("permission", &List(&RULE)),
    optional("revert", &REVERT),
];

const OUTPUT_FORMAT: JsonShape = Kinds(
    "type",
    &[
        kind("text", &[]),
        kind(
            "json_schema",
            &[required("schema", &Record(&Anything)), optional("retryCount", &Integer)],
        ),
    ],
);

const USER: &[ShapeField] = &[
    required("id", &MESSAGE_ID),
    required("sessionID", &SESSION_ID),
    required("time", &Fields(&[required("created", &Positive)])),
    optional("format", &OUTPUT_FORMAT),
    optional(
        "summary",
        &Fields(&[
            optional("title", &Text),
            optional("body", &Text),
            required("diffs", &List(&DIFF)),
        ]),
    ),
    required("agent", &Text),
    required(
        "model",
        &Fields(&[
            required("providerID", &Text),
            required("modelID", &Text),
            optional("variant", &Text),
        ]),
    ),
    optional("system", &Text),
    optional("tools", &Record(&Flag)),
];

const ASSISTANT: &[ShapeField] = &[
    required("id", &MESSAGE_ID),
    required("sessionID", &SESSION_ID),
    required("time", &Fields(&[required("created", &Moment), optional("completed", &Moment)])),
    optional("error", &ERROR),
    required("parentID", &MESSAGE_ID),
    required("modelID", &Text),
    required("providerID", &Text),
    required("mode", &Text),
    required("agent", &Text),
    required("path", &Fields(&[required("cwd", &Text), required("root", &Text)])),
    optional("summary", &Flag),
    required("cost", &Number),
    required("tokens", &TOKENS),
    optional("structured", &Anything),
    optional("variant", &Text),
    optional("finish", &Text),
];

/// A message without its parts.
pub(super) const MESSAGE: JsonShape =
    Kinds("role", &[kind("user", USER), kind("assistant", ASSISTANT)]);

const MESSAGE_ONLY: &[ShapeField] = &[required("data", &Fields(&[required("message", &Text)]))];

/// What an `APIError` holds.
pub(super) const API_DATA: &[ShapeField] = &[
    required("message", &Text),
    optional("statusCode", &Integer),
    required("isRetryable", &Flag),
    optional("responseHeaders", &Record(&Text)),
    optional("responseBody", &Text),
    optional("metadata", &Record(&Text)),
];

const API_ERROR: &[ShapeField] = &[required("data", &Fields(API_DATA))];

/// The error of a message.
pub(super) const ERROR: JsonShape = Kinds(
    "name",
    &[
        kind(
            "ProviderAuthError",
            &[required(
                "data",
                &Fields(&[required("providerID", &Text), required("message", &Text)]),
            )],
        ),
        kind(
            "UnknownError",
            &[required("data", &Fields(&[required("message", &Text), optional("ref", &Text)]))],
        ),
        kind("MessageOutputLengthError", &[required("data", &Fields(&[]))]),
        kind("MessageAbortedError", MESSAGE_ONLY),
        kind(
            "StructuredOutputError",
            &[required(
                "data",
                &Fields(&[required("message", &Text), required("retries", &Integer)]),
            )],
        ),
        kind(
            "ContextOverflowError",
            &[required(
                "data",
                &Fields(&[required("message", &Text), optional("responseBody", &Text)]),
            )],
        ),
        kind("ContentFilterError", MESSAGE_ONLY),
        kind("APIError", API_ERROR),
    ],
);

const RETRY_ERROR: JsonShape = Kinds("name", &[kind("APIError", API_ERROR)]);

const SPAN: JsonShape = Fields(&[required("start", &Moment), optional("end", &Moment)]);
const PLACE: JsonShape = Fields(&[required("line", &Integer), required("character", &Integer)]);
const SOURCE_TEXT: JsonShape =
    Fields(&[required("value", &Text), required("start", &Number), required("end", &Number)]);

const FILE_SOURCE: JsonShape = Kinds(
    "type",
    &[
        kind("file", &[required("text", &SOURCE_TEXT), required("path", &Text)]),
        kind(
            "symbol",
            &[
                required("text", &SOURCE_TEXT),
                required("path", &Text),
                required("range", &Fields(&[required("start", &PLACE), required("end", &PLACE)])),
                required("name", &Text),
                required("kind", &Integer),
            ],
        ),
        kind(
            "resource",
            &[
                required("text", &SOURCE_TEXT),
                required("clientName", &Text),
                required("uri", &Text),
            ],
        ),
    ],
);

const FILE: &[ShapeField] = &[
    required("id", &PART_ID),
    required("sessionID", &SESSION_ID),
    required("messageID", &MESSAGE_ID),
    required("mime", &Text),
    optional("filename", &Text),
    required("url", &Text),
    optional("source", &FILE_SOURCE),
];

/// A file that a tool has given.
pub(super) const ATTACHMENT: JsonShape = Kinds("type", &[kind("file", FILE)]);

const STATE: JsonShape = Kinds(
    "status",
    &[
        // The first is what a state becomes that cannot be read.
        kind("pending", &[required("input", &Record(&Anything)), required("raw", &Text)]),
        kind(
            "running",
            &[
                required("input", &Record(&Anything)),
                optional("title", &Text),
                optional("metadata", &Record(&Anything)),
                required("time", &Fields(&[required("start", &Moment)])),
            ],
        ),
        kind(
            "completed",
            &[
                required("input", &Record(&Anything)),
                required("output", &Text),
                required("title", &Text),
                required("metadata", &Record(&Anything)),
                required(
                    "time",
                    &Fields(&[
                        required("start", &Moment),
                        required("end", &Moment),
                        optional("compacted", &Moment),
                    ]),
                ),
                optional("attachments", &List(&ATTACHMENT)),
            ],
        ),
        kind(
            "error",
            &[
                required("input", &Record(&Anything)),
                required("error", &Text),
                optional("metadata", &Record(&Anything)),
                required("time", &Fields(&[required("start", &Moment), required("end", &Moment)])),
            ],
        ),
    ],
);

/// The ids that every part has, before its own fields.
macro_rules! part {
    ($word:literal, $($field:expr),* $(,)?) => {
        kind($word, &[
            required("id", &PART_ID),
            required("sessionID", &SESSION_ID),
            required("messageID", &MESSAGE_ID),
            $($field),*
        ])
    };
}

/// The twelve types of parts.
pub(super) const PARTS: &[ShapeKind] = &[
    part!(
        "text",
        required("text", &Text),
        optional("synthetic", &Flag),
        optional("ignored", &Flag),
        optional("time", &SPAN),
        optional("metadata", &Record(&Anything)),
    ),
    part!(
        "reasoning",
        required("text", &Text),
        optional("metadata", &Record(&Anything)),
        required("time", &SPAN),
    ),
    kind("file", FILE),
    part!(
        "tool",
        required("callID", &Text),
        required("tool", &Text),
        required("state", &STATE),
        optional("metadata", &Record(&Anything)),
    ),
    part!("step-start", optional("snapshot", &Text)),
    part!(
        "step-finish",
        required("reason", &Text),
        optional("snapshot", &Text),
        required("cost", &Number),
        required("tokens", &TOKENS),
    ),
    part!("snapshot", required("snapshot", &Text)),
    part!("patch", required("hash", &Text), required("files", &List(&Text))),
    part!(
        "agent",
        required("name", &Text),
        optional(
            "source",
            &Fields(&[
                required("value", &Text),
                required("start", &Integer),
                required("end", &Integer),
            ]),
        ),
    ),
    part!(
        "compaction",
        required("auto", &Flag),
        optional("overflow", &Flag),
        optional("tail_start_id", &MESSAGE_ID),
    ),
    part!(
        "subtask",
        required("prompt", &Text),
        required("description", &Text),
        required("agent", &Text),
        optional("model", &Fields(&[required("providerID", &Text), required("modelID", &Text)])),
        optional("command", &Text),
    ),
    part!(
        "retry",
        required("attempt", &Integer),
        required("error", &RETRY_ERROR),
        required("time", &Fields(&[required("created", &Moment)])),
    ),
];

/// A part.
pub(super) const PART: JsonShape = Kinds("type", PARTS);
