/** Formats of files, and who writes them, as people write their names: the same wherever the page names them. */

/** The agents whose formats are read, by the id of the format, which is also what their messages name. */
const AGENTS: Record<string, string> = {
  "apex-bridge": "apex-bridge",
  "claude-code": "Claude Code",
  codex: "Codex",
  "copilot-cli": "Copilot CLI",
  "gemini-cli": "Gemini CLI",
  inspect: "Inspect",
  opencode: "OpenCode",
  pi: "pi",
  "swe-agent": "SWE-agent",
};

/** Words of other formats that are not written with one capital at their beginning. */
const SPELLED: Record<string, string> = {
  ai: "AI",
  openai: "OpenAI",
  opencode: "OpenCode",
  sdk: "SDK",
};

/** `openai-chat` is `OpenAI Chat`. */
export function formatTitle(name: string): string {
  const written = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const spelled = (word: string) =>
    Object.hasOwn(SPELLED, word) ? (SPELLED[word] ?? word) : written(word);
  return agentOf(name) ?? name.split("-").map(spelled).join(" ");
}

/** Who wrote a file of a format: `opencode-run` is of OpenCode, as `opencode-events` is. */
export function agentTitle(name: string): string {
  return formatTitle(name.replace(/-(?:events|export|run)$/, ""));
}

/** The agent that a message names: those of a format by their names, others as they are called. */
export function agentName(name: string): string {
  return agentOf(name) ?? name;
}

function agentOf(name: string): string | undefined {
  return Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
}
