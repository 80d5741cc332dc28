// The matches of a search: what is searched for, and a match as a line.
import type { Part, SearchOptions, Transcript, WithParts } from "apex-parts";
import { callSubject, parseQuery } from "apex-parts";
import { oneLine, painter } from "./colour.ts";
import type { Values } from "./options.ts";
import { CliError, wholeNumber } from "./output.ts";
import { scopeOf } from "./sessions.ts";
import { line } from "./summary.ts";

/** A match of `search`. */
export type Hit = ReturnType<Transcript["search"]>[number];

/** The default maximum number of matches. */
const MOST = 1000;
/** The width to which the subject of a call is cut. */
const SUBJECT = 60;

/** What `--limit` says, or the default. */
export const limitOf = (values: Values): number => wholeNumber(values, "limit", 1) ?? MOST;

/**
 * The options with which a query is searched for. It is in the language of queries, unless `--literal` or `--regex` say
 * otherwise; a mistake in it is an error, and a word that only looks like a filter is named on standard error.
 */
export function searchOptions(query: string, values: Values): SearchOptions {
  const { regex = false, literal = false, "case-sensitive": caseSensitive = false } = values;
  const options = { caseSensitive, limit: limitOf(values), ...scopeOf(values.session) };
  const isEmpty = () => new CliError("the QUERY is empty", 2);
  if (query === "") throw isEmpty();
  if (regex || literal) return { ...options, regex };
  const { terms, filters, unknown, mistake } = parseQuery(query, { caseSensitive });
  if (mistake) throw new CliError(mistake.sentence, 2);
  if (terms.length + filters.length === 0) throw isEmpty();
  if (unknown !== undefined) {
    process.stderr.write(`${unknown}: is not a filter; it is searched for as it stands\n`);
  }
  return { ...options, query: true };
}

/** The value at a JSON Pointer. */
function valueAt(value: unknown, pointer: string): unknown {
  let inner = value;
  for (const step of pointer.split("/").slice(1)) {
    if (typeof inner !== "object" || inner === null) return undefined;
    // Any value of JSON has its members by name.
    const members = inner as Record<string, unknown>;
    inner = members[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return inner;
}

/** What matches are in: of a hit its part or, without one, its message; the last message read is kept. */
class MatchedValues {
  readonly #transcript: Transcript;
  #number: number | undefined;
  #message: WithParts | undefined;
  #session: string | undefined;
  #messages: WithParts[] = [];

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  of({ session, message, part }: Hit): unknown {
    if (session !== this.#session) {
      this.#session = session;
      this.#messages = session === undefined ? [] : this.#transcript.messagesOf(session);
      this.#number = undefined;
    }
    if (message !== this.#number) {
      this.#number = message;
      this.#message =
        session === undefined ? this.#transcript.message(message) : this.#messages[message];
    }
    return part === undefined ? this.#message : this.#message?.parts[part];
  }
}

/** What filters alone found, in a few words: the tool of a call and its subject, else the type of the part. */
function words(value: unknown, part: number | undefined): string {
  if (part === undefined) return "error";
  // A part of the file: anything in it may be missing.
  const found = (value ?? {}) as Partial<Record<"tool" | "type", unknown>>;
  const kind = typeof found.tool === "string" ? found.tool : String(found.type);
  const subject = callSubject(value as Part)?.text ?? "";
  return line(`${kind} ${subject}`, SUBJECT);
}

/** A function that writes a match as a line: `MESSAGE:PART FIELD: EXCERPT`, coloured on a terminal that wants it. */
export function matchLines(transcript: Transcript): (hit: Hit) => string {
  const paint = painter(process.stdout);
  const isColoured = paint("match", "") !== "";
  const values = new MatchedValues(transcript);
  return (hit) => {
    const { session, message, part, field, start, end } = hit;
    const place = [message, ...(part === undefined ? [] : [part])].join(":");
    const name = field === "" ? words(values.of(hit), part) : field;
    const where = [...(session === undefined ? [] : [session]), place, name].map(oneLine).join(" ");
    const text = isColoured && field !== "" ? valueAt(values.of(hit), field) : undefined;
    const match = typeof text === "string" ? text.slice(start, end) : "";
    // As grep does: every occurrence of the matched text in the line.
    const pieces = match === "" ? [hit.excerpt] : hit.excerpt.split(match);
    const excerpt = pieces.map(oneLine).join(paint("match", oneLine(match)));
    return `${paint("place", where)}: ${excerpt}`;
  };
}
