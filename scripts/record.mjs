// Makes the recordings of tests/fixtures/recorded again: real programs, driven offline by scripts of our own.
//
//   npm run record -- [opencode|compaction|tools|agents|runs|providers]… [--only NAMES] [--out DIR]
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { at, isMain, main, say } from "./lib.mjs";

/** What each kind is recorded with; loaded when it is asked for. */
const KINDS = {
  opencode: async () => (await import("./record/opencode.mjs")).recordOpenCode,
  compaction: async () => (await import("./record/compaction.mjs")).recordCompactions,
  tools: async () => (await import("./record/tools.mjs")).recordTools,
  agents: async () => (await import("./record/agents.mjs")).recordAgents,
  runs: async () => (await import("./record/runs.mjs")).recordRuns,
  providers: async () => (await import("./record/providers.mjs")).recordProviders,
};

if (isMain(import.meta)) {
  main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { only: { type: "string" }, out: { type: "string" } },
    });
    const unknown = positionals.find((kind) => !Object.hasOwn(KINDS, kind));
    if (unknown) throw new Error(`no ${unknown}; there are ${Object.keys(KINDS).join(", ")}`);
    const out = values.out ? resolve(values.out) : at("tests", "fixtures", "recorded");
    const only = values.only && new RegExp(values.only);
    for (const kind of positionals.length > 0 ? positionals : Object.keys(KINDS)) {
      say(kind);
      const record = await KINDS[kind]();
      await record(join(out, kind), only);
    }
  });
}
