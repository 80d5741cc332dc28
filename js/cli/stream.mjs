// `assemble`: the message that a stream makes, as its bytes come.
import { once } from "node:events";
import {
  DeltaAssembler,
  generateMessageId,
  isApexPartsError,
  readDeltas,
  STREAM_FORMATS,
  streamFormat,
} from "../node.mjs";
import { chunksOf } from "./file.mjs";
import { Complaint, nameOf, plural, print } from "./say.mjs";

/** What has not told its format by then does not tell it at all. */
const LONGEST_HEAD = 16 << 20;

/**
 * The chunks, and the format of their stream with each. They are held back until the format is
 * told, and no longer: who follows a stream wants to see its first words.
 */
async function* told(file, chunks, given) {
  let format = given;
  let held = [];
  let length = 0;
  let looked = 0;
  const look = () => {
    looked += length;
    return streamFormat(Buffer.concat(held));
  };
  const fail = (why) => new Complaint(`${nameOf(file)}: ${why}`, 1);
  for await (const chunk of chunks) {
    if (held === undefined) {
      yield { format, chunk };
      continue;
    }
    held.push(chunk);
    length += chunk.length;
    // Only a line that has ended can tell; and looking again and again must not take for ever.
    const lineEnds = chunk.includes("\n") || chunk.includes("\r");
    if (lineEnds && looked <= 8 * length + LONGEST_HEAD) format ??= look();
    if (format !== undefined) {
      yield { format, chunk: Buffer.concat(held) };
      held = undefined;
    } else if (length > LONGEST_HEAD) break;
  }
  if (held === undefined) return;
  if (length === 0) throw fail("the file is empty");
  // The last line may lack its end.
  format ??= look();
  if (format === undefined) throw fail("this is no stream that is known; --format says what it is");
  yield { format, chunk: Buffer.concat(held) };
}

/** Prints a line, and waits where the reader is slower. */
async function printed(value) {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, "drain");
}

/** How to print what was assembled. */
function wayOf({ parts, deltas, follow }) {
  const [way, other] = Object.entries({ parts, deltas, follow }).filter(([, chosen]) => chosen);
  if (other) throw new Complaint(`--${way[0]} or --${other[0]}: one at a time`, 2);
  return way?.[0] ?? "message";
}

function formatOf({ format }) {
  // `deltas` is what the file is, `delta` what its records are: here, either is understood.
  const name = format === "deltas" ? "delta" : format;
  if (name === undefined || STREAM_FORMATS.includes(name)) return name;
  throw new Complaint(`--format is one of ${STREAM_FORMATS.join(", ")}; not ${format}`, 2);
}

export async function assemble(file, options) {
  const way = wayOf(options);
  const chunks = told(file, chunksOf(file), formatOf(options));
  const complaints = new Complaints(file, way);
  // Deltas are read from the whole; for everything else a chunk is forgotten once it was taken.
  const all = [];
  let assembler;
  let kind;
  const show = async () => {
    for (const change of assembler.takeChanges()) await printed(change);
    complaints.look(assembler);
  };
  try {
    for await (const { format, chunk } of chunks) {
      kind = format;
      assembler ??= new DeltaAssembler({ format, onProblem: "collect" });
      assembler.pushBytes(chunk);
      complaints.length += chunk.length;
      if (way === "deltas") all.push(chunk);
      if (way === "follow") await show();
    }
    assembler.end();
    if (way === "follow") await show();
    else if (way === "deltas") {
      for (const delta of readDeltas(kind, Buffer.concat(all), { onProblem: "collect" })) {
        if (delta.kind === "error") complaints.failed(delta.payload);
        await printed(delta);
      }
    } else printWhole(assembler, way, kind);
    complaints.end(assembler);
    return complaints.code;
  } catch (error) {
    if (isApexPartsError(error)) throw new Complaint(`${nameOf(file)}: ${error.message}`, 1);
    throw error;
  } finally {
    assembler?.free();
  }
}

function printWhole(assembler, way, providerID) {
  const message = assembler.preview();
  if (message.timestamp === "") return; // nothing has begun
  const ids = { sessionID: generateMessageId(), parentID: "", agent: "", providerID };
  const made =
    way === "parts" ? assembler.toWithParts({ ...ids, path: { cwd: "", root: "" } }) : message;
  print(JSON.stringify(made, null, 2));
}

/** So many problems are said; the others are counted. */
const MOST = 20;

/** What is wrong with a stream, for standard error. */
class Complaints {
  /** How much of the stream was read. */
  length = 0;
  code = 0;
  #seen = 0;
  #said = 0;
  #hasNext = false;

  constructor(file, way) {
    this.name = nameOf(file);
    this.ofDeltas = way === "deltas";
  }

  /** Says the problems that are new, as far as there is room. */
  look(assembler) {
    if (this.#said < MOST) this.#take(assembler);
  }

  /** The stream is over. */
  end(assembler) {
    this.#take(assembler);
    if (this.#said > MOST) this.#say(`… and ${plural(this.#said - MOST, "problem")} more`);
    const { error } = assembler.preview().meta;
    // Where deltas are printed, each response says so itself.
    if (error && !this.ofDeltas) this.failed(error);
  }

  /** The stream says itself that it failed. */
  failed({ errorCode, message }) {
    this.code = 1;
    this.#say(`the stream ended with an error: ${message ?? errorCode}`);
  }

  #take(assembler) {
    for (const { severity, rule, offset, message } of assembler.problems().slice(this.#seen)) {
      this.#seen++;
      if (rule === "DC-2" && offset !== undefined) {
        this.#next(offset);
        continue;
      }
      if (severity === "error") this.code = 1;
      // What has no place of its own is about the end.
      const place = `byte ${offset ?? this.length}`;
      if (++this.#said <= MOST) this.#say(`${severity} ${rule} (${place}): ${message}`);
    }
  }

  /** Something follows the end of the message: other responses, as a rule. It is said once. */
  #next(offset) {
    if (this.ofDeltas || this.#hasNext) return;
    this.#hasNext = true;
    this.code = 1;
    this.#say(
      `error DC-2 (byte ${offset}): the message has ended, and what follows is left out; of a ` +
        "file of several responses, --deltas prints all, inspect and validate see a message each",
    );
  }

  #say(line) {
    process.stderr.write(`${this.name}: ${line}\n`);
  }
}
