import { STATUS_NAMES } from "./layout";

/**
 * The language of the search field. Pure: the page reads a query for its mistakes while it is typed,
 * the worker runs it.
 *
 * Words are one phrase, filters taken out of it: `exit tool:bash code` looks for `exit code` in calls
 * of bash. What is in quotation marks is a text of its own, filters and all; `/…/` is a regular
 * expression. A part must have every text, and pass every filter.
 */
export interface Query {
  terms: Term[];
  filters: Filter[];
}

export interface Term {
  text: string;
  regex: boolean;
  caseSensitive: boolean;
}

type NameFilter = "tool" | "status" | "exit" | "role" | "type" | "agent";
export type NumberFilter = "cost" | "tokens" | "dur";
export type Comparator = "<" | "<=" | ">" | ">=";

export type Filter =
  | { name: NameFilter; negated: boolean; values: string[] }
  | { name: NumberFilter; negated: boolean; than: Comparator; value: number };

/** What is wrong with a query: one sentence, and the place in it, from 0. */
export interface Mistake {
  sentence: string;
  at: number;
}

interface Toggles {
  /** Words are a regular expression. */
  regex: boolean;
  /** Case matters. */
  caseSensitive: boolean;
}

/** Longer queries come from a paste that went wrong, or from a link made to do harm. */
const LONGEST = 2000;
const NAMES = new Set<string>(["tool", "status", "exit", "role", "type", "agent"]);
const FILTER =
  /^(-?)(?:(tool|status|exit|role|type|agent|cost|tokens|dur)(:|<=|>=|<|>)|(cost|tokens|dur)(?:\s*([<>]=?)\s*(?=[$.\d])|(=)(?=[$.\d])))/i;
const STATUSES: readonly string[] = STATUS_NAMES.filter((name) => name !== "");
const ROLES = ["user", "assistant", "other"];
const EXAMPLES: Record<string, string> = {
  tool: "tool:bash",
  status: "status:failed",
  exit: "exit:101",
  role: "role:user",
  type: "type:reasoning",
  agent: "agent:build",
  cost: "cost>0.05",
  tokens: "tokens>1000",
  dur: "dur>10s",
};

export function readQuery(
  source: string,
  toggles: Toggles,
):
  | { query: Query; unknown?: string; mistake?: undefined }
  | { query?: undefined; mistake: Mistake } {
  try {
    const reader = new Reader(source, toggles);
    const query = reader.read();
    return { query, ...(reader.unknown === undefined ? {} : { unknown: reader.unknown }) };
  } catch (error) {
    if (error instanceof Wrong) return { mistake: { sentence: error.message, at: error.at } };
    throw error;
  }
}

export function isEmpty({ terms, filters }: Query): boolean {
  return terms.length === 0 && filters.length === 0;
}

class Wrong extends Error {
  constructor(
    sentence: string,
    readonly at: number,
  ) {
    super(sentence);
  }
}

class Reader {
  private at = 0;
  private readonly query: Query = { terms: [], filters: [] };
  /** The words so far of the phrase that is being read, and where it begins. */
  private phrase = "";
  private phraseAt = 0;
  /** The first word that is written as a filter, and names none. */
  unknown: string | undefined;
  /** True after a filter: the phrase continues, without the white space that stands here. */
  private broken = false;

  constructor(
    private readonly source: string,
    private readonly toggles: Toggles,
  ) {}

  read(): Query {
    if (this.source.length > LONGEST) {
      throw new Wrong(`A query has at most ${LONGEST} characters.`, LONGEST);
    }
    for (;;) {
      const space = /^\s*/.exec(this.source.slice(this.at))?.[0] ?? "";
      this.at += space.length;
      if (this.at >= this.source.length) break;
      if (!this.quoted() && !this.pattern() && !this.filter()) this.word(space);
    }
    this.endPhrase();
    return this.query;
  }

