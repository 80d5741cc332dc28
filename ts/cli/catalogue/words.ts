// Rules that a word names: what holds for all input, and for files.
import type { Entry, Rule } from "./rule.ts";
import { answer, bytes, database, ID, MODEL, prompt, START, text } from "./values.ts";

const WORD_ENTRIES: Entry[] = [
  {
    code: "schema",
    severity: "error",
    says: "Required fields are present and have the right JSON type; an argument or option is what the function accepts.",
    cure: "Correct the value at `path`. `object … freed` or `busy` means that an object was used after `free()`, or from inside another call of it.",
    example: ({ PartValidator }) => PartValidator.validatePart(text({ text: 7 })),
  },
  {
    code: "json",
    severity: "error; a warning if nothing was lost",
    says: "A record or a file is JSON.",
    cure: "Look at the byte `offset`. A truncated file opens up to its end; a broken line is skipped.",
    example: ({ DeltaAssembler }) => new DeltaAssembler().pushBytes(bytes("data: {oops\n\n")),
  },
  {
    code: "limit",
    severity: "error; a warning if the rest is merely not listed",
    says: "Sizes, depths and counts are within their limits.",
    cure: "Raise the named option (`maxBytes`, `maxDepth`), pass the input in pieces, or ask for less.",
    example: ({ DeltaAssembler }) =>
      new DeltaAssembler({ maxBytes: 20 }).pushBytes(bytes(`${JSON.stringify(START)}\n`)),
  },
  {
    code: "empty",
    severity: "warning",
    says: "Of a stream that ends, something was read: a part, usage, a tool result or an error.",
    cure: "Look at the kinds of records that the message names: `format` may be another one, or the server sends fields that only `meta.provider` has.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler({ format: "openai-chat" });
      const chunk = {
        id: "c",
        model: "m",
        choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      };
      assembler.pushBytes(bytes(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`));
      return assembler.problems();
    },
  },
  {
    code: "final",
    severity: "warning",
    says: "A value that is said whole is what its pieces were.",
    cure: "Nothing is to be done: the whole value has replaced the pieces. If a program has acted on them, compare what it did. Where it happens often, the server, or a proxy before it, loses or repeats records.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler({ format: "openai-responses" });
      const at = { output_index: 0, item_id: "msg_1", content_index: 0 };
      const events = [
        { type: "response.created", response: { id: "resp_1", model: "m" } },
        { type: "response.output_text.delta", ...at, delta: "Helo" },
        { type: "response.output_text.done", ...at, text: "Hello" },
        { type: "response.completed", response: { id: "resp_1", status: "completed" } },
      ];
      for (const event of events) assembler.pushBytes(bytes(`data: ${JSON.stringify(event)}\n\n`));
      return assembler.problems();
    },
  },
  {
    code: "frame",
    severity: "error",
    says: "The frames of a binary event stream are whole, and their checksums are right.",
    cure: "A frame with a wrong checksum is left out; after wrong lengths nothing more can be read: save the bytes of the response as they arrive, not as text.",
    example: ({ DeltaAssembler }) =>
      // An empty frame whose last byte is wrong.
      new DeltaAssembler({ format: "bedrock" }).pushBytes(
        Uint8Array.of(0, 0, 0, 16, 0, 0, 0, 0, 5, 194, 72, 235, 125, 152, 200, 254),
      ),
  },
  {
    code: "format",
    severity: "error",
    says: "A file has a supported format.",
    cure: "Pass the file itself, not a page that contains it; set `format` if it is not recognised. The formats are in `TRANSCRIPT_FORMATS`.",
    example: ({ Transcript }) => Transcript.open(bytes("<html></html>")),
  },
  {
    code: "unknown-opencode",
    severity: "error",
    says: "The messages of an OpenCode export are those of version 1, `{info, parts}`, or records of version 2.",
    cure: "Update this package: the export may be of a newer version of OpenCode. The message names the fields of its first message.",
    example: ({ Transcript }) =>
      Transcript.open(bytes('{"info":{"id":"s"},"messages":[{"uid":"a","body":[]}]}')),
  },
  {
    code: "unknown-record",
    severity: "warning",
    says: "The types of OpenCode 2's records are known. Another record is a message with one part of its type.",
    cure: "Nothing is lost. Update this package, if you want more of the record to be read.",
    example: ({ Transcript }) =>
      Transcript.open(
        bytes(
          '{"info":{"id":"ses_1"},"messages":[{"id":"msg_1","type":"dream","time":{"created":1}}]}',
        ),
      ),
  },
  {
    code: "no-messages",
    severity: "error",
    says: "A file of a format that is known holds a message.",
    cure: "Look at the other problems: records that cannot be read are left out. A session in which nothing was said yet has nothing to show.",
    example: ({ Transcript }) =>
      Transcript.open(bytes(JSON.stringify({ info: { id: "s" }, messages: [] }))),
  },
  {
    code: "source",
    severity: "error",
    says: "The bytes that `read` returns later are those that were opened.",
    cure: "Open the file again: it has been changed or removed.",
    example: ({ Transcript }) => {
      const file = bytes(JSON.stringify([prompt(ID, [{ type: "text", text: "hi" }])]));
      const transcript = new Transcript({ read: () => new Uint8Array(0) });
      transcript.push(file);
      transcript.end();
      transcript.messages();
    },
  },
  {
    code: "query",
    severity: "error",
    says: "A query of `search` with `{query: true}` is in the language of queries.",
    cure: "Correct what the sentence names, or put text that looks like a filter in quotation marks. `parseQuery` says where it is.",
    example: ({ Transcript }) => {
      const file = bytes(JSON.stringify([prompt(ID, [{ type: "text", text: "hi" }])]));
      return Transcript.open(file).search("cost>abc", { query: true });
    },
  },
  {
    code: "prefix",
    severity: "error",
    says: "A file begins with its JSON; text before it is skipped.",
    cure: "Remove what a terminal or a status line wrote before the first `{`.",
    example: ({ Transcript }) =>
      Transcript.open(
        bytes(`Exporting …\n${JSON.stringify([prompt(ID, [{ type: "text", text: "hi" }])])}`),
      ),
  },
  {
    code: "encoding",
    severity: "error",
    says: "A file is UTF-8; other bytes become U+FFFD.",
    cure: "Save the file as UTF-8.",
    example: ({ Transcript }) => {
      const file = bytes(JSON.stringify([prompt(ID, [{ type: "text", text: "h@" }])]));
      file[file.indexOf(0x40)] = 0xff;
      return Transcript.open(file);
    },
  },
  {
    code: "events",
    severity: "error; a warning if nothing was lost",
    says: "A server's events are consistent: each names its subject, and what it changes existed before.",
    cure: "Record from the start of the session; inconsistent events are skipped.",
    example: ({ Transcript }) => {
      const event = { type: "message.updated", properties: {} };
      return Transcript.open(bytes(`data: ${JSON.stringify(event)}\n\n`), {
        format: "opencode-events",
      });
    },
  },
  {
    code: "zip",
    severity: "error; a warning if nothing was lost",
    says: "The archive of an Inspect log is complete, and its entries can be read.",
    cure: "Copy the file again. Entries compressed with a method other than deflate are left out: write the log as JSON.",
    example: ({ Transcript }) => {
      // The head of an entry of 99 bytes, which the archive has not.
      const head = new Uint8Array(41);
      head.set([0x50, 0x4b, 3, 4, 20], 0);
      head.set([99, 0, 0, 0, 99, 0, 0, 0, 11], 18);
      head.set(bytes("header.json"), 30);
      return Transcript.open(head, { format: "inspect" });
    },
  },
  {
    code: "db-page",
    severity: "error",
    says: "The pages of a SQLite database are whole: rows, what they go on with, and the pages that lead to them.",
    cure: "Copy the database again, with its `-wal` file. The message names the page, and the row if it is known; all other rows are read.",
    example: ({ SqliteFile }) => {
      const file = SqliteFile.open(database());
      return [...file.rows("sqlite_schema"), ...file.problems()];
    },
  },
  {
    code: "db-table",
    severity: "error",
    says: "The rows of a table that is asked for can be read: it is neither virtual nor WITHOUT ROWID.",
    cure: "Read it with SQLite. Full-text and other virtual tables keep their data in further tables, which are read.",
    never: "It takes a database that SQLite wrote.",
  },
  {
    code: "db-index",
    severity: "warning",
    says: "An index of a SQLite database fits its table.",
    cure: "Nothing is lost: the whole table is read instead. `REINDEX` in SQLite repairs it.",
    never: "It takes a database that SQLite wrote.",
  },
  {
    code: "opencode",
    severity: "error if `opencode import` would stop; a warning for what it would drop",
    says: "`opencode import` accepts the file; `openCodeProblems` and `validate --for opencode` check that, `openCode2Problems` and `--for opencode2` for version 2.",
    cure: "Create the file with `toOpenCode` or `convert --to opencode`.",
    example: ({ Transcript, openCodeProblems }) => {
      const session = { info: { id: "s" }, messages: [{ info: answer({}), parts: [text({})] }] };
      return openCodeProblems(Transcript.open(bytes(JSON.stringify(session))));
    },
  },
];

export const WORDS: Rule[] = WORD_ENTRIES.map((rule) => ({
  source: "formats, transcripts",
  ...rule,
}));

/** Reasons of `CompactionError`. */
const COMPACTION_ERROR_ENTRIES: Entry[] = [
  {
    code: "bad_config",
    says: "The numbers of a compaction's configuration are numbers, and not negative.",
    cure: "Correct the field named by `details.field`.",
    example: ({ SessionCompaction }) =>
      SessionCompaction.usable({ model: { limit: { context: -1 } } }),
  },
  {
    code: "empty_summary",
    says: "The text of a summary is not blank.",
    cure: "Ask the model again; nothing was changed.",
    example: ({ SessionCompaction }) => {
      const history = [prompt("m1", [text({})])];
      const plan = SessionCompaction.plan(history, { model: MODEL });
      SessionCompaction.applySummary(history, plan, " ", { now: 1 });
    },
  },
  {
    code: "stale_plan",
    says: "A plan is applied only to the messages for which it was made.",
    cure: "Make a new plan: messages have been added, removed or changed since.",
    example: ({ SessionCompaction }) => {
      const plan = SessionCompaction.plan([prompt("m1", [text({})])], { model: MODEL });
      SessionCompaction.summaryRequest([prompt("m2", [text({})])], plan);
    },
  },
  {
    code: "unknown_target",
    says: "The target of an undo is a compaction, or a part whose output was cleared.",
    cure: "Pass the id of a compaction message, or of such a part.",
    example: ({ SessionCompaction }) =>
      SessionCompaction.undo([prompt("m1", [text({})])], { messageID: "gone" }),
  },
];

export const COMPACTION_ERRORS: Rule[] = COMPACTION_ERROR_ENTRIES.map((rule) => ({
  severity: "error",
  source: "compaction",
  ...rule,
}));
