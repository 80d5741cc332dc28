// The deltas that stand: those of parts that a later `reset` takes back are left out.
import { isObject } from "../tools/boundary.ts";

/** A part of a message while its deltas come. */
interface Part {
  kind: string;
  /** The number of its first delta. */
  seq: number;
  /** By which further deltas name it. */
  name: string | undefined;
  isTakenBack: boolean;
}

/** Further deltas name a text by its block, and a call by its id. */
const nameOf = (kind: string, key: unknown) => JSON.stringify([kind, key]);

/** A message whose end has not come: whether a part stands is known by then. */
class OpenMessage {
  readonly deltas: { delta: unknown; part: Part | undefined }[] = [];
  readonly #parts: Part[] = [];
  readonly #named = new Map<string, Part>();

  take(delta: unknown, kind: unknown, seq: number, payload: Record<string, unknown>): void {
    if (kind === "reset") this.#takeBack(payload.since);
    else this.deltas.push({ delta, part: this.#partOf(kind, seq, payload) });
  }

  /** The part that a delta begins or adds to. */
  #partOf(kind: unknown, seq: number, payload: Record<string, unknown>): Part | undefined {
    if (kind === "text" || kind === "thinking") {
      const { block } = payload;
      if (block !== undefined) return this.#add(kind, seq, nameOf(kind, block));
      const last = this.#parts.at(-1);
      return last?.kind === kind ? last : this.#add(kind, seq);
    }
    const call = nameOf("tool_call", payload.toolCallId);
    if (kind === "tool_call_start") return this.#add(kind, seq, call);
    if (kind === "tool_call_args" || kind === "tool_call_end") return this.#named.get(call);
    if (kind !== "custom") return undefined;
    const { block, type } = payload;
    return this.#add(kind, seq, block === undefined ? undefined : nameOf(`custom ${type}`, block));
  }

  /** The part of this name, or a new one. */
  #add(kind: string, seq: number, name?: string): Part {
    const known = name === undefined ? undefined : this.#named.get(name);
    if (known) return known;
    const part = { kind, seq, name, isTakenBack: false };
    this.#parts.push(part);
    if (name !== undefined) this.#named.set(name, part);
    return part;
  }

  #takeBack(since: unknown): void {
    if (typeof since !== "number") return;
    for (let last = this.#parts.at(-1); last && last.seq >= since; last = this.#parts.at(-1)) {
      this.#parts.pop();
      last.isTakenBack = true;
      if (last.name !== undefined) this.#named.delete(last.name);
    }
  }

  *standing(): Generator<unknown, void, undefined> {
    for (const { delta, part } of this.deltas) if (!part?.isTakenBack) yield delta;
  }
}

/**
 * Deltas of one or more messages, without those of parts that are taken back and without the resets. What is no delta
 * is given as it is.
 */
export function* standing(deltas: Iterable<unknown>): Generator<unknown, void, undefined> {
  let message = new OpenMessage();
  for (const delta of deltas) {
    const { kind, seq, payload } = isObject(delta) ? delta : {};
    if (kind === "start") {
      yield* message.standing();
      message = new OpenMessage();
    }
    const number = typeof seq === "number" ? seq : Number.NEGATIVE_INFINITY;
    message.take(delta, kind, number, isObject(payload) ? payload : {});
  }
  yield* message.standing();
}