  /** Quotation marks count only around a whole term, so that `{"a": 1}` is itself. */
  private quoted(): boolean {
    if (this.source[this.at] !== '"') return false;
    const found = /^"((?:[^"\\]|\\.)*)"(?=\s|$)/s.exec(this.source.slice(this.at));
    if (!found) {
      if (/^"[^"]*$/.test(this.source.slice(this.at))) {
        throw new Wrong("This quotation mark is not closed.", this.at);
      }
      return false;
    }
    this.endPhrase();
    const text = (found[1] ?? "").replace(/\\(["\\])/g, "$1");
    if (text) this.query.terms.push(this.term(text, false));
    this.at += found[0].length;
    return true;
  }

  /** `/…/`, or `/…/i` for which case never matters; a path such as `/home/dev` is not one, for its second slash ends no term. */
  private pattern(): boolean {
    const found = /^\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([a-z]*)(?=\s|$)/s.exec(
      this.source.slice(this.at),
    );
    if (!found || !/^[dgimsuvy]*$/.test(found[2] ?? "")) return false;
    const [whole, text = "", flags = ""] = found;
    if (flags !== "" && flags !== "i") {
      const sentence = "The only flag of a regular expression is i; put a path in quotation marks.";
      throw new Wrong(sentence, this.at + whole.length - flags.length);
    }
    this.endPhrase();
    checkPattern(text, this.at + 1);
    this.query.terms.push({ ...this.term(text, true), ...(flags ? { caseSensitive: false } : {}) });
    this.at += whole.length;
    return true;
  }

  private filter(): boolean {
    const start = this.at;
    const found = FILTER.exec(this.source.slice(start));
    if (!found) return false;
    const [head, minus] = found;
    // Around the sign of a number there may be spaces.
    const name = (found[2] ?? found[4] ?? "").toLowerCase();
    const sign = found[3] ?? found[5] ?? ":";
    // `tool>3` is text; `cost:3` is a slip of one who knows that there is such a filter.
    if (NAMES.has(name) !== (sign === ":")) {
      if (sign === ":") throw new Wrong(`Write ${EXAMPLES[name]}: a number is compared.`, start);
      return false;
    }
    this.at += head.length;
    const negated = minus === "-";
    const value = this.value();
    if (NAMES.has(name)) {
      const values = value.split(",").filter(Boolean);
      if (values.length === 0) {
        throw new Wrong(`A value is missing behind ${head}, as in ${EXAMPLES[name]}.`, this.at);
      }
      const check = name === "exit" ? checkExits : checkNames;
      check(name as NameFilter, values, start + head.length);
      this.query.filters.push({ name: name as NameFilter, negated, values });
    } else {
      const number = amount(name as NumberFilter, value);
      if (number === undefined) {
        const unit = { cost: "dollars", tokens: "tokens", dur: "time" }[name as NumberFilter];
        const is = value === "" ? "An empty value" : `“${value.slice(0, 40)}”`;
        throw new Wrong(
          `${is} is not an amount of ${unit}, as in ${EXAMPLES[name]}.`,
          start + head.length,
        );
      }
      const than = sign as Comparator;
      this.query.filters.push({ name: name as NumberFilter, negated, than, value: number });
    }
    this.broken = true;
    return true;
  }

  /** The value after the sign of a filter; in quotation marks it may have spaces. */
  private value(): string {
    const rest = this.source.slice(this.at);
    const quoted = /^"([^"]*)"(?=\s|$)/.exec(rest);
    const [whole, inner] = quoted ?? /^(\S*)/.exec(rest) ?? ["", ""];
    this.at += whole.length;
    return inner ?? "";
  }

  private word(space: string): void {
    const word = /^\S+/.exec(this.source.slice(this.at))?.[0] ?? "";
    if (!this.toggles.regex)
      this.unknown ??= unknownIn(word, this.source.slice(this.at + word.length));
    if (this.phrase === "") this.phraseAt = this.at;
    this.phrase += this.phrase === "" ? word : (this.broken ? " " : space) + word;
    this.broken = false;
    this.at += word.length;
  }

  private endPhrase(): void {
    if (this.phrase === "") return;
    if (this.toggles.regex) checkPattern(this.phrase, this.phraseAt);
    this.query.terms.push(this.term(this.phrase, this.toggles.regex));
    this.phrase = "";
    this.broken = false;
  }

  private term(text: string, regex: boolean): Term {
    return { text, regex, caseSensitive: this.toggles.caseSensitive };
  }
}

