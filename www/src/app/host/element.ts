/**
 * Where the viewer runs: in an element of somebody's page. The worker is a file of the package beside
 * the element's, named in the form that bundlers look for.
 */

export { canFetch, sample, shared, wasm } from "./files";

/** What it shows belongs to the page that it is in. */
export const shell: (() => Promise<string>) | undefined = undefined;

export async function startWorker(): Promise<Worker> {
  return new Worker(new URL("./viewer-worker.mjs", import.meta.url), { type: "module" });
}

/** In somebody's page it mostly shows what that page has. */
export const opensFiles: boolean = false;
