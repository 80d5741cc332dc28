// The state of the page in its address: a sample's name, or the stream itself, compressed.

/** The longest link that is made, in characters: longer ones are cut by programs that pass them on. */
const LONGEST_LINK = 8192;
/** The longest stream that is read from a link: a few bytes can unpack to very many. */
const LONGEST_STREAM = 1 << 20;

async function piped(bytes, transform, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const pieces = [];
  let length = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("The link holds more than 1 MB: it is not opened.");
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

const toText = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (unit) =>
    unit.charCodeAt(0),
  );

/** The hash for a stream; throws where it would be too long. */
export async function hashOf(bytes, { format, chunk, step }) {
  const tooLong = (size) =>
    new Error(`Too long for a link: ${size.toLocaleString("en")} characters of 8,192.`);
  if (bytes.length > LONGEST_STREAM) throw new Error("Too long for a link: more than 1 MB.");
  const packed = await piped(bytes, new CompressionStream("deflate-raw"), LONGEST_STREAM * 2);
  const hash = `#${new URLSearchParams({ stream: toText(packed), format, chunk, step })}`;
  if (hash.length > LONGEST_LINK) throw tooLong(hash.length);
  return hash;
}

/** What the hash says: a tab, a sample, or a stream and how it is looked at. */
export async function readHash(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const tab = fields.get("tab") === "session" ? "session" : "stream";
  const packed = fields.get("stream");
  const said = { tab, sample: fields.get("sample") ?? undefined };
  if (packed === null) return said;
  if (packed.length > LONGEST_LINK) throw new Error("The link is too long: it is not opened.");
  const failure = new Error("The link is damaged: its stream cannot be read.");
  const bytes = await Promise.resolve()
    .then(() => piped(toBytes(packed), new DecompressionStream("deflate-raw"), LONGEST_STREAM))
    .catch((error) => {
      throw /more than/.test(error.message) ? error : failure;
    });
  const step = Number(fields.get("step") ?? Number.NaN);
  return { ...said, bytes, format: fields.get("format"), chunk: fields.get("chunk"), step };
}
