/** Formats of files, and who writes them, as people write their names. */

/** Words that are not written with one capital at their beginning. */
const SPELLED: Record<string, string> = {
  ai: "AI",
  apex: "apex",
  api: "API",
  cli: "CLI",
  openai: "OpenAI",
  opencode: "OpenCode",
  pi: "pi",
  sdk: "SDK",
  swe: "SWE",
};

/** `openai-chat` is `OpenAI Chat`. */
export function formatTitle(name: string): string {
  const written = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return name
    .split("-")
    .map((word) => (Object.hasOwn(SPELLED, word) ? SPELLED[word] : written(word)))
    .join(" ");
}

/** Who wrote a file of a format: `opencode-run` is of OpenCode, as `opencode-events` is. */
export function agentTitle(name: string): string {
  return formatTitle(name.replace(/-(?:events|export|run)$/, ""));
}
