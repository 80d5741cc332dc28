// `apex-parts assemble`: streams of every format, from files and slow pipes, complete and damaged.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  at,
  DELTAS,
  delta,
  file,
  folder,
  ndjson,
  run,
  sse,
  start,
  streams,
  textOf,
} from "./command.mjs";

const OWN = streams(at("tests/fixtures/streams"));
const DELTA_FILE = file("deltas.ndjson", ndjson(DELTAS));
/** The longest file of each format, with the name of the format. */
const EACH = [
  ...new Map(OWN.toSorted((a, b) => a.size - b.size).map(({ format, path }) => [format, path])),
  ["delta", DELTA_FILE],
  ["delta", file("deltas.sse", sse(DELTAS))],
];

const lines = (text) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const runs = new Map();
/** A file assembled in this process, because a process for each takes time. */
function plain(path) {
  if (!runs.has(path)) runs.set(path, run(["assemble", path]));
  return runs.get(path);
}

/** The output of assemble; checks that it reports nothing if the exit code is 0. */
function assembled(args, input, isWhole = true) {
  const isPlain = args.length === 1 && input === undefined;
  const { status, stdout, stderr } = isPlain ? plain(args[0]) : run(["assemble", ...args], input);
  if (isWhole) assert.equal(stderr, "", args.join(" "));
  assert.equal(status, isWhole ? 0 : 1, args.join(" "));
  return JSON.parse(stdout);
}

/** The message without what differs between runs. */
const steady = ({ runId, timestamp, ...message }) => message;

/** The same for a message from deltas only: `meta` has only what deltas contain. */
function ofDeltas(message) {
  const { provider, toolResults, compaction, ...meta } = message.meta;
  return { role: message.role, parts: message.parts, meta };
}

/** Applies changes as a screen does. */
function shown(changes) {
  const parts = [];
  let status = "empty";
  for (const change of changes) {
    if (change.op === "status") status = change.status;
    else if (change.op === "append") {
      const { payload } = parts[change.part];
      payload[change.field === "text" ? "text" : "rawArgsText"] += change.text;
    } else {
      if (change.op === "add") assert.equal(change.part, parts.length);
      parts[change.part] = change.value;
    }
  }
  return { parts, status };
}

describe("our own streams", () => {
  for (const { name, format, path, expected } of OWN) {
    const [first] = expected.responses;
    const isOne = expected.responses.length === 1;
    test(`${name}: the message is the first response, with the format given or detected`, () => {
      const message = assembled([path], undefined, isOne);
      for (const kind of ["text", "thinking"]) {
        const wanted = first.parts.filter((part) => part[0] === kind).map((part) => part[1]);
        assert.equal(textOf(message, kind), wanted.join(""));
      }
      assert.deepEqual(
        message.parts
          .filter((part) => part.kind === "tool_call")
          .map(({ payload }) => [payload.toolCallId, payload.toolName, payload.arguments]),
        first.calls.map(({ id, name, args }) => [id, name, JSON.parse(args || "{}")]),
      );
      assert.equal(message.meta.finishReason, first.finish);
      assert.equal(message.meta.requestId, first.request);
      const named = assembled(["--format", format, path], undefined, isOne);
      assert.deepEqual(steady(named), steady(message));
    });

    test(`${name}: --parts is a valid message with the same content`, () => {
      const message = assembled([path], undefined, isOne);
      const made = assembled(["--parts", path], undefined, isOne);
      const { status, stdout } = run(["validate", "--ids", "apex", "-"], JSON.stringify(made));
      assert.equal(status, 0, stdout);
      assert.match(stdout, /^0 errors, \d+ warnings? in 1 message$/m);
      const of = {
        ...{ text: "text", thinking: "reasoning", tool_call: "tool" },
        // Custom parts that are files.
        ...{ "ai-sdk-file": "file", "google-inlineData": "file", "google-fileData": "file" },
      };
      assert.deepEqual(
        made.parts.map(({ type }) => type),
        [
          "step-start",
          ...message.parts.map(({ kind, payload: { type } }) => of[kind] ?? of[type] ?? type),
          "step-finish",
        ],
      );
      const texts = made.parts.filter(({ type }) => type === "text").map(({ text }) => text);
      assert.equal(texts.join(""), textOf(message, "text"));
      assert.equal(made.info.providerID, format);
    });

    test(`${name}: --deltas prints those of every response, which can be assembled again`, () => {
      const { status, stdout, stderr } = run(["assemble", "--deltas", path]);
      const deltas = lines(stdout);
      const kinds = (...wanted) => deltas.filter(({ kind }) => wanted.includes(kind));
      assert.equal(kinds("start").length, expected.responses.length);
      assert.equal(kinds("done", "error").length, expected.responses.length);
      const failed = expected.responses.filter(({ error }) => error);
      assert.equal(status, failed.length > 0 ? 1 : 0);
      assert.equal(stderr.match(/the stream ended with an error/g)?.length ?? 0, failed.length);
      for (const kind of ["text", "thinking"]) {
        const wanted = expected.responses.flatMap(({ parts }) => parts);
        assert.equal(
          kinds(kind)
            .map(({ payload }) => payload.textDelta)
            .join(""),
          wanted
            .filter((part) => part[0] === kind)
            .map((part) => part[1])
            .join(""),
        );
      }
      const ofFirst = deltas.filter(({ runId }) => runId === deltas[0].runId);
      const again = assembled(["--format", "delta", "-"], ndjson(ofFirst));
      const whole = assembled([path], undefined, isOne);
      assert.deepEqual(ofDeltas(again), ofDeltas(whole));
    });
  }
});

