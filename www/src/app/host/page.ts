/**
 * Where the viewer runs: the page of the package, whose one script has two forms. `apex-parts view` serves it beside
 * the worker and the module of the element, or writes it into one file that holds them (ts/cli/view/single-page.ts).
 */
import * as single from "./single";

/** Does this page hold what it needs? */
const isWhole = document.querySelector('script[data-name="worker"]') !== null;

export async function startWorker(): Promise<Worker> {
  if (isWhole) return single.startWorker();
  return new Worker(new URL("viewer-worker.mjs", document.baseURI), { type: "module" });
}

/** The bytes of the module, where the worker cannot fetch them by itself. */
export function wasm(): Promise<ArrayBuffer> | undefined {
  return isWhole ? single.wasm() : undefined;
}

/** The text of a sample that is part of the page itself. */
export async function sample(file: string): Promise<string | undefined> {
  return isWhole ? single.sample(file) : undefined;
}

/** The viewer as one page, to be sent along with a transcript. */
export const shell: (() => Promise<string>) | undefined = async () => {
  if (isWhole && single.shell) return single.shell();
  const answer = await fetch(new URL("viewer.html", document.baseURI));
  if (!answer.ok)
    throw new Error("The viewer in one file could not be fetched: is it still served?");
  return answer.text();
};

/** Can anything be fetched? */
export const canFetch: boolean = !isWhole;

export { opensFiles, shared } from "./single";
