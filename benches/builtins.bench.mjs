// The built-in tools: edits, pages of files, searches; as calls and, where a call does more than the rule, the
// rule by itself.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtinTools, nodeHost } from "../pkg/host.mjs";
import { setLogger, ToolRegistry } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { duration, report, sideBySide } from "./lib/measure.mjs";

setLogger(undefined);
// What the tools ask their module.
const rules = createRequire(import.meta.url)("../pkg/tools.glue.cjs");
const folder = mkdtempSync(join(tmpdir(), "apex-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const ALLOW = [{ permission: "*", pattern: "*", action: "allow" }];

/** A call of a tool that must complete. */
function caller(options) {
  const registry = new ToolRegistry({ rules: [ALLOW] });
  for (const tool of builtinTools({ directory: folder, ...options })) registry.register(tool);
  return async (tool, input) => {
    const call = { callID: "c", sessionID: "s", messageID: "m", tool, input };
    const { state } = await registry.execute(call);
    if (state.status !== "completed") throw new Error(state.error);
    return state;
  };
}

/** The least nanoseconds of each contender that gives a promise. */
async function inTurn(contenders, rounds = 15) {
  const best = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(contenders)) {
      const start = process.hrtime.bigint();
      await work(round);
      const took = Number(process.hrtime.bigint() - start);
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, took);
    }
  }
  return best;
}

console.log("\n# An edit of a file of 1 MB");
{
  const line = (i) => `    const value${i} = compute(${i}, "some text of usual length");\n`;
  const lines = Array.from({ length: 16_000 }, (_, i) => line(i));
  const text = lines.join("").slice(0, 1e6);
  const bytes = Buffer.from(text);
  const old = line(12_000);
  const replacement = old.replace("some text", "another text");
  const plain = (shift) => {
    const decoded = bytes.toString("utf8");
    const at = decoded.indexOf(shift);
    return Buffer.from(decoded.slice(0, at) + replacement + decoded.slice(at + shift.length));
  };
  const exact = sideBySide({
    ours: () => rules.toolsEdit(bytes, old, replacement, false, "a.ts", "a.ts"),
    plain: () => plain(old),
  });
  report("the rule with its diff, exact", exact.ours, exact.plain, { target: 3 });
  const shifted = old.trimStart();
  const moved = rules.toolsEdit(bytes, `\t${shifted}`, `\t${shifted}x\n`, false, "a.ts", "a.ts");
  if (moved.level !== 4) throw new Error(`level ${moved.level}: ${moved.refused}`);
  const { ours } = sideBySide({
    ours: () => rules.toolsEdit(bytes, `\t${shifted}`, `\t${shifted}x\n`, false, "a.ts", "a.ts"),
  });
  console.log(
    `the rule, indentation shifted: ${duration(ours)} (at most 30 ms) ${met(ours <= 30e6)}`,
  );
  const path = join(folder, "a.ts");
  writeFileSync(path, bytes);
  const call = caller();
  const { whole } = await inTurn({
    whole: (round) =>
      call("edit", {
        filePath: "a.ts",
        oldString: round % 2 === 0 ? old : replacement,
        newString: round % 2 === 0 ? replacement : old,
      }),
  });
  console.log(`the whole call, with what it reads, checks and writes: ${duration(whole)}`);
}

console.log("\n# Numbered lines of a text of 10 MB");
{
  const line = "a line of a file, as long as most lines of programs are, or so\n";
  const bytes = Buffer.from(line.repeat(10e6 / line.length));
  const numbered = (lines) =>
    lines
      .slice(0, 700)
      .map((text, i) => `${i + 1}: ${text}`)
      .join("\n") + lines.length;
  const rule = sideBySide({
    ours: () => {
      const page = new rules.ToolsPage(1, 700);
      for (let at = 0; at < bytes.length; at += 1 << 20)
        page.push(bytes.subarray(at, at + (1 << 20)));
      page.finish("long.txt");
      page.free();
    },
    plain: () => numbered(bytes.toString("utf8").split("\n")),
  });
  const against = "decode, split and join";
  report(`the rule with its hash, against ${against}`, rule.ours, rule.plain, {
    target: 2,
    faster: true,
  });
  writeFileSync(join(folder, "long.txt"), bytes);
  const call = caller();
  const whole = await inTurn({
    ours: () => call("read", { filePath: "long.txt", limit: 700 }),
    plain: () => numbered(readFileSync(join(folder, "long.txt"), "utf8").split("\n")),
  });
  report(`a call, against reading, ${against}`, whole.ours, whole.plain, { faster: true });
}

console.log("\n# grep over 10,000 files");
{
  const tree = join(folder, "tree");
  for (let d = 0; d < 100; d++) {
    mkdirSync(join(tree, `d${d}`), { recursive: true });
    for (let f = 0; f < 100; f++) {
      const text = `export const value = ${d * f};\n`.repeat(40);
      writeFileSync(join(tree, `d${d}`, `f${f}.ts`), f === 7 ? `${text}needle ${d}\n` : text);
    }
  }
  const { rgPath } = nodeHost();
  const search = { pattern: "needle \\d+", path: "tree" };
  const own = caller({ rgPath: null });
  const contenders = { own: () => own("grep", search) };
  if (rgPath) {
    const call = caller({ rgPath });
    contenders.tool = () => call("grep", search);
    contenders.rg = () => {
      const flags = ["--json", "--hidden", "--no-require-git", "-e", search.pattern, tree];
      spawnSync(rgPath, flags, { maxBuffer: 1 << 28 });
    };
  }
  const best = await inTurn(contenders, 7);
  if (rgPath) {
    report("with ripgrep, against ripgrep", best.tool, best.rg, { target: 1.2 });
    report("without, against ripgrep", best.own, best.rg, { target: 10 });
  } else {
    console.log(`without ripgrep, which is not here: ${duration(best.own)}`);
    const grep = () => execFileSync("grep", ["-rnE", "needle [0-9]+", tree]);
    const { peer } = await inTurn({ peer: grep }, 7);
    report("against grep -rnE", best.own, peer);
  }
}
