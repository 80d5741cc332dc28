// `assemble`: the message of a stream, while its bytes arrive.
import { once } from "node:events";
import {
  DeltaAssembler,
  generateMessageId,
  isApexPartsError,
  readDeltas,
  STREAM_FORMATS,
  streamFormat,
} from "apex-parts";
import { chunksOf } from "./file.ts";
import { CliError, nameOf, print, unruled } from "./output.ts";
import { plural } from "./units.ts";

/** The number of bytes within which the format must be detected. */
const LONGEST_HEAD = 16 << 20;

/**
 * The chunks, each with the format of the stream. They are kept until the format is detected, but no
 * longer, so that `--follow` shows the first words.
 */
async function* withFormat(file, chunks, given) {
  let format = given;
  let held = [];
  let length = 0;
  let bytesLookedAt = 0;
  const detect = () => {
    bytesLookedAt += length;
    return streamFormat(Buffer.concat(held));
  };
  const fail = (why) => new CliError(`${nameOf(file)}: ${why}`, 1);
  for await (const chunk of chunks) {
    if (held === undefined) {
      yield { format, chunk };
      continue;
    }
    held.push(chunk);
    length += chunk.length;
    // Only a complete line can show the format; and repeated detection must not take quadratic time.
    const lineEnds = chunk.includes("\n") || chunk.includes("\r");
    if (lineEnds && bytesLookedAt <= 8 * length + LONGEST_HEAD) format ??= detect();
    if (format !== undefined) {
      yield { format, chunk: Buffer.concat(held) };
      held = undefined;
    } else if (length > LONGEST_HEAD) break;
  }
  if (held === undefined) return;
  if (length === 0) throw fail("the file is empty");
  // The last line may lack its end.
  format ??= detect();
  if (format === undefined) throw fail("this is no stream that is known; --format says what it is");
  yield { format, chunk: Buffer.concat(held) };
}

/** Prints a line of JSON, and waits if the reader is slower. */
async function printed(value) {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, "drain");
}

/** What to print: "parts", "deltas", "follow" or "message". */
function wayOf({ parts, deltas, follow }) {
  const [way, other] = Object.entries({ parts, deltas, follow }).filter(([, chosen]) => chosen);
  if (other) throw new CliError(`--${way[0]} or --${other[0]}: one at a time`, 2);
  return way?.[0] ?? "message";
}

function formatOf({ format }) {
  // `deltas` is the format of a file, `delta` that of a stream: both are accepted here.
  const name = format === "deltas" ? "delta" : format;
  if (name === undefined || STREAM_FORMATS.includes(name)) return name;
  throw new CliError(`--format is one of ${STREAM_FORMATS.join(", ")}; not ${format}`, 2);
}

export async function assemble(file, options) {
  const way = wayOf(options);
  const chunks = withFormat(file, chunksOf(file), formatOf(options));
  const printer = new ProblemPrinter(file, way);
  // --deltas needs the whole stream; otherwise chunks are not kept.
  const all = [];
  let assembler;
  let kind;
  const show = async () => {
    for (const change of assembler.takeChanges()) await printed(change);
    printer.look(assembler);
  };
  try {
    for await (const { format, chunk } of chunks) {
      kind = format;
      assembler ??= new DeltaAssembler({ format, onProblem: "collect" });
      assembler.pushBytes(chunk);
      printer.length += chunk.length;
      if (way === "deltas") all.push(chunk);
      if (way === "follow") await show();
    }
    assembler.end();
    if (way === "follow") await show();
    else if (way === "deltas") {
      for (const delta of readDeltas(kind, Buffer.concat(all), { onProblem: "collect" })) {
        if (delta.kind === "error") printer.failed(delta.payload);
        await printed(delta);
      }
    } else printWhole(assembler, way, kind);
    printer.end(assembler);
    return printer.code;
  } catch (error) {
    if (isApexPartsError(error)) throw new CliError(`${nameOf(file)}: ${error.message}`, 1);
    throw error;
  } finally {
    assembler?.free();
  }
}

function printWhole(assembler, way, providerID) {
  const message = assembler.preview();
  if (message.timestamp === "") return; // no message has started
  const ids = { sessionID: generateMessageId(), parentID: "", agent: "", providerID };
  const made =
    way === "parts" ? assembler.toWithParts({ ...ids, path: { cwd: "", root: "" } }) : message;
  print(JSON.stringify(made, null, 2));
}

/** The number of problems that are printed; further ones are counted. */
const MOST = 20;

/** Prints the problems of a stream to standard error, and determines the exit code. */
class ProblemPrinter {
  /** The number of bytes read so far. */
  length = 0;
  code = 0;
  #seen = 0;
  #count = 0;
  #hasNext = false;

  constructor(file, way) {
    this.name = nameOf(file);
    this.ofDeltas = way === "deltas";
  }

  /** Prints new problems, up to the maximum. */
  look(assembler) {
    if (this.#count < MOST) this.#take(assembler);
  }

  /** Prints what remains at the end of the stream. */
  end(assembler) {
    this.#take(assembler);
    if (this.#count > MOST) this.#print(`… and ${plural(this.#count - MOST, "problem")} more`);
    const { error } = assembler.preview().meta;
    // With --deltas, each response reports its own error.
    if (error && !this.ofDeltas) this.failed(error);
  }

  /** Prints the error that the stream reports. */
  failed({ errorCode, message }) {
    this.code = 1;
    this.#print(`the stream ended with an error: ${message ?? errorCode}`);
  }

  #take(assembler) {
    for (const problem of assembler.problems().slice(this.#seen)) {
      const { severity, rule, offset } = problem;
      this.#seen++;
      if (rule === "DC-2" && offset !== undefined) {
        this.#next(offset);
        continue;
      }
      if (severity === "error") this.code = 1;
      // A problem without an offset is about the end.
      const place = `byte ${offset ?? this.length}`;
      if (++this.#count <= MOST) this.#print(`${severity} ${rule} (${place}): ${unruled(problem)}`);
    }
  }

  /** Reports, once, that something follows the end of the message: usually other responses. */
  #next(offset) {
    if (this.ofDeltas || this.#hasNext) return;
    this.#hasNext = true;
    this.code = 1;
    this.#print(
      `error DC-2 (byte ${offset}): the message has ended, and what follows is left out; of a ` +
        "file of several responses, --deltas prints all, inspect and validate see a message each",
    );
  }

  #print(line) {
    process.stderr.write(`${this.name}: ${line}\n`);
  }
}
