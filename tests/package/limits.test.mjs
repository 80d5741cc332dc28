// Input larger than the module's memory is refused with an error that says `limit`, and every object
// continues to work. These buffers and strings are never read or written, so they need hardly any memory.
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("limits"))("apex-parts");
});
beforeEach(() => parts.setLogger(undefined));

const LONGEST = 2 ** 29 - 24;
/** The longest string of this engine: a rope, which takes memory only when it is read. */
const long = () => "x".repeat(LONGEST);

/** A buffer that is never written to; undefined if this machine cannot allocate it. */
function sparse(length) {
  try {
    return new Uint8Array(length);
  } catch {
    return undefined;
  }
}

/** The error of a call: an ApexPartsError of this name that says `limit`. */
function limit(call, name) {
  let error;
  assert.throws(call, (thrown) => {
    error = thrown;
    return true;
  });
  assert.ok(parts.isApexPartsError(error), String(error?.stack));
  assert.equal(error.name, name, error.message);
  assert.match(error.message, / \(limit\)$/);
  assert.equal(error.details.rule ?? error.details.problems?.[0].rule, "limit");
  return error;
}

const delta = (seq, kind, payload) => ({
  runId: "r",
  seq,
  kind,
  payload,
  timestamp: "2025-02-17T08:30:00.000Z",
});
const START = delta(1, "start", { modelId: "m", requestId: "q" });
const IDS = { sessionID: "s", messageID: "m" };
const textPart = (text) => ({ ...IDS, id: "p", type: "text", text });
const message = (...own) => ({
  info: { id: "m", sessionID: "s", role: "assistant", time: { created: 1 } },
  parts: own,
});
const FILE = Buffer.from(JSON.stringify([message(textPart("hello"))]));

/** Checks that it refuses with `limit`, and then still assembles its message. */
function assertGoesOn(refuses) {
  const assembler = new parts.DeltaAssembler();
  assembler.push(START);
  assembler.push(delta(2, "text", { textDelta: "Hello, " }));
  const error = limit(() => refuses(assembler), "DeltaContractError");
  assembler.pushBytes(Buffer.from(`${JSON.stringify(delta(3, "text", { textDelta: "world" }))}\n`));
  assembler.push(delta(4, "done", { finishReason: "stop" }));
  assembler.end();
  assert.equal(assembler.message().parts[0].payload.text, "Hello, world");
  assert.deepEqual(assembler.problems(), []);
  assembler.free();
  return error;
}

for (const gib of [2, 3, 4]) {
  describe(`${gib} GiB of bytes`, () => {
    /** A test that is skipped with a reason if there is no such buffer. */
    const withBytes = (title, run) =>
      test(title, (t) => {
        const bytes = sparse(gib * 2 ** 30);
        if (bytes === undefined) t.skip(`this machine gives no buffer of ${gib} GiB`);
        else run(bytes);
      });

    withBytes("pushBytes refuses them, and the assembler goes on", (bytes) => {
      assertGoesOn((assembler) => assembler.pushBytes(bytes));
    });

    withBytes("restore, readDeltas and streamFormat refuse them", (bytes) => {
      limit(() => parts.DeltaAssembler.restore(bytes), "DeltaContractError");
      limit(() => parts.readDeltas("anthropic", bytes), "DeltaContractError");
      limit(() => parts.streamFormat(bytes), "DeltaContractError");
      limit(() => parts.streamFormat(bytes.buffer), "DeltaContractError");
      limit(() => parts.looksLike(bytes), "DeltaContractError");
    });

    withBytes("a `read` that gives them is an error, and the transcript goes on", (bytes) => {
      const transcript = new parts.Transcript({ read: () => bytes });
      transcript.push(FILE);
      transcript.end();
      assert.throws(() => transcript.message(0), /\(limit\)/);
      assert.equal(transcript.messageCount, 1);
      transcript.free();
    });

    if (gib >= 4) {
      withBytes("Transcript.push refuses them, and takes others", (bytes) => {
        const transcript = new parts.Transcript();
        limit(() => transcript.push(bytes), "TranscriptError");
        transcript.push(FILE);
        transcript.end();
        assert.equal(transcript.message(0).parts[0].text, "hello");
        transcript.free();
      });
    }
  });
}