describe("deltas", () => {
  test("as NDJSON or SSE, with the format given or detected: the same message", () => {
    const message = assembled([DELTA_FILE]);
    assert.equal(textOf(message, "text"), "Hello, wörld 😀");
    assert.equal(message.runId, "r");
    assert.equal(message.timestamp, DELTAS[0].timestamp);
    for (const args of [["deltas.sse"], ["--format=delta", "deltas.sse"], ["deltas.ndjson"]]) {
      const path = join(folder, args.pop());
      assert.deepEqual(assembled([...args, path]), message);
      assert.deepEqual(assembled([...args, "-"], readFileSync(path)), message);
    }
    // As the format of a file they are called `deltas`; both names work.
    assert.deepEqual(assembled(["--format", "deltas", DELTA_FILE]), message);
  });

  test("--deltas prints them unchanged", () => {
    const { status, stdout } = run(["assemble", "--deltas", DELTA_FILE]);
    assert.equal(status, 0);
    assert.deepEqual(lines(stdout), DELTAS);
  });

  test("of an unknown kind: a warning and exit code 0", () => {
    const more = [DELTAS[0], delta(2, "citation", {}), ...DELTAS.slice(2)];
    const { status, stdout, stderr } = run(["assemble", "-"], ndjson(more));
    assert.equal(status, 0);
    assert.match(stderr, /^standard input: warning DC-15 \(byte \d+\): .*"citation".*skipped/);
    assert.equal(textOf(JSON.parse(stdout), "text"), "Hello, wörld 😀");
  });
});

