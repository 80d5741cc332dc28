import type { Source } from "../core/rpc";
import { sample } from "./host/files";

/** Recorded sessions that ship with the viewer, in `public/samples/`. */
export const SAMPLES = [
  {
    file: "fix-greeting.json",
    title: "Fix a greeting",
    about: "tools in parallel, an edit, a todo list, a failing read",
  },
  { file: "long-compaction.json", title: "A long session", about: "compacted twice on the way" },
  { file: "provider-errors.json", title: "Provider errors", about: "retries, then an API error" },
] as const;

/** The sample that a name or an address is of. */
export function sampleNamed(name: string): string | undefined {
  return SAMPLES.find(({ file }) => file === name.replace(/^samples\//, ""))?.file;
}

export async function sampleSource(file: string): Promise<Source> {
  const text = await sample(file);
  if (text !== undefined) return { kind: "text", text, name: file };
  return { kind: "url", url: new URL(`samples/${file}`, document.baseURI).href, name: file };
}
