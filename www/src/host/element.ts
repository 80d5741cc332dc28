/**
 * Where the viewer runs: in an element of somebody's page. The worker is a file of the package beside
 * the element's, named in the form that bundlers look for.
 */

export async function startWorker(): Promise<Worker> {
  return new Worker(new URL("./viewer-worker.mjs", import.meta.url), { type: "module" });
}

/** The bytes of the module, where the worker cannot fetch them by itself. */
export function wasm(): Promise<ArrayBuffer> | undefined {
  return undefined;
}

/** The text of a sample that is part of the page itself. */
export async function sample(_file: string): Promise<string | undefined> {
  return undefined;
}

/** Can anything be fetched? */
export const canFetch: boolean = true;
