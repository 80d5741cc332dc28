// The text of a small file.
import type { FileSystem } from "./types.ts";

/** The first bytes of a file as text. */
export async function wholeText(fs: FileSystem, path: string, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = most;
  for await (const bytes of fs.read(path)) {
    text += decoder.decode(bytes.subarray(0, left), { stream: true });
    left -= bytes.length;
    if (left <= 0) break;
  }
  return text + decoder.decode();
}