function checkPattern(text: string, at: number): void {
  try {
    new RegExp(text, "u");
  } catch {
    try {
      new RegExp(text);
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^.*\/: /s, "") : "";
      throw new Wrong(
        `This is not a valid regular expression${why ? `: ${why.toLowerCase()}` : ""}.`,
        at,
      );
    }
  }
}

function checkNames(name: NameFilter, values: string[], at: number): void {
  const allowed = { status: STATUSES, role: ROLES }[name as string];
  const unknown = allowed && values.find((value) => !allowed.includes(value.toLowerCase()));
  if (!allowed || unknown === undefined) return;
  const list = `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
  throw new Wrong(`There is no ${name} “${unknown.slice(0, 40)}”: it is ${list}.`, at);
}

function checkExits(_name: NameFilter, values: string[], at: number): void {
  const wrong = values.find((value) => !/^-?\d{1,10}$/.test(value));
  if (wrong === undefined) return;
  throw new Wrong(`“${wrong.slice(0, 40)}” is not an exit code, as in ${EXAMPLES.exit}.`, at);
}

const TIMES: Record<string, number> = { ms: 1, "": 1000, s: 1000, m: 60_000, h: 3_600_000 };
const THOUSANDS: Record<string, number> = { "": 1, k: 1000, m: 1_000_000 };

/** Dollars, tokens, or milliseconds. */
function amount(name: NumberFilter, value: string): number | undefined {
  const found = /^\$?(\d+(?:\.\d*)?|\.\d+)([a-z]*)$/i.exec(value);
  if (!found) return undefined;
  const unit = (found[2] ?? "").toLowerCase();
  const units = name === "dur" ? TIMES : name === "tokens" ? THOUSANDS : { "": 1 };
  if ((name !== "cost" && value.startsWith("$")) || !Object.hasOwn(units, unit)) return undefined;
  const whole = Number(found[1]) * ((units as Record<string, number>)[unit] ?? 1);
  // 1.005 s are 1005 ms, not the 1004.9999999999999 that the product comes to.
  return Number(whole.toPrecision(15));
}

/** Does a name match, where `*` stands for any letters? Case does not matter. */
export function matchesName(pattern: string, name: string): boolean {
  const pieces = pattern.toLowerCase().split("*");
  const whole = name.toLowerCase();
  const first = pieces.shift() ?? "";
  const last = pieces.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first) || whole.length < first.length + last.length) return false;
  if (!whole.endsWith(last)) return false;
  let at = first.length;
  const end = whole.length - last.length;
  for (const piece of pieces) {
    const found = whole.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/**
 * What stands before the colon of `foo:bar`, and of a `foo:` that nothing follows; not in an address, a
 * path or a name of code (`https://…`, `c:\\…`, `std::fs`), nor where a sentence goes on: `error: no`.
 */
function unknownIn(word: string, rest: string): string | undefined {
  const [, name, value] = /^-?([a-z][a-z0-9_-]{0,39}):(.*)$/s.exec(word) ?? [];
  if (name === undefined || /^[/:\\]/.test(value ?? "")) return undefined;
  return value !== "" || rest.trim() === "" ? name : undefined;
}

/** The filters, in the order in which they are told, each as it is begun: `tool:`, `cost>`. */
export const FILTER_HEADS: readonly string[] = Object.values(EXAMPLES).map(
  (example) => /^\w+[:<>]/.exec(example)?.[0] ?? example,
);

/** The values of the filters that have a few only. */
export const FILTER_VALUES: Readonly<Record<string, readonly string[]>> = {
  status: STATUSES,
  role: ROLES,
};
