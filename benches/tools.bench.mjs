// Tools: what a call costs beside calling the function, and what evaluating rules costs.
import { Permission, setLogger, Tool, ToolRegistry } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { duration, report, sideBySide } from "./lib/measure.mjs";

setLogger(undefined);

console.log("\n# A call, 200 tools registered");
{
  const registry = new ToolRegistry();
  const parameters = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const execute = async () => "x";
  for (let i = 0; i < 200; i++) {
    registry.register(Tool.define(`tool-${i}`, { description: "", parameters, execute }));
  }
  const call = { tool: "tool-77", sessionID: "s", messageID: "m", input: { a: "text" } };
  const count = 20_000;
  const times = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const start = process.hrtime.bigint();
    await registry.execute({ ...call, callID: `call-${i}` });
    times[i] = Number(process.hrtime.bigint() - start);
  }
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) await execute(call.input);
  const plain = Number(process.hrtime.bigint() - start) / count;
  times.sort();
  const [median, p99] = [times[count / 2] - plain, times[(count * 99) / 100] - plain];
  console.log(
    `more than the function (${duration(plain)}), in the median: ${duration(median)} (at most 30 µs) ${met(median <= 30e3)}`,
  );
  console.log(`of 100 calls the slowest: ${duration(p99)} (at most 1 ms) ${met(p99 <= 1e6)}`);
}

console.log("\n# evaluate");
for (const [count, most] of [
  [50, 5e3],
  [10_000, 500e3],
]) {
  const rules = Array.from({ length: count }, (_, i) => ({
    permission: "bash",
    pattern: `git ${i} *`,
    action: "ask",
  }));
  const { ours } = sideBySide({
    ours: () => Permission.evaluate("bash", "git push origin", rules),
  });
  console.log(`${count} rules: ${duration(ours)} (at most ${duration(most)}) ${met(ours <= most)}`);
}

console.log("\n# Truncation of 10 MB");
{
  const line = "a line of output that a program wrote, as long as most of them are\n";
  const text = line.repeat(10e6 / line.length);
  const registry = new ToolRegistry();
  const execute = () => text;
  registry.register(Tool.define("t", { description: "", parameters: {}, execute }));
  const best = { ours: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 15; round++) {
    let start = process.hrtime.bigint();
    await registry.execute({ tool: "t", callID: "c", sessionID: "s", messageID: "m" });
    best.ours = Math.min(best.ours, Number(process.hrtime.bigint() - start));
    start = process.hrtime.bigint();
    const lines = text.split("\n");
    const kept = lines.slice(0, 2000).join("\n");
    if (Buffer.byteLength(text) < kept.length) throw new Error("cannot be");
    best.plain = Math.min(best.plain, Number(process.hrtime.bigint() - start));
  }
  report("a call, against split and join", best.ours, best.plain, { target: 2, faster: true });
}
