/**
 * Where the viewer runs: one file that holds everything, opened from a disk perhaps. The worker, the
 * module and the samples are data blocks of the page (scripts/build/viewer.mjs writes them there), and its
 * policy forbids every connection.
 */
import { decodeBase64 } from "../../../../ts/base64.ts";

let module: Promise<ArrayBuffer> | undefined;

export async function startWorker(): Promise<Worker> {
  const script = new Blob([await unpacked("worker")], { type: "text/javascript" });
  const url = URL.createObjectURL(script);
  const worker = new Worker(url);
  // By the time of its first answer it has read its script.
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

/** The bytes of the module. */
export function wasm(): Promise<ArrayBuffer> | undefined {
  module ??= unpacked("wasm");
  return module;
}

/** The text of a sample. */
export async function sample(file: string): Promise<string | undefined> {
  return new TextDecoder().decode(await unpacked(`sample-${file}`));
}

/** The transcript that was put into the page when it was shared. */
export async function shared(): Promise<File | undefined> {
  const block = document.querySelector<HTMLElement>(SHARED);
  if (!block) return undefined;
  return new File([await unpacked("shared")], block.dataset.file ?? "transcript.json");
}

const SHARED = 'script[data-name="shared"]';

/** This page as it was before it showed anything, and without the transcript in it. */
export const shell: (() => Promise<string>) | undefined = async () => {
  const page = document.documentElement.cloneNode(true) as HTMLElement;
  page.querySelector("#app")?.replaceChildren();
  page.querySelector(SHARED)?.remove();
  const title = page.querySelector("title");
  if (title) title.textContent = "apex-parts viewer";
  return `<!doctype html>\n${page.outerHTML}`;
};

/** Can anything be fetched? */
export const canFetch: boolean = false;

/** What a data block of the page holds. */
async function unpacked(name: string): Promise<ArrayBuffer> {
  const base64 = document.querySelector(`script[data-name="${CSS.escape(name)}"]`)?.textContent;
  if (!base64) throw new Error(`This copy of the viewer lacks its ${name}: get a whole one.`);
  const packed = decodeBase64(base64);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Is it likely that large files will be opened, so that the module had better be quick? */
export const opensFiles: boolean = true;
