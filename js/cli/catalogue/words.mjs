// Rules that a word names: what holds for all input, and for files.
import { answer, bytes, ID, MODEL, prompt, START, text } from "./values.mjs";

export const WORDS = [
  {
    code: "schema",
    severity: "error",
    says: "A field that has to be there is there, and is of the right JSON type; an argument or option is what the call takes.",
    cure: "Correct the value at `path`. An `object … freed` or `busy` means that a call used an object after `free()`, or from inside another call of it.",
    example: ({ PartValidator }) => PartValidator.validatePart(text({ text: 7 })),
  },
  {
    code: "json",
    severity: "error; a warning where nothing was lost",
    says: "A record or a file is JSON.",
    cure: "Look at the byte `offset`. A file that was cut off opens as far as it goes; a broken line is skipped.",
    example: ({ DeltaAssembler }) => new DeltaAssembler().pushBytes(bytes("data: {oops\n\n")),
  },
  {
    code: "limit",
    severity: "error; a warning where the rest is only not listed",
    says: "Sizes, depths and counts stay within their limits.",
    cure: "Raise the option that is named (`maxBytes`, `maxDepth`), take the input in pieces, or ask for less.",
    example: ({ DeltaAssembler }) =>
      new DeltaAssembler({ maxBytes: 20 }).pushBytes(bytes(`${JSON.stringify(START)}\n`)),
  },
  {
    code: "format",
    severity: "error",
    says: "A file is in a format that is read.",
    cure: "Give the file itself, not a page around it; name its `format` if it is not recognised. The formats are in `TRANSCRIPT_FORMATS`.",
    example: ({ Transcript }) => Transcript.open(bytes("<html></html>")),
  },
  {
    code: "source",
    severity: "error",
    says: "The bytes that `read` gives later are those that were opened.",
    cure: "Open the file anew: it was changed or removed meanwhile.",
    example: ({ Transcript }) => {
      const file = bytes(JSON.stringify([prompt(ID, [{ type: "text", text: "hi" }])]));
      const transcript = new Transcript({ read: () => new Uint8Array(0) });
      transcript.push(file);
      transcript.end();
      transcript.messages();
    },
  },
  {
    code: "prefix",
    severity: "error",
    says: "A file begins with its JSON; text before it is skipped.",
    cure: "Remove what a terminal or a status line has written before the first `{`.",
    example: ({ Transcript }) =>
      Transcript.open(bytes(`Exporting …\n${JSON.stringify({ info: { id: "s" }, messages: [] })}`)),
  },
  {
    code: "encoding",
    severity: "error",
    says: "A file is UTF-8; other bytes show as U+FFFD.",
    cure: "Save the file as UTF-8.",
    example: ({ Transcript }) => {
      const file = bytes(JSON.stringify([prompt(ID, [{ type: "text", text: "h@" }])]));
      file[file.indexOf(0x40)] = 0xff;
      return Transcript.open(file);
    },
  },
  {
    code: "events",
    severity: "error; a warning where nothing was lost",
    says: "A server's events fit together: each names what it is about, and what it changes was there before.",
    cure: "Record from the session's start; what did not fit is skipped.",
    example: ({ Transcript }) => {
      const event = { type: "message.updated", properties: {} };
      return Transcript.open(bytes(`data: ${JSON.stringify(event)}\n\n`), {
        format: "opencode-events",
      });
    },
  },
  {
    code: "claude-code",
    severity: "warning",
    says: "In a session of Claude Code each result has its call, and each call one result.",
    cure: "Nothing is lost: such a result is shown as text.",
    example: ({ Transcript }) => {
      const content = [{ type: "tool_result", tool_use_id: "gone", content: "ok" }];
      const line = { type: "user", uuid: "u", sessionId: "s", timestamp: "2025-02-17T08:30:00Z" };
      const file = JSON.stringify({ ...line, message: { role: "user", content } });
      return Transcript.open(bytes(file), { format: "claude-code" });
    },
  },
  {
    code: "zip",
    severity: "error; a warning where nothing was lost",
    says: "The archive of an Inspect log is whole, and its entries can be read.",
    cure: "Copy the file again. Entries packed with another method than deflate are left out: write the log as JSON.",
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
    code: "opencode",
    severity: "error where `opencode import` would stop; a warning for what it would drop",
    says: "A file is what `opencode import` takes: told by `openCodeProblems` and `validate --for opencode`.",
    cure: "Make the file with `toOpenCode` or `convert --to opencode`.",
    example: ({ Transcript, openCodeProblems }) => {
      const session = { info: { id: "s" }, messages: [{ info: answer({}), parts: [text({})] }] };
      return openCodeProblems(Transcript.open(bytes(JSON.stringify(session))));
    },
  },
].map((rule) => ({ source: "formats, transcripts", ...rule }));

/** Reasons of `CompactionError`. */
export const COMPACTION_ERRORS = [
  {
    code: "bad_config",
    says: "The numbers of a compaction's configuration are numbers, and not negative.",
    cure: "Correct the field that `details.field` names.",
    example: ({ SessionCompaction }) =>
      SessionCompaction.usable({ model: { limit: { context: -1 } } }),
  },
  {
    code: "empty_summary",
    says: "The text of a summary is not blank.",
    cure: "Ask for it again: nothing was changed.",
    example: ({ SessionCompaction }) => {
      const history = [prompt("m1", [text({})])];
      const plan = SessionCompaction.plan(history, { model: MODEL });
      SessionCompaction.applySummary(history, plan, " ", { now: 1 });
    },
  },
  {
    code: "stale_plan",
    says: "A plan is for the messages that it was made of.",
    cure: "Make a new plan: messages were added, removed or changed since.",
    example: ({ SessionCompaction }) => {
      const plan = SessionCompaction.plan([prompt("m1", [text({})])], { model: MODEL });
      SessionCompaction.summaryRequest([prompt("m2", [text({})])], plan);
    },
  },
  {
    code: "unknown_target",
    says: "What is undone is a compaction, or a part whose output was cleared.",
    cure: "Name the message of a compaction, or the id of such a part.",
    example: ({ SessionCompaction }) =>
      SessionCompaction.undo([prompt("m1", [text({})])], { messageID: "gone" }),
  },
].map((rule) => ({ severity: "error", source: "compaction", ...rule }));