describe("--follow", () => {
  /** Reads the changes one at a time. */
  function followed(t) {
    const child = start(["assemble", "--follow", "-"]);
    t.after(() => child.kill());
    const reader = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    const changes = [];
    return {
      changes,
      write: (bytes) => new Promise((resolve) => child.stdin.write(bytes, resolve)),
      /** The next change; undefined if none arrives in time. */
      async next() {
        const line = await Promise.race([reader.next(), sleep(10_000)]);
        if (!line || line.done) return undefined;
        changes.push(JSON.parse(line.value));
        return changes.at(-1);
      },
      async end() {
        const closed = once(child, "close");
        child.stdin.end();
        while (await this.next());
        const [code] = await closed;
        return { code, stderr };
      },
    };
  }

  for (const [format, path] of EACH) {
    test(`${format}: changes are printed while the pipe is open, and add up to the message`, async (t) => {
      const bytes = readFileSync(path);
      const follow = followed(t);
      // Two thirds, then nothing: their changes must be printed while the pipe is still open.
      const cut = Math.floor((bytes.length * 2) / 3);
      await follow.write(bytes.subarray(0, cut));
      for (let seen; seen === undefined || !seen.parts.length || seen.status === "empty"; ) {
        assert.ok(await follow.next(), "no change came before the end");
        seen = shown(follow.changes);
      }
      for (let i = cut; i < bytes.length; i += 100) await follow.write(bytes.subarray(i, i + 100));
      const { code, stderr } = await follow.end();
      const whole = plain(path);
      assert.equal(code, whole.status);
      assert.equal(stderr.replaceAll("standard input", path), whole.stderr);
      const { parts, status } = shown(follow.changes);
      assert.deepEqual(parts, JSON.parse(whole.stdout).parts);
      assert.equal(status, "done");
    });
  }

  test("every record is printed before the next one is sent, however small", async (t) => {
    const follow = followed(t);
    for (const one of DELTAS.slice(0, 4)) {
      await follow.write(`${JSON.stringify(one)}\n`);
      assert.ok(await follow.next());
    }
    assert.deepEqual(follow.changes, [
      { op: "status", status: "streaming" },
      { op: "add", part: 0, value: { kind: "thinking", payload: { text: "Hm." } } },
      { op: "add", part: 1, value: { kind: "text", payload: { text: "Hello, w" } } },
      { op: "append", part: 1, field: "text", text: "örld " },
    ]);
    await follow.end();
  });

  test("the format is detected as soon as the line of the first record has ended", async (t) => {
    const follow = followed(t);
    const long = delta(1, "start", { modelId: "m".repeat(300_000), requestId: "q" });
    const line = `${JSON.stringify(long)}\n`;
    for (let i = 0; i < line.length; i += 30_000) await follow.write(line.slice(i, i + 30_000));
    assert.deepEqual(await follow.next(), { op: "status", status: "streaming" });
    await follow.end();
  });

  test("from a file", () => {
    const { status, stdout, stderr } = run(["assemble", "--follow", DELTA_FILE]);
    assert.equal(status, 0);
    assert.equal(stderr, "");
    assert.deepEqual(shown(lines(stdout)).parts, assembled([DELTA_FILE]).parts);
  });
});

