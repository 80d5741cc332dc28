// What a transcript says, as numbers that can be compared.

/**
 * Digests of a transcript's content: two parts with the same number have the same content, apart from ids,
 * times and costs. Indexes are those of `Layout`.
 */
export interface Digests {
  firstPart: Uint32Array;
  roles: Uint8Array;
  types: Uint8Array;
  /** Of each message: its role and its error. */
  headers: Uint32Array;
  /** Of each part: all that it says. */
  parts: Uint32Array;
  /** Of each part: its type, and the tool that it calls. */
  kinds: Uint32Array;
  /** Of each part: what the tool was given; 0 for other parts. */
  inputs: Uint32Array;
}

/** The steps of a transcript: where each begins, whose it is, and what it says. */
interface TranscriptSteps {
  /** Index of the first part. */
  starts: Uint32Array;
  /** The message that it is in. */
  messages: Uint32Array;
  digests: Uint32Array;
}

/** The codes of these part types in `layout().types`. */
export const TOOL = 2 as const;
export const STEP_START = 3 as const;

/**
 * A message is a step; one that holds several, as some formats write them, is cut at each further
 * `step-start`.
 */
export function steps(of: Digests): TranscriptSteps {
  const starts: number[] = [];
  const messages: number[] = [];
  for (let message = 0; message < of.headers.length; message++) {
    const first = of.firstPart[message] ?? 0;
    const end = of.firstPart[message + 1] ?? first;
    starts.push(first);
    messages.push(message);
    let seen = 0;
    for (let part = first; part < end; part++) {
      if (of.types[part] !== STEP_START || seen++ === 0) continue;
      starts.push(part);
      messages.push(message);
    }
  }
  const digests = new Uint32Array(starts.length);
  for (let step = 0; step < starts.length; step++) {
    const end = starts[step + 1] ?? of.parts.length;
    let digest = of.headers[messages[step] ?? 0] ?? 0;
    for (let part = starts[step] ?? 0; part < end; part++) {
      digest = mix(digest, of.parts[part] ?? 0);
    }
    digests[step] = digest;
  }
  return { starts: Uint32Array.from(starts), messages: Uint32Array.from(messages), digests };
}

/** One number out of two; the order counts. */
export function mix(digest: number, value: number): number {
  let mixed = Math.imul(value, 0xcc9e2d51);
  mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593) ^ digest;
  mixed = Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64;
  mixed ^= mixed >>> 16;
  return mixed >>> 0;
}

/** More parts of a step than these are not looked at when steps are compared. */
const LOOKED_AT = 64;

interface ComparedDigests {
  steps(
    a: Digests,
    left: TranscriptSteps,
    i: number,
    b: Digests,
    right: TranscriptSteps,
    j: number,
  ): number;
  parts(a: Digests, i: number, b: Digests, j: number): number;
}

/** How alike two things are; 0 where they do not belong side by side. */
export const compared: ComparedDigests = {
  steps(
    a: Digests,
    left: TranscriptSteps,
    i: number,
    b: Digests,
    right: TranscriptSteps,
    j: number,
  ): number {
    if (a.roles[left.messages[i] ?? 0] !== b.roles[right.messages[j] ?? 0]) return 0;
    const counts = new Map<number, number>();
    const end = left.starts[i + 1] ?? a.parts.length;
    const first = left.starts[i] ?? 0;
    for (let part = first; part < Math.min(end, first + LOOKED_AT); part++) {
      for (const digest of [a.parts[part] ?? 0, a.kinds[part] ?? 0]) {
        counts.set(digest, (counts.get(digest) ?? 0) + 1);
      }
    }
    const otherEnd = right.starts[j + 1] ?? b.parts.length;
    const otherFirst = right.starts[j] ?? 0;
    let shared = 0;
    for (let part = otherFirst; part < Math.min(otherEnd, otherFirst + LOOKED_AT); part++) {
      for (const digest of [b.parts[part] ?? 0, b.kinds[part] ?? 0]) {
        const left = counts.get(digest) ?? 0;
        if (left === 0) continue;
        counts.set(digest, left - 1);
        shared++;
      }
    }
    const most = Math.max(end - first, otherEnd - otherFirst, 1) * 2;
    return 1 + (8 * shared) / most;
  },

  parts(a: Digests, i: number, b: Digests, j: number): number {
    if (a.types[i] !== b.types[j]) return 0;
    if (a.kinds[i] !== b.kinds[j]) return 1;
    return a.inputs[i] === b.inputs[j] ? 7 : 3;
  },
};
