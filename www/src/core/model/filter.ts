import { FLAG_ERROR, type Layout, NO_EXIT, STATUS_NAMES } from "./layout";
import { PART_CODE, PART_TYPES } from "./parts";
import { type Comparator, type Filter, matchesName, type NumberFilter } from "./query";
import type { RowMap } from "./row_map";

const ROLES = ["other", "user", "assistant"];
const CUSTOM = 255;
/** The first code of `layout().statuses` of a call that has ended. */
const ENDED = 3;

/** Filters that say something about a part, not about its message. */
const OF_PARTS = new Set<string>(["tool", "type", "status", "exit"]);
const MEASURES = new Set<string>(["cost", "tokens", "dur"]);

/** The name of a custom part's type, which is read from the file. */
type CustomType = (message: number, part: number) => string;

/**
 * Decides which rows pass the filters of a query, from the arrays of the layout alone.
 *
 * Filters of messages only (`role:`, `agent:`) choose messages; with a text, or a filter of parts,
 * they choose the parts in them. What a part costs is what its message costs, where it has no cost
 * of its own and something else chose it: `tool:bash cost>0.05` are calls in dear messages.
 */
export class RowFilter {
  private readonly takesParts: boolean;
  private readonly takesHeaders: boolean;
  private readonly takesErrors: boolean;
  private readonly inherits: boolean;
  private readonly tests: {
    negated: boolean;
    test: (message: number, part: number) => boolean;
  }[];
  private sums?: { cost: Float64Array; tokens: Float64Array };

  constructor(
    private readonly layout: Layout,
    private readonly map: RowMap,
    filters: Filter[],
    hasText: boolean,
    private readonly customType: CustomType = () => "",
  ) {
    const names = filters.map(({ name }) => name);
    const chosen = hasText || names.some((name) => OF_PARTS.has(name));
    this.inherits = chosen;
    this.takesParts = chosen || names.some((name) => MEASURES.has(name));
    // A message has no tool and no type; of a status it has the error only.
    this.takesErrors = filters.every(
      (filter) =>
        !OF_PARTS.has(filter.name) ||
        ("values" in filter && filter.name === "status" && filter.values.some(isError)),
    );
    this.takesHeaders = !hasText && this.takesErrors;
    this.tests = filters.map((filter) => ({ negated: filter.negated, test: this.testOf(filter) }));
  }

  /** `part` is -1 for the message's own row. */
  passes(message: number, part: number): boolean {
    if (part < 0 ? !this.takesHeaders : !this.takesParts) return false;
    return this.holds(message, part);
  }

  /** Does the error of a message pass, in which a text was found? */
  passesError(message: number): boolean {
    return this.takesErrors && this.holds(message, -1);
  }

  private holds(message: number, part: number): boolean {
    return this.tests.every(({ negated, test }) => test(message, part) !== negated);
  }

  private testOf(filter: Filter): (message: number, part: number) => boolean {
    const { layout } = this;
    switch (filter.name) {
      case "role": {
        const allowed = codes(ROLES, filter.values);
        return (message) => allowed[layout.roles[message] ?? 0] === 1;
      }
      case "agent": {
        const allowed = codes(["", ...layout.agentNames], filter.values);
        return (message) => allowed[layout.agents[message] ?? 0] === 1;
      }
      case "tool": {
        const allowed = codes(["", ...layout.toolNames], filter.values);
        return (message, part) => allowed[layout.tools[this.index(message, part)] ?? 0] === 1;
      }
      case "status": {
        // A call whose state is an error has failed too.
        const values = filter.values.some(isFailed) ? [...filter.values, "error"] : filter.values;
        const allowed = codes(STATUS_NAMES, values);
        const error = filter.values.some(isError);
        return (message, part) =>
          part < 0
            ? error && ((layout.flags[message] ?? 0) & FLAG_ERROR) !== 0
            : allowed[layout.statuses[this.index(message, part)] ?? 0] === 1;
      }
      case "exit": {
        // They are held as 32 bits; some systems write them without a sign.
        const allowed = new Set(filter.values.map((value) => Number(value) | 0));
        return (message, part) => {
          const index = this.index(message, part);
          const isEnded = part >= 0 && (layout.statuses[index] ?? 0) >= ENDED;
          return isEnded && allowed.has(layout.exits[index] ?? NO_EXIT);
        };
      }
      case "type":
        return this.typeTest(filter.values);
      default:
        return this.measureTest(filter.name, filter.than, filter.value);
    }
  }

