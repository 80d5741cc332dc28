import { useEffect, useState } from "preact/hooks";
import { useViewer } from "./hooks";

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
function formatTitle(name: string): string {
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

/** What can be read, as the module's registry of formats has it. */
export function Formats() {
  const viewer = useViewer();
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    let current = true;
    viewer.formats().then(
      (all) => current && setNames(all),
      // The module did not load: what could not be opened says so.
      () => {},
    );
    return () => {
      current = false;
    };
  }, [viewer]);
  if (names.length === 0) return null;
  return (
    <section class="formats">
      <h3 id="formats-title">What can be read</h3>
      <ul aria-labelledby="formats-title">
        {names.map((name) => (
          <li key={name} class="chip">
            {formatTitle(name)}
          </li>
        ))}
      </ul>
    </section>
  );
}
