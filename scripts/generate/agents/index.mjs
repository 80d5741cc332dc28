// Writes a session as the files of other agents: as in formats.mjs, the text before the messages, each message,
// and the text after.

import { claudeStream } from "./claude-stream.mjs";
import { codex } from "./codex.mjs";
import { copilotCli } from "./copilot-cli.mjs";
import { geminiCli } from "./gemini-cli.mjs";
import { inspect } from "./inspect.mjs";
import { pi } from "./pi.mjs";
import { sweAgent } from "./swe-agent.mjs";

export const AGENTS = {
  "claude-stream": claudeStream,
  codex,
  "gemini-cli": geminiCli,
  "copilot-cli": copilotCli,
  pi,
  "swe-agent": sweAgent,
  inspect,
};