  private typeTest(values: string[]): (message: number, part: number) => boolean {
    const { types } = this.layout;
    const allowed = codes(PART_TYPES, values);
    const anyCustom = values.some((value) => value.toLowerCase() === "custom");
    return (message, part) => {
      const type = types[this.index(message, part)] ?? CUSTOM;
      if (type < PART_TYPES.length) return allowed[type] === 1;
      if (anyCustom) return true;
      const name = this.customType(message, part);
      return values.some((value) => matchesName(value, name));
    };
  }

  private measureTest(
    name: NumberFilter,
    than: Comparator,
    limit: number,
  ): (message: number, part: number) => boolean {
    const { starts, ends, created, completed, costs, tokens, types } = this.layout;
    // Costs are held as 32-bit numbers: 0.05 is more there than it is here.
    const holds = compare(than, name === "cost" ? Math.fround(limit) : limit);
    if (name === "dur") {
      // A time that is not known is NaN, which no comparison holds for.
      return (message, part) => {
        if (part < 0) return holds((completed[message] ?? NaN) - (created[message] ?? NaN));
        const index = this.index(message, part);
        return holds((ends[index] ?? NaN) - (starts[index] ?? NaN));
      };
    }
    const own = name === "cost" ? costs : tokens;
    const stepFinish = PART_CODE["step-finish"];
    return (message, part) => {
      const index = this.index(message, part);
      if (part >= 0 && types[index] === stepFinish) return holds(own[index] ?? 0);
      if (part >= 0 && !this.inherits) return false;
      return holds(this.sumsOf()[name][message] ?? 0);
    };
  }

  /** What the steps of each message come to; counted when it is first asked for. */
  private sumsOf(): { cost: Float64Array; tokens: Float64Array } {
    if (this.sums) return this.sums;
    const { costs, tokens } = this.layout;
    const { firstPart, messages } = this.map;
    const sums = { cost: new Float64Array(messages), tokens: new Float64Array(messages) };
    for (let message = 0; message < messages; message++) {
      let cost = 0;
      let count = 0;
      for (let i = firstPart[message] ?? 0; i < (firstPart[message + 1] ?? 0); i++) {
        cost += decimal(costs[i] ?? 0);
        count += tokens[i] ?? 0;
      }
      sums.cost[message] = Math.fround(cost);
      sums.tokens[message] = count;
    }
    this.sums = sums;
    return sums;
  }

  private index(message: number, part: number): number {
    return (this.map.firstPart[message] ?? 0) + part;
  }
}

const isError = (value: string) => value.toLowerCase() === "error";
const isFailed = (value: string) => value.toLowerCase() === "failed";

/** Of each name, whether one of the values means it: 1 or 0, by the code that the name has. */
function codes(names: readonly string[], values: string[]): Uint8Array {
  return Uint8Array.from(names, (name) =>
    name !== "" && values.some((value) => matchesName(value, name)) ? 1 : 0,
  );
}

/** What was written of a number that is held in 32 bits: 0.05, not 0.05000000074505806. */
function decimal(value: number): number {
  for (let digits = value === 0 ? 10 : 7; digits < 10; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function compare(than: Comparator, limit: number): (value: number) => boolean {
  switch (than) {
    case "<":
      return (value) => value < limit;
    case "<=":
      return (value) => value <= limit;
    case ">":
      return (value) => value > limit;
    default:
      return (value) => value >= limit;
  }
}
