// Figures with one label are equal wherever they stand: in the text and the JSON of `inspect`, in the row of a folder,
// in `summary()` and `stats()`. Over every recorded file and every fixture, alone and in a folder.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { after, before, describe, test } from "node:test";
import { runFiles, Transcript } from "../../pkg/node.mjs";
import { files } from "../../scripts/lib.mjs";
import { inputs } from "../inputs.mjs";
import { recorded, recordedFiles } from "../recorded.mjs";
import { at, run } from "./command.mjs";

const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };
/** Files in which no message is read, as the tests of their formats say. */
const EMPTY = /no-samples|qwen/;

const below = (folder, pattern) =>
  inputs(at(folder), pattern).map((name) => at(`${folder}/${name}`));
const FILES = [
  ...below("tests/fixtures", /\.export\.json$/),
  ...below("tests/fixtures/formats", /\.txt$/),
  ...recordedFiles("agents", /^/),
  ...recordedFiles("opencode", /\.(?:events\.sse|export\.json)$/),
  ...recordedFiles("compaction", /\.export\.json$/),
  ...recordedFiles("providers", /\.sse$/),
].filter((path) => !EMPTY.test(path));

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 1, `${what}: ${a}, ${b}`);
const total = ({ input, output, reasoning, cache }) =>
  input + output + reasoning + cache.read + cache.write;

/** What the library says of a transcript. */
function toldBy(transcript) {
  const [summary, stats] = [transcript.summary(), transcript.stats()];
  const loops = transcript.loops(FINISHED);
  const sessions = transcript.sessions.map(({ id }) => ({
    id,
    stats: transcript.stats({ session: id }),
    summary: transcript.summary({ session: id }),
  }));
  return { summary, stats, loops, sessions, calls: transcript.breakdown("tool") };
}

/** As JSON, without the ids of parts: those that a file does not have are made up. */
const withoutIds = (value) =>
  JSON.parse(JSON.stringify(value, (name, inner) => (name === "id" ? undefined : inner)));

const failedOf = ({ tools }) => sum(Object.values(tools).map(({ failedCalls }) => failedCalls));

/** The figures of the library among themselves. */
function agree({ summary, stats, sessions, calls }) {
  const { failed, failures, failureGroups, mended, errors, messageErrors, time, totals } = summary;
  assert.equal(failed, failedOf(stats), "failed: summary() and stats()");
  assert.equal(failed, failures.length, "failed and failures");
  assert.equal(failed, sum(failureGroups.map(({ count }) => count)), "failed and failureGroups");
  assert.equal(mended, sum(failureGroups.map((group) => group.mended)), "mended");
  assert.equal(messageErrors, errors.length, "messageErrors and errors");
  assert.equal(summary.cost ?? 0, stats.cost, "cost: summary() and stats()");
  if (totals.files !== undefined) assert.equal(totals.files, summary.files.length, "files");
  assert.equal(totals.commits, summary.commits.length, "commits");
  if (time !== undefined) {
    near(time.busy, time.model + time.tools, "busy");
    near(time.total, time.busy + time.waiting + time.idle, "total");
  }
  for (const { name, calls: number, failed: bad } of calls) {
    const { calls: all, failedCalls } = stats.tools[name] ?? {};
    assert.deepEqual([name, number, bad], [name, all, failedCalls], "breakdown and stats()");
  }
  for (const own of sessions) assert.equal(own.summary.failed, failedOf(own.stats), own.id);
  assert.equal(stats.messages, sum(sessions.map((own) => own.stats.messages)), "messages");
  assert.equal(failed, sum(sessions.map((own) => own.summary.failed)), "failed of all sessions");
}

/** The rest of the line of a label in the text of `inspect`. */
const line = (text, label) => new RegExp(`^ {2}${label} +(.*)$`, "mu").exec(text)?.[1];
const numberOf = (words) => Number((/^[\d,]+/u.exec(words ?? "")?.[0] ?? "").replaceAll(",", ""));

