/**
 * Where the viewer runs: a folder of files on a web server. Its worker, the module and the samples are
 * files beside the page. The other two hosts, of the same exports, take this one's place when they
 * are built: single.ts (everything in one file) and element.ts (in somebody's page).
 */

export async function startWorker(): Promise<Worker> {
  return new Worker(new URL("../../worker/worker.ts", import.meta.url), { type: "module" });
}

/** The bytes of the module, where the worker cannot fetch them by itself. */
export function wasm(): Promise<ArrayBuffer> | undefined {
  return undefined;
}

/** The text of a sample that is part of the page itself. */
export async function sample(_file: string): Promise<string | undefined> {
  return undefined;
}

/** The transcript that is part of the page itself. */
export async function shared(): Promise<File | undefined> {
  return undefined;
}

/** The viewer as one page, to be sent along with a transcript. */
export const shell: (() => Promise<string>) | undefined = async () => {
  const answer = await fetch(new URL("viewer.html", document.baseURI));
  if (!answer.ok) throw new Error("The viewer in one file is not beside this page.");
  return answer.text();
};

/** Can anything be fetched? */
export const canFetch: boolean = true;

/** Is it likely that large files will be opened, so that the module had better be quick? */
export const opensFiles: boolean = true;
