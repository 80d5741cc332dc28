// What JSON.parse is given of a session: the document, or each line that is one.
const decoder = new TextDecoder();

/** Whether a file is one document, not a record in each line. */
export function isDocument(bytes) {
  const head = decoder.decode(bytes.subarray(0, 64)).trimStart();
  if (head.startsWith("[")) return true;
  const end = bytes.indexOf(10);
  const first = decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  if (first.startsWith("data:")) return false;
  try {
    JSON.parse(first);
    return end < 0 || bytes.subarray(end).every((byte) => byte <= 32);
  } catch {
    return true;
  }
}

/** The lines of a text that are JSON, without what an event stream has before them. */
export function* linesOf(text) {
  for (const line of text.split("\n")) {
    const json = line.startsWith("data:") ? line.slice(5) : line;
    if (json.trim() !== "") yield json;
  }
}

/** The texts of a session, as strings already. */
export function textsOf(bytes) {
  const text = decoder.decode(bytes);
  return isDocument(bytes) ? [text] : [...linesOf(text)];
}

/** A session without the lines that are not JSON, such as the last one of a file that was cut off; undefined if none is. */
export function readable(bytes) {
  const isRead = (text) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  if (isDocument(bytes) && isRead(decoder.decode(bytes))) return bytes;
  const text = decoder.decode(bytes);
  const lines = text.split("\n");
  const kept = lines.filter((line) => {
    const [json] = linesOf(line);
    return json === undefined || isRead(json);
  });
  if (kept.length === lines.length) return bytes;
  return kept.some((line) => line.trim() !== "") ? Buffer.from(kept.join("\n")) : undefined;
}

/** Decodes, splits and parses a session, and keeps nothing of it. */
export function parseBytes(bytes, asDocument) {
  const text = decoder.decode(bytes);
  if (asDocument) JSON.parse(text);
  else for (const json of linesOf(text)) JSON.parse(json);
}