/** The text of `inspect`, beside what the library says. */
function textAgrees(text, { summary, stats, loops, sessions }) {
  assert.equal(numberOf(line(text, "failed")), summary.failed, "the line failed");
  assert.equal(numberOf(line(text, "requests")), summary.requests, "the line requests");
  const [first, ...others] = summary.models;
  const model = first === undefined ? "—" : first + (others.length > 0 ? ` +${others.length}` : "");
  assert.equal(line(text, "model"), model, "the line model");
  assert.equal(line(text, "ended")?.split(":")[0], summary.ended?.how ?? "—", "the line ended");
  // Both lines with the cost say the same.
  const steps = /^([\d,]+) steps?, (.*)$/mu.exec(text);
  assert.deepEqual([numberOf(steps[1]), steps[2]], [stats.steps, line(text, "cost")], "cost");
  assert.equal(line(text, "cost") === "—", summary.cost === undefined, "the line cost");
  const { tokens } = stats;
  const [, ...counts] =
    /^tokens: (\d+) in, (\d+) out, (\d+) reasoning, cache (\d+) read, (\d+) written$/mu.exec(text);
  const { input, output, reasoning, cache } = tokens;
  assert.deepEqual(counts.map(Number), [input, output, reasoning, cache.read, cache.write]);
  const [, messages, parts] = /^\S+: ([\d,]+) messages?, ([\d,]+) parts?$/mu.exec(text);
  assert.equal(numberOf(messages), stats.messages, "messages");
  assert.equal(numberOf(parts), sum(Object.values(stats.parts)), "parts");
  // The table of tools: one column of those that failed.
  const rows = [...text.matchAll(/^ {2}\S.* [\d,]+ calls? +([\d,]+) failed {2}.*$/gmu)];
  assert.equal(sum(rows.map(([, failed]) => numberOf(failed))), summary.failed, "the table");
  if (sessions.length > 1) {
    const rows = [...text.matchAll(/\): ([\d,]+) messages?, ([\d,]+) failed, ([\d,]+) tokens/gu)];
    const figures = sessions.slice(0, 100).map((own) => {
      const { messages: number, tokens: all } = own.stats;
      return [number, own.summary.failed, total(all)];
    });
    assert.deepEqual(
      rows.map(([, ...row]) => row.map(numberOf)),
      figures,
      "the lines of sessions",
    );
  }
  const listed = text.split("\nsummary\n")[0].match(/^ {4}\S/gmu) ?? [];
  assert.equal(listed.length, loops.length, "loops");
  assert.equal(stats.start === undefined, !/^from /mu.test(text), "the line from");
}

describe("figures with one label are equal", () => {
  for (const path of FILES) {
    test(basename(path), () => {
      const transcript = Transcript.open(readFileSync(path));
      const told = toldBy(transcript);
      transcript.free();
      agree(told);
      const text = run(["inspect", path]);
      assert.equal(text.status, 0, text.stderr);
      textAgrees(text.stdout, told);
      const json = JSON.parse(run(["inspect", path, "--json"]).stdout);
      const plain = withoutIds(told);
      assert.deepEqual(withoutIds(json.summary), plain.summary);
      assert.deepEqual(json.stats, plain.stats);
      assert.equal(json.messageCount, told.stats.messages);
      const own = ({ messages, failed, tokens, cost }) => [messages, failed, tokens, cost];
      assert.deepEqual(
        json.sessions.map(own),
        told.sessions.map(({ stats, summary }) => own({ ...stats, failed: summary.failed })),
      );
    });
  }
});

describe("the rows of a folder say what its runs do", () => {
  let folder;
  let rows;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "apex-parts-figures-"));
    for (const [number, path] of FILES.entries()) {
      const name = basename(path).replace(/\.txt$/, ".jsonl");
      mkdirSync(join(folder, `${number}`));
      cpSync(path, join(folder, `${number}`, name));
    }
    cpSync(recorded("runs"), join(folder, "runs"), { recursive: true });
    const { status, stdout, stderr } = run(["inspect", folder, "--json"]);
    assert.equal(status, 0, stderr);
    rows = JSON.parse(stdout).runs;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("each of them", () => {
    const all = files(folder).map((path) => ({
      path: relative(folder, path).split(sep).join("/"),
      bytes: readFileSync(path),
    }));
    const groups = new Map(runFiles(all).map((paths) => [paths[0], paths]));
    assert.ok(rows.length >= FILES.length, `${rows.length} rows`);
    for (const row of rows) {
      const paths = groups.get(row.file.split(sep).join("/"));
      const own = all.filter(({ path }) => paths.includes(path));
      const transcript =
        own.length === 1 ? Transcript.open(own[0].bytes) : Transcript.openFiles(own);
      const told = toldBy(transcript);
      const { summary, stats, loops } = told;
      if (own.length > 1) agree(told);
      transcript.free();
      const figures = {
        ...{ title: summary.title, ended: summary.ended?.how, models: summary.models },
        ...{ agents: summary.agents, failed: summary.failed, cost: summary.cost },
        ...{ messages: stats.messages, tokens: stats.tokens, start: stats.start },
        ...{ loops: loops.length, busyMs: summary.time?.total ? summary.time.busy : undefined },
      };
      for (const [name, figure] of Object.entries(figures)) {
        assert.deepEqual(row[name], figure, `${row.file}: ${name}`);
      }
      for (const [i, session] of row.sessions.entries()) {
        const { stats: of, summary: what } = told.sessions[i];
        assert.deepEqual(
          [session.messages, session.failed, session.tokens, session.cost],
          [of.messages, what.failed, of.tokens, of.cost],
          `${row.file}: ${session.id}`,
        );
      }
    }
  });
});
