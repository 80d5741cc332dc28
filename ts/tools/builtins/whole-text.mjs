// The text of a small file.

/** The first bytes of a file as text. */
export async function wholeText(fs, path, most) {
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