describe("a string of 512 MB", () => {
  test("in a delta is a limit error with its place, and the assembler continues", () => {
    for (const [kind, payload, path] of [
      ["text", { textDelta: long() }, "/payload/textDelta"],
      ["thinking", { textDelta: long() }, "/payload/textDelta"],
      ["tool_call_start", { toolCallId: long(), toolName: "t" }, "/payload/toolCallId"],
      ["done", { finishReason: long() }, "/payload/finishReason"],
    ]) {
      const error = assertGoesOn((assembler) => assembler.push(delta(3, kind, payload)));
      const name = path.slice(1).replace("/", ".");
      assert.match(error.message, new RegExp(`\`${name}\` has ${LONGEST} characters.*maxBytes`));
      assert.equal(error.details.path, path);
    }
    const meta = { a: long(), b: "x" };
    const error = assertGoesOn((a) => a.push(delta(3, "done", { finishReason: "stop", meta })));
    assert.doesNotMatch(error.message, /BigInt/);
  });

  test("in other arguments of an assembler is a limit error", () => {
    limit(() => new parts.DeltaAssembler({ runId: long() }), "DeltaContractError");
    limit(() => new parts.DeltaAssembler({ format: long() }), "DeltaContractError");
    assertGoesOn((assembler) => assembler.toWithParts({ sessionID: long(), path: {} }));
  });

  test("as a query is a limit error, and the transcript continues", () => {
    const transcript = parts.Transcript.open(FILE);
    for (const options of [{}, { regex: true }]) {
      limit(() => transcript.search(long(), options), "TranscriptError");
      limit(() => transcript.searchColumns(long(), options), "TranscriptError");
    }
    limit(() => transcript.messagesOf(long()), "TranscriptError");
    limit(() => new parts.Transcript({ format: long() }), "TranscriptError");
    assert.equal(transcript.search("hello").length, 1);
    transcript.free();
  });

  test("as Markdown, a page or a message is a limit error", () => {
    limit(() => parts.renderMarkdown(long()), "PartValidationError");
    limit(() => parts.messageToHtml(message(textPart(long()))), "PartValidationError");
    limit(() => parts.messageToMarkdown(message(textPart(long()))), "PartValidationError");
    limit(() => parts.markdownHead({ title: long() }), "PartValidationError");
    limit(() => parts.htmlPage({ title: "", facts: [long()] }), "PartValidationError");
    assert.equal(parts.renderMarkdown("*a*"), "<p><em>a</em></p>\n");
  });

  test("for a detector is a limit error, and the detector continues", () => {
    const detector = new parts.DoomLoopDetector();
    detector.check({ toolName: "read", parameters: {} });
    limit(() => detector.text(long()), "PartValidationError");
    limit(() => detector.check({ toolName: long(), parameters: {} }), "PartValidationError");
    limit(() => detector.record({ result: long() }), "PartValidationError");
    limit(() => detector.event(long()), "PartValidationError");
    limit(() => parts.DoomLoopDetector.restore(long()), "PartValidationError");
    assert.equal(detector.check({ toolName: "read", parameters: { a: 1 } }).stepCount, 2);
    detector.free();
  });

  test("for a recorder is a limit error, and the recorder continues", () => {
    limit(() => new parts.ReActRecorder({ ...IDS, sessionID: long() }), "PartValidationError");
    const run = new parts.ReActRecorder(IDS);
    run.startStep();
    run.startReasoning();
    run.appendReasoning("Hm");
    limit(() => run.appendReasoning(long()), "PartValidationError");
    run.appendReasoning(".");
    assert.equal(run.finishReasoning().text, "Hm.");
    limit(() => run.appendText(long()), "PartValidationError");
    limit(() => run.startTool(long(), "t", {}), "PartValidationError");
    limit(() => run.startTool("c", long(), {}), "PartValidationError");
    limit(() => run.finishStep(long()), "PartValidationError");
    run.startTool("c", "t", {});
    limit(() => run.finishTool(long(), { output: "o" }), "PartValidationError");
    run.finishTool("c", { output: "o" });
    assert.deepEqual(
      run.parts().map((part) => part.type),
      ["step-start", "reasoning", "tool"],
    );
    run.free();
  });

  test("in place of a word is reported, also by functions that do not throw", () => {
    const state = { status: long(), input: {}, raw: "" };
    const tool = { ...IDS, id: "p", type: "tool", callID: "c", tool: "t", state };
    const { valid, problems } = parts.PartValidator.validatePart(tool);
    assert.equal(valid, false);
    assert.ok(problems.some((problem) => problem.rule === "limit"));
    assert.ok(parts.checkRun([{ role: long() }]).some((problem) => problem.rule === "limit"));
    limit(() => parts.pendingToRunning(state), "PartValidationError");
    // Only that call is affected.
    assert.equal(parts.PartValidator.validatePart({}).problems[0].rule, "BR-01");
    assert.equal(parts.pendingToRunning({ ...state, status: "pending" }).status, "running");
  });

  test("is accepted where it is passed by reference", () => {
    const text = long();
    assert.equal(parts.createTextPart({ ...IDS, text }).text, text);
    const state = { status: "completed", input: {}, output: "o", title: "", metadata: {} };
    const tool = { ...IDS, id: "p", type: "tool", callID: "c", tool: text, state };
    limit(() => parts.toModelMessage([message(tool)]), "PartValidationError");
  });
});

test("Markdown with more markup than the parser has memory for is a limit error", () => {
  for (const mark of ["&", "> ", "*a ", "\n"]) {
    const text = mark.repeat(2 ** 23 + 1);
    limit(() => parts.renderMarkdown(text), "PartValidationError");
    limit(() => parts.messageToHtml(message(textPart(text))), "PartValidationError");
  }
});

test("more matches than fit into one result are a limit error, and searchColumns has them", () => {
  const transcript = parts.Transcript.open(
    Buffer.from(JSON.stringify([message(textPart("a".repeat(3e6)))])),
  );
  limit(() => transcript.search("a", { limit: 1e9 }), "TranscriptError");
  assert.equal(transcript.search("a").length, 1000);
  assert.equal(transcript.searchColumns("a", { limit: 1e9 }).starts.length, 3e6);
  transcript.free();
});