describe("damaged input: problems with offsets on standard error, the result on standard output", () => {
  /** Checks for exit code 1; returns standard output and standard error. */
  function broken(input, ...args) {
    const { status, stdout, stderr } = run(["assemble", ...args, "-"], input);
    assert.equal(status, 1, stderr);
    assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
    return { stdout, stderr };
  }

  test("a stream of each format cut in the middle", () => {
    for (const [format, path] of EACH) {
      // Cut within a record of the first response.
      const bytes = readFileSync(path);
      const { stdout, stderr } = broken(bytes.subarray(0, Math.floor(bytes.length / 3)));
      assert.match(stderr, /error (?:DC-2|json) \(byte \d+\): /, format);
      const [part] = JSON.parse(stdout).parts;
      const [whole] = JSON.parse(plain(path).stdout).parts;
      assert.equal(part.kind, whole.kind, format);
      assert.ok(part.payload.text && whole.payload.text.startsWith(part.payload.text), format);
    }
  });

  test("a stream that just stops: the problem is at its end, and the parts are valid", () => {
    const text = ndjson(DELTAS.slice(0, -1));
    const { stderr } = broken(text);
    assert.match(
      stderr,
      new RegExp(`error DC-2 \\(byte ${Buffer.byteLength(text)}\\): .*without .done.`),
    );
    const { stdout } = broken(text, "--parts");
    assert.equal(run(["validate", "-"], stdout).status, 0);
    assert.match(broken(text, "--follow").stdout, /"status":"error"\}\n$/);
  });

  test("a cut within a record is reported with the offset of the record", () => {
    const text = ndjson(DELTAS.slice(0, 4));
    const { stdout, stderr } = broken(text.slice(0, -20));
    const last = Buffer.byteLength(ndjson(DELTAS.slice(0, 3)));
    assert.match(stderr, new RegExp(`error json \\(byte ${last}\\): `));
    assert.equal(textOf(JSON.parse(stdout), "text"), "Hello, w");
  });

  test("a line that is not JSON, one that is not a delta, one that violates the contract", () => {
    const good = ndjson(DELTAS.slice(0, 3));
    for (const [line, says] of [
      ["{oops\n", /error json \(byte AT\)/],
      ['{"runId":"r","seq":4}\n', /error schema \(byte AT\)/],
      [ndjson([delta(3, "text", { textDelta: "again" })]), /error DC-3 \(byte AT\)/],
      [ndjson([{ ...delta(4, "text", { textDelta: "x" }), runId: "other" }]), /DC-4 \(byte AT\)/],
      [ndjson([delta(4, "tool_call_end", { toolCallId: "nobody" })]), /error DC-6 \(byte AT\)/],
    ]) {
      const { stdout, stderr } = broken(good + line + ndjson(DELTAS.slice(3)));
      assert.match(stderr, new RegExp(says.source.replace("AT", Buffer.byteLength(good))));
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
      assert.equal(textOf(JSON.parse(stdout), "text"), "Hello, wörld 😀");
      // The same with --follow; and --deltas prints the valid ones.
      assert.equal(broken(good + line + ndjson(DELTAS.slice(3)), "--follow").stderr, stderr);
      const { stdout: printed } = broken(good + line + ndjson(DELTAS.slice(3)), "--deltas");
      assert.ok(lines(printed).length >= DELTAS.length);
    }
  });

  test("a stream that reports its own failure", () => {
    const failed = [
      ...DELTAS.slice(0, 3),
      delta(4, "error", { errorCode: "overloaded", message: "Try again." }),
    ];
    for (const args of [[], ["--parts"], ["--follow"], ["--deltas"]]) {
      const { stdout, stderr } = broken(ndjson(failed), ...args);
      assert.equal(stderr, "standard input: the stream ended with an error: Try again.\n");
      assert.match(stdout, /Hello, w/);
    }
  });

  test("after the first 20, problems are only counted", () => {
    const { stderr } = broken(ndjson(DELTAS.slice(0, 3)) + "{oops\n".repeat(500));
    const said = stderr.trim().split("\n");
    assert.equal(said.length, 21);
    // 500 lines, and the missing end.
    assert.match(said.at(-1), /… and 481 problems more$/);
  });

  test("a second response: the first is printed, and one line says how to get the rest", () => {
    const { path, expected } = OWN.find(({ name }) => name === "responses.anthropic.sse");
    const { status, stdout, stderr } = run(["assemble", path]);
    assert.equal(status, 1);
    const [first] = expected.responses;
    assert.equal(textOf(JSON.parse(stdout), "text"), first.parts[0][1]);
    assert.match(stderr, /error DC-2 \(byte \d+\): the message has ended, .*--deltas prints all/);
    assert.equal(stderr.trim().split("\n").length, 1);
    const offset = Number(/byte (\d+)/.exec(stderr)[1]);
    assert.match(readFileSync(path, "utf8").slice(offset), /^\{"type":"message_start"/);
  });

  test("--think-tags: what stands between the tags is thinking, in each form of the output", () => {
    const chunk = (content, finish_reason) => ({
      ...{ id: "c", model: "m" },
      choices: [{ index: 0, delta: { content }, finish_reason }],
    });
    const path = file("think.sse", sse([chunk("<thi"), chunk("nk>b</think>c", "stop")]));
    const shown = (...options) => JSON.parse(run(["assemble", ...options, path]).stdout);
    assert.equal(textOf(shown(), "text"), "<think>b</think>c");
    const { parts } = shown("--think-tags");
    assert.deepEqual(
      parts.map(({ kind, payload }) => [kind, payload.text]),
      [
        ["thinking", "b"],
        ["text", "c"],
      ],
    );
    const deltas = lines(run(["assemble", "--think-tags", "--deltas", path]).stdout);
    assert.deepEqual(
      deltas.map(({ kind }) => kind),
      ["start", "thinking", "text", "done"],
    );
  });

  test("records with nothing between them are shown as they arrive", async (t) => {
    const record = (content, done) =>
      JSON.stringify({
        model: "m",
        created_at: "t",
        message: { role: "assistant", content },
        done,
      });
    const child = start(["assemble", "--follow", "-"]);
    t.after(() => child.kill());
    const shown = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(record("one", false));
    const first = [];
    // The text comes before the stream has ended.
    while (!first.some((line) => line.includes("one"))) first.push((await shown.next()).value);
    child.stdin.end(record("", true));
    await once(child, "close");
    assert.equal(child.exitCode, 0);
  });

  test("unknown streams, missing files and wrong options are one sentence", () => {
    const subtask = at("tests/fixtures/subtask.export.json");
    for (const [args, code, says] of [
      [[file("empty", "")], 1, /empty: the file is empty/],
      [["--follow", file("empty", "")], 1, /the file is empty/],
      [["--format", "delta", file("empty", "")], 1, /the file is empty|DC-2/],
      [[file("page.html", "<html>\n<body>\n")], 1, /not a known stream; --format says/],
      [[subtask], 1, /not a known stream, but OpenCode Export, a transcript: inspect reads it/],
      [
        [file("exec", '{"type":"thread.started","thread_id":"t"}\n')],
        1,
        /exec: This looks like Codex exec --json, which is not read; read are: delta, anthropic, /,
      ],
      [[file("blank", "\n\n\n")], 1, /not a known stream/],
      [["--format", "x", DELTA_FILE], 2, /--format must be one of delta, anthropic, .*, not x/],
      [["--format", "with-parts", DELTA_FILE], 2, /--format must be one of/],
      [["--parts", "--deltas", DELTA_FILE], 2, /use --parts or --deltas, not both/],
      [["--deltas", "--follow", DELTA_FILE], 2, /, not both/],
      [["--ids", "apex", DELTA_FILE], 2, /assemble has no --ids/],
      [[join(folder, "nowhere")], 2, /nowhere: no such file/],
      [["--follow", join(folder, "nowhere")], 2, /no such file/],
      [[folder], 2, /it is a folder/],
      [[], 2, /assemble takes one FILE/],
    ]) {
      const { status, stdout, stderr } = run(["assemble", ...args]);
      assert.equal(status, code, `${args}: ${stderr}`);
      assert.equal(stdout, "");
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
    }
  });

  test("a wrong format: nothing is assembled", () => {
    for (const [format] of EACH.filter(([name]) => name !== "delta")) {
      const { stdout, stderr } = broken(readFileSync(DELTA_FILE), "--format", format);
      assert.match(stderr, /error (?:schema|DC-2) \(byte \d+\)/, format);
      if (stdout !== "") assert.deepEqual(JSON.parse(stdout).parts, [], format);
    }
  });
});

