// Where two transcripts begin to differ.
import type { Alignment } from "./align.ts";
import { align } from "./align.ts";
import type { Digests } from "./digests.ts";
import { STEP_START, TOOL } from "./digests.ts";

const ASSISTANT = 2;

/** Where two transcripts begin to differ. */
export interface Fork {
  /** How many steps say the same … */
  steps: number;
  /** … and how many make the same calls; what was said and what came of it may differ. */
  callSteps: number;
  /** The first call of each side that the other does not make there; -1 where it makes none any more. */
  calls: [number, number];
  /** That call was made before, just as it is. */
  repeats: [boolean, boolean];
}

/** Two transcripts side by side, and how they compare. */
export interface AlignedRuns {
  alignment: Alignment;
  /** Undefined where they say the same. */
  fork: Fork | undefined;
}

export function aligned(a: Digests, b: Digests): AlignedRuns {
  const alignment = align(a, b);
  return { alignment, fork: forkOf(a, b, alignment) };
}

function forkOf(a: Digests, b: Digests, alignment: Alignment): Fork | undefined {
  const first = alignment.differences[0];
  if (first === undefined) return undefined;
  const [left, right] = [callsOf(a), callsOf(b)];
  let same = 0;
  const most = Math.min(left.length, right.length);
  while (same < most && isSameCall(a, left[same] ?? 0, b, right[same] ?? 0)) same++;
  const calls: Fork["calls"] = [left[same] ?? -1, right[same] ?? -1];
  const isLeft = (alignment.left[first] ?? -1) >= 0;
  const row = (isLeft ? alignment.left[first] : alignment.right[first]) ?? 0;
  const steps = stepsBeforeRow(isLeft ? a : b, row);
  const callSteps = Math.min(
    ...[a, b].flatMap((each, side) => {
      const call = calls[side] ?? -1;
      return call < 0 ? [] : [stepsBefore(each, call)];
    }),
  );
  return {
    steps,
    callSteps: Math.max(steps, Number.isFinite(callSteps) ? callSteps : steps),
    calls,
    repeats: [isRepeated(a, left, same), isRepeated(b, right, same)],
  };
}

function callsOf({ types }: Digests): number[] {
  const calls: number[] = [];
  types.forEach((type, part) => {
    if (type === TOOL) calls.push(part);
  });
  return calls;
}

function isSameCall(a: Digests, i: number, b: Digests, j: number): boolean {
  return a.kinds[i] === b.kinds[j] && a.inputs[i] === b.inputs[j];
}

function isRepeated(of: Digests, calls: number[], at: number): boolean {
  const call = calls[at];
  if (call === undefined) return false;
  return calls.slice(0, at).some((before) => isSameCall(of, before, of, call));
}

function stepsBeforeRow(of: Digests, row: number): number {
  let message = 0;
  const { firstPart } = of;
  while (message + 1 < of.headers.length && (firstPart[message + 1] ?? 0) + message + 1 <= row) {
    message++;
  }
  const part = row - message - 1;
  // Of a header: the steps of the messages before it.
  if (part < (firstPart[message] ?? 0)) return started(of, firstPart[message] ?? 0, message);
  return stepsBefore(of, part);
}

/** The steps that are over before the one that a part is in. */
function stepsBefore(of: Digests, part: number): number {
  let message = 0;
  while (message + 1 < of.headers.length && (of.firstPart[message + 1] ?? 0) <= part) message++;
  const hasSteps = of.types.includes(STEP_START);
  return Math.max(0, started(of, part + 1, message) - (hasSteps ? 1 : 0));
}

/** Steps that began before a part; where the format has none, a message of the model is one. */
function started(of: Digests, before: number, message: number): number {
  let count = 0;
  if (of.types.includes(STEP_START)) {
    for (let part = 0; part < before; part++) if (of.types[part] === STEP_START) count++;
    return count;
  }
  for (let i = 0; i < message; i++) if (of.roles[i] === ASSISTANT) count++;
  return count;
}
