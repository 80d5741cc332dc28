/** Formats of files, and who writes them, as people write their names: the same wherever the page names them. */
import { TRANSCRIPT_FORMAT_INFO } from "apex-parts:formats";

interface FormatInfo {
  title: string;
  agent?: { id: string; title: string };
}

const FORMATS = new Map<string, FormatInfo>(Object.entries(TRANSCRIPT_FORMAT_INFO));
const AGENTS = new Map([...FORMATS.values()].map(({ agent }) => [agent?.id, agent?.title]));

/** `openai-chat` is `OpenAI Chat`. */
export function formatTitle(name: string): string {
  return FORMATS.get(name)?.title ?? name;
}

/** Who wrote a file of a format: `opencode-run` is of OpenCode, as `opencode-events` is. */
export function agentTitle(name: string): string {
  return FORMATS.get(name)?.agent?.title ?? formatTitle(name);
}

/** The agent that a message names: those of a format by their names, others as they are called. */
export function agentName(name: string): string {
  return AGENTS.get(name) ?? name;
}
