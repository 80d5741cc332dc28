import { encodeBase64 } from "../../../../../ts/base64.ts";

/** Bytes that are encoded at once: a multiple of three, so that the texts can be joined. */
const CHUNK = 3 << 17;

/** Where the data block of the transcript goes: before the script of the page, in which this stands again. */
const SCRIPT = '<script type="module">';

/** The viewer's page with a transcript in it, as pieces of a file. The page's own host reads it (app/host/single.ts). */
export async function sharedPage(shell: string, json: Blob, name: string): Promise<BlobPart[]> {
  const at = shell.indexOf(SCRIPT);
  if (at < 0) throw new Error("This copy of the viewer cannot be sent along.");
  const packed = await new Response(
    json.stream().pipeThrough(new CompressionStream("gzip")),
  ).blob();
  const block = `<script type="text/plain" data-name="shared" data-file="${attribute(name)}">`;
  return [shell.slice(0, at), block, ...(await base64(packed)), "</script>\n", shell.slice(at)];
}

/** In pieces, because the page is to stay awake. */
async function base64(bytes: Blob): Promise<string[]> {
  const texts: string[] = [];
  for (let from = 0; from < bytes.size; from += CHUNK) {
    const chunk = new Uint8Array(await bytes.slice(from, from + CHUNK).arrayBuffer());
    texts.push(encodeBase64(chunk));
  }
  return texts;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
