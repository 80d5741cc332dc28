// `assemble`: the message of a stream, while its bytes arrive.

import { TRANSCRIPT_FORMAT_INFO } from "apex-parts:formats";
import { once } from "node:events";
import type { MessageDelta, WireFormat } from "apex-parts";
import {
  DeltaAssembler,
  generateMessageId,
  isApexPartsError,
  looksLike,
  readDeltas,
  STREAM_FORMATS,
  streamFormat,
} from "apex-parts";
import { chunksOf } from "./file.ts";
import type { Values } from "./options.ts";
import { CliError, nameOf, print, unruled } from "./output.ts";
import { plural } from "./units.ts";

/** The number of bytes within which the format must be detected. */
const LONGEST_HEAD = 16 << 20;

/** Why these bytes are no stream that is read. */
function unknownStream(head: Buffer): string {
  const name = looksLike(head);
  if (name === undefined) return "this is not a known stream; --format says what it is";
  const isRead = Object.values(TRANSCRIPT_FORMAT_INFO).some(({ title }) => title === name);
  return isRead
    ? `this is not a known stream, but ${name}, a transcript: inspect reads it`
    : `This looks like ${name}, which is not read; read are: ${STREAM_FORMATS.join(", ")}`;
}

/** Does the stream begin with a JSON value or a binary frame? Its records need no line end. */
const isValueOrFrame = (first: Buffer | undefined) => [0, 1, 0x5b, 0x7b].includes(first?.[0] ?? -1);

/**
 * The chunks, each with the format of the stream. They are kept until the format is detected, but no
 * longer, so that `--follow` shows the first words.
 */
async function* withFormat(
  file: string,
  chunks: AsyncIterable<Buffer>,
  given: WireFormat | undefined,
): AsyncGenerator<{ format: WireFormat; chunk: Buffer }> {
  let format = given;
  const held: Buffer[] = [];
  let isDetected = false;
  let length = 0;
  let bytesLookedAt = 0;
  const detect = () => {
    bytesLookedAt += length;
    return streamFormat(Buffer.concat(held));
  };
  const fail = (why: string) => new CliError(`${nameOf(file)}: ${why}`, 1);
  for await (const chunk of chunks) {
    if (isDetected && format !== undefined) {
      yield { format, chunk };
      continue;
    }
    held.push(chunk);
    length += chunk.length;
    // Only a complete record can show the format; and repeated detection must not take quadratic time.
    const recordEnds = isValueOrFrame(held[0]) || chunk.includes("\n") || chunk.includes("\r");
    if (recordEnds && bytesLookedAt <= 8 * length + LONGEST_HEAD) format ??= detect();
    if (format !== undefined) {
      yield { format, chunk: Buffer.concat(held) };
      isDetected = true;
      held.length = 0;
    } else if (length > LONGEST_HEAD) break;
  }
  if (isDetected) return;
  if (length === 0) throw fail("the file is empty");
  // The last line may lack its end.
  format ??= detect();
  if (format === undefined) throw fail(unknownStream(Buffer.concat(held)));
  yield { format, chunk: Buffer.concat(held) };
}

/** Prints a line of JSON, and waits if the reader is slower. */
async function printLine(value: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, "drain");
}

/** The options that say what to print. */
const WAYS = ["parts", "deltas", "follow"] as const;

type Way = (typeof WAYS)[number] | "message";

/** What these options ask for. */
function wayOf(values: Values): Way {
  const [way, other] = WAYS.filter((name) => values[name]);
  if (other) throw new CliError(`use --${way} or --${other}, not both`, 2);
  return way ?? "message";
}

function formatOf({ format }: Values): WireFormat | undefined {
  if (format === undefined) return undefined;
  // `deltas` is the format of a file, `delta` that of a stream: both are accepted here.
  const wanted = format === "deltas" ? "delta" : format;
  const name = STREAM_FORMATS.find((one) => one === wanted);
  if (name !== undefined) return name;
  throw new CliError(`--format must be one of ${STREAM_FORMATS.join(", ")}, not ${format}`, 2);
}

