// Makes the digests of a transcript.
import type { TranscriptLayout } from "apex-parts";
import type { Digests } from "./digests.ts";
import { mix } from "./digests.ts";
import type { Fields } from "./meaning.ts";
import { errorMeaning, fields, list, partMeaning } from "./meaning.ts";

/** Parts that are read at a time, so that rows which are asked for meanwhile need not wait. */
const BATCH = 400;

/** A transcript and what its columns say of the main session. */
export interface DigestSource {
  transcript: { message(index: number): unknown };
  layout: Pick<TranscriptLayout, "firstPart" | "roles" | "types" | "statuses" | "exits">;
}

/** Computes the digests of all messages and parts: call `look` until it returns false. */
export class DigestMaker {
  private readonly digests: Digests;
  private readonly source: DigestSource;
  private next = 0;

  constructor(source: DigestSource) {
    this.source = source;
    const { firstPart, roles, types } = source.layout;
    this.digests = {
      firstPart,
      roles,
      types,
      headers: new Uint32Array(roles.length),
      parts: new Uint32Array(types.length),
      kinds: new Uint32Array(types.length),
      inputs: new Uint32Array(types.length),
    };
  }

  /** Reads some more messages; false once all are read. */
  look(): boolean {
    const { headers, firstPart } = this.digests;
    for (let read = 0; read < BATCH && this.next < headers.length; this.next++) {
      const message = fields(this.source.transcript.message(this.next)) ?? {};
      const info = fields(message.info) ?? {};
      headers[this.next] = digest([info.role, errorMeaning(info.error)]);
      const first = firstPart[this.next] ?? 0;
      const count = (firstPart[this.next + 1] ?? first) - first;
      const parts = list(message.parts);
      for (let i = 0; i < count; i++) this.part(first + i, fields(parts[i]) ?? {});
      read += 1 + count;
    }
    return this.next < headers.length;
  }

  done(): Digests {
    return this.digests;
  }

  private part(index: number, part: Fields): void {
    const { parts, kinds, inputs } = this.digests;
    const { statuses, exits } = this.source.layout;
    const end = mix(statuses[index] ?? 0, exits[index] ?? 0);
    parts[index] = mix(digest(partMeaning(part)), end);
    kinds[index] = digest([part.type, part.tool]);
    if (part.type === "tool") inputs[index] = digest(fields(part.state)?.input);
  }
}

/** Deeper than this, all values are taken for the same. */
const DEPTH = 100;

/** A number that values with the same content share; the order of an object's keys does not count. */
export function digest(value: unknown, depth: number = 0): number {
  switch (typeof value) {
    case "string":
      return ofText(value);
    case "number":
    case "bigint":
      return mix(1, ofText(String(value)));
    case "boolean":
      return value ? 2 : 3;
    case "undefined":
      return 4;
    case "object":
      break;
    default:
      return 5;
  }
  if (value === null) return 6;
  if (depth > DEPTH) return 7;
  let all = Array.isArray(value) ? 8 : 9;
  if (Array.isArray(value)) {
    for (const item of value) all = mix(all, digest(item, depth + 1));
    return all;
  }
  const members = value as Fields;
  for (const key of Object.keys(members).sort()) {
    all = mix(mix(all, ofText(key)), digest(members[key], depth + 1));
  }
  return all;
}

function ofText(string: string): number {
  let hash = mix(10, string.length);
  for (let i = 0; i < string.length; i++) {
    hash = Math.imul(hash ^ string.charCodeAt(i), 0x01000193);
  }
  return mix(hash, string.length);
}
