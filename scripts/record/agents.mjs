// Sessions of other agents, after their formats, with made-up texts: the odd ones are written here, the plain ones are
// made by `scripts/generate.mjs`. The same bytes each time.
import { join } from "node:path";
import { generate } from "../generate.mjs";
import { codex } from "./agents/codex.mjs";
import { copilotCli } from "./agents/copilot-cli.mjs";
import { geminiCli } from "./agents/gemini-cli.mjs";
import { inspect } from "./agents/inspect.mjs";
import { pi } from "./agents/pi.mjs";
import { qwen } from "./agents/qwen.mjs";
import { sweAgent } from "./agents/swe-agent.mjs";
import { write } from "./written.mjs";

/** Generated files: their format, size and seed. */
const GENERATED = {
  "codex.generated.jsonl": { format: "codex", bytes: 24_000, seed: 1 },
  "codex.long.jsonl": { format: "codex", bytes: 80_000, seed: 2 },
  "gemini-cli.generated.jsonl": { format: "gemini-cli", bytes: 24_000, seed: 3 },
  "copilot-cli.generated.jsonl": { format: "copilot-cli", bytes: 24_000, seed: 4 },
  "pi.generated.jsonl": { format: "pi", bytes: 24_000, seed: 5 },
  "swe-agent.generated.traj": { format: "swe-agent", bytes: 24_000, seed: 6 },
  "inspect.generated.json": { format: "inspect", bytes: 40_000, seed: 7 },
};

const BUILDERS = { ...codex, ...geminiCli, ...copilotCli, ...pi, ...sweAgent, ...inspect, ...qwen };

/** Writes the sessions into a folder. */
export function recordAgents(folder, only) {
  for (const [name, build] of Object.entries(BUILDERS)) {
    if (!only || only.test(name)) write(join(folder, name), build());
  }
  for (const [name, options] of Object.entries(GENERATED)) {
    if (!only || only.test(name)) write(join(folder, name), Buffer.concat([...generate(options)]));
  }
}
