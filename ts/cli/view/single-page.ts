/**
 * The viewer as one page that opens from a disk: script and style allowed by hash; worker, module, samples and the
 * transcript as compressed data blocks, which www/src/app/host/single.ts reads. Its policy allows no connections; the
 * script of the worker is a blob that the page creates.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const ESCAPES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const attribute = (text: string) => text.replace(/[&"<>]/g, (c) => ESCAPES[c] ?? c);

/** Bytes that become text at once: a multiple of three, so that the texts can be joined. */
const PIECE = 3 << 20;

/** A data block of the page, in pieces. `file` is the name of what is in it. */
function* block(name: string, content: string | Uint8Array, file?: string): Generator<string> {
  const packed = gzipSync(content, { level: 9 });
  const named = file === undefined ? "" : ` data-file="${attribute(file)}"`;
  yield `<script type="text/plain" data-name="${name}"${named}>`;
  for (let at = 0; at < packed.length; at += PIECE) {
    yield packed.subarray(at, at + PIECE).toString("base64");
  }
  yield "</script>\n";
}

/**
 * A worker that was built as a module, as a script: a page from a disk can start no other. It is given the bytes of
 * its WebAssembly module, so that it needs no address.
 */
export const classicWorker = (module: string): string =>
  `(()=>{"use strict";${module.replaceAll("import.meta.url", "void 0")}})();`;

/** The files that the page is made of. */
interface ViewerFiles {
  script: string;
  style: string;
  worker: string;
  icon: Uint8Array;
  wasm: Uint8Array;
  samples: readonly (readonly [name: string, content: Uint8Array])[];
}

/** A transcript that a page opens. */
export interface SharedTranscript {
  name: string;
  bytes: Uint8Array;
}

/** The page, as pieces of text; `shared` is the transcript that it opens. */
export function* singlePage(
  { script, style, worker, icon, wasm, samples }: ViewerFiles,
  shared?: SharedTranscript,
): Generator<string> {
  // The bundler escapes `</script` but not `<!--`, which occurs only in strings and regular expressions,
  // where the escape means the same.
  const inline = script.replaceAll("<!--", "<\\x21--");
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(inline)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    "img-src data: blob:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>apex-parts viewer</title>
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(icon).toString("base64")}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This viewer reads transcripts in your browser and needs JavaScript.</noscript>
`;
  yield* block("worker", worker);
  yield* block("wasm", wasm);
  for (const [name, content] of samples) yield* block(`sample-${name}`, content);
  if (shared) yield* block("shared", shared.bytes, shared.name);
  yield `<script type="module">${inline}</script>
</body>
</html>
`;
}