export async function assemble(file: string, options: Values): Promise<number> {
  const way = wayOf(options);
  const thinkTags = options["think-tags"] === true;
  const chunks = withFormat(file, chunksOf(file), formatOf(options));
  const printer = new ProblemPrinter(file, way);
  // --deltas needs the whole stream; otherwise chunks are not kept.
  const all: Buffer[] = [];
  let assembler: DeltaAssembler | undefined;
  let kind: WireFormat | undefined;
  const show = async (assembler: DeltaAssembler) => {
    for (const change of assembler.takeChanges()) await printLine(change);
    printer.look(assembler);
  };
  try {
    for await (const { format, chunk } of chunks) {
      kind = format;
      assembler ??= new DeltaAssembler({ format, onProblem: "collect", thinkTags });
      assembler.pushBytes(chunk);
      printer.length += chunk.length;
      if (way === "deltas") all.push(chunk);
      if (way === "follow") await show(assembler);
    }
    // A stream without a chunk is refused before.
    if (assembler === undefined || kind === undefined) return printer.code;
    assembler.end();
    if (way === "follow") await show(assembler);
    else if (way === "deltas") {
      for (const delta of readDeltas(kind, Buffer.concat(all), {
        onProblem: "collect",
        thinkTags,
      })) {
        if (delta.kind === "error") printer.failed(delta.payload);
        await printLine(delta);
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

function printWhole(assembler: DeltaAssembler, way: Way, providerID: string): void {
  const message = assembler.preview();
  if (message.timestamp === "") return; // no message has started
  const ids = { sessionID: generateMessageId(), parentID: "", agent: "", providerID };
  const result =
    way === "parts" ? assembler.toWithParts({ ...ids, path: { cwd: "", root: "" } }) : message;
  print(JSON.stringify(result, null, 2));
}

/** The number of problems that are printed; further ones are counted. */
const MOST = 20;

/** The error that a stream reports. */
type StreamError = Extract<MessageDelta, { kind: "error" }>["payload"];

/** Prints the problems of a stream to standard error, and determines the exit code. */
class ProblemPrinter {
  /** The number of bytes read so far. */
  length = 0;
  code = 0;
  #seen = 0;
  #count = 0;
  #hasNext = false;

  /** The name of the file in messages. */
  name: string;
  ofDeltas: boolean;

  constructor(file: string, way: Way) {
    this.name = nameOf(file);
    this.ofDeltas = way === "deltas";
  }

  /** Prints new problems, up to the maximum. */
  look(assembler: DeltaAssembler): void {
    if (this.#count < MOST) this.#take(assembler);
  }

  /** Prints what remains at the end of the stream. */
  end(assembler: DeltaAssembler): void {
    this.#take(assembler);
    if (this.#count > MOST) this.#print(`… and ${plural(this.#count - MOST, "problem")} more`);
    // What ended the message, as the delta `error` has it.
    const error = assembler.preview().meta?.error as StreamError | undefined;
    // With --deltas, each response reports its own error.
    if (error && !this.ofDeltas) this.failed(error);
  }

  /** Prints the error that the stream reports. */
  failed({ errorCode, message }: StreamError): void {
    this.code = 1;
    this.#print(`the stream ended with an error: ${message ?? errorCode}`);
  }

  #take(assembler: DeltaAssembler): void {
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
  #next(offset: number): void {
    if (this.ofDeltas || this.#hasNext) return;
    this.#hasNext = true;
    this.code = 1;
    this.#print(
      `error DC-2 (byte ${offset}): the message has ended, and what follows is left out; for a ` +
        "file of several responses, --deltas prints all, and inspect and validate show a message for each",
    );
  }

  #print(line: string): void {
    process.stderr.write(`${this.name}: ${line}\n`);
  }
}
