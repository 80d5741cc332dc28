import type { CompactionSpan } from "../model/compactions";
import { PART_CODE } from "../model/parts";
import { list, number } from "./fields";
import type { OpenTranscript } from "./open_transcript";

const STEP_FINISH = PART_CODE["step-finish"];

/** What the page is told of the compactions of a transcript. */
interface CompactionFacts {
  compactions: CompactionSpan[];
  /** Tokens of the context now, counted by the module, where the last compaction has no step after it. */
  contextNow: number | undefined;
}

/** A file is shown whether or not its context can be counted. */
function counted(transcript: OpenTranscript["transcript"]): number | undefined {
  try {
    return number(transcript.estimate().tokens);
  } catch {
    return undefined;
  }
}

export function compactionFacts({ transcript, layout }: OpenTranscript): CompactionFacts {
  const compactions = list(transcript.compactions()) as CompactionSpan[];
  const last = compactions.at(-1);
  if (!last) return { compactions, contextNow: undefined };
  const { firstPart, types } = layout;
  const after = types.subarray(firstPart[last.summary + 1] ?? types.length);
  return { compactions, contextNow: after.includes(STEP_FINISH) ? undefined : counted(transcript) };
}