describe("large streams", () => {
  test("a reader that closes early ends it quietly", async () => {
    const many = Array.from({ length: 30_000 }, (_, i) =>
      delta(i + 2, "text", { textDelta: "word " }),
    );
    const path = file("many.ndjson", ndjson([DELTAS[0], ...many]));
    for (const way of ["--deltas", "--follow"]) {
      const child = start(["assemble", way, path]);
      let stderr = "";
      child.stderr.on("data", (text) => {
        stderr += text;
      });
      const closed = once(child, "close");
      await once(child.stdout, "data");
      child.stdout.destroy();
      const [code, signal] = await closed;
      assert.deepEqual([code, signal, stderr], [0, null, ""], way);
    }
  });

  test("a stream is not kept in memory: 200 MB need a fraction of that", async () => {
    const report = "process.on('exit', () => console.error(process.resourceUsage().maxRSS))";
    const flag = `--import=data:text/javascript,${encodeURIComponent(report)}`;
    const child = start(["assemble", "-"], flag);
    const out = [];
    let stderr = "";
    child.stdout.on("data", (bytes) => out.push(bytes));
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    const closed = once(child, "close");
    // The data of the provider is not part of the message, which is small.
    const providerRaw = { filler: "x".repeat(1 << 20) };
    for (let i = 1; i <= 200; i++) {
      const one = i === 1 ? DELTAS[0] : delta(i, "text", { textDelta: "." });
      const isReady = child.stdin.write(`${JSON.stringify({ ...one, providerRaw })}\n`);
      if (!isReady) await once(child.stdin, "drain");
    }
    child.stdin.end(ndjson([delta(201, "done", { finishReason: "stop" })]));
    const [code] = await closed;
    assert.equal(code, 0, stderr);
    assert.equal(textOf(JSON.parse(Buffer.concat(out)), "text"), ".".repeat(199));
    const kilobytes = Number(stderr);
    assert.ok(kilobytes > 20_000 && kilobytes < 180_000, `${kilobytes} KB at the most`);
  });
});
