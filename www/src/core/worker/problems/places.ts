import { type Problem, Transcript } from "apex-parts";
import type { Place } from "../../model/row_map";
import type { OpenTranscript } from "../open_transcript";
import { pause } from "../pause";
import type { SourceBytes } from "../source_bytes";

/** Where in the transcript damage is nearest to, by the byte of the file at which it begins. */
export type Places = ReadonlyMap<number, Place>;

/** The most bytes that are assembled again to find the places. */
const QUICK = 16 << 20;

/**
 * Damage has a byte and no path. Where messages are ranges of the file, those say which one is
 * nearest. An assembled transcript is assembled again up to each damaged byte, where that is quick.
 */
export async function findPlaces(
  open: OpenTranscript,
  problems: Problem[],
  sourceBytes: SourceBytes,
): Promise<Places> {
  const offsets = damagedBytes(problems);
  const isPutTogether = open.transcript.byteRange(0, 1) === undefined;
  if (!isPutTogether || offsets.length * sourceBytes.length > QUICK) {
    return nearestPlaces(open, problems, sourceBytes.length);
  }
  const nearest = nearestPlaces(open, problems, sourceBytes.length);
  return assembledPlaces(open.transcript.format, offsets, sourceBytes).catch(() => nearest);
}

/** The same at once; in an assembled transcript it is estimated from the share of the bytes before it. */
export function nearestPlaces(open: OpenTranscript, problems: Problem[], bytes: number): Places {
  const offsets = damagedBytes(problems);
  if (open.transcript.byteRange(0, 1) === undefined) return placesByShare(open, offsets, bytes);
  return new Map(offsets.map((offset) => [offset, placeInFile(open, offset)]));
}

function damagedBytes(problems: Problem[]): number[] {
  const offsets = new Set<number>();
  for (const { path, offset } of problems) {
    if (path === "" && offset !== undefined) offsets.add(offset);
  }
  return [...offsets].sort((a, b) => a - b);
}

/** The last message that begins at or before a byte; its end where the byte is after that. */
function placeInFile({ transcript, layout }: OpenTranscript, offset: number): Place {
  let low = 0;
  let high = layout.roles.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((transcript.byteRange(middle, middle + 1)?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const end = transcript.byteRange(low, low + 1)?.end ?? 0;
  return { message: low, part: offset < end ? -1 : lastPart(layout.firstPart, low) };
}

async function assembledPlaces(
  format: Transcript["format"],
  offsets: number[],
  sourceBytes: SourceBytes,
): Promise<Places> {
  const places = new Map<number, Place>();
  if (offsets.length === 0) return places;
  const bytes = await sourceBytes.bytes();
  const transcript = new Transcript(format === undefined ? {} : { format });
  try {
    let read = 0;
    for (const offset of offsets) {
      transcript.push(bytes.subarray(read, offset));
      read = offset;
      transcript.refresh();
      const message = Math.max(transcript.messageCount - 1, 0);
      places.set(offset, { message, part: lastPart(transcript.layout().firstPart, message) });
      await pause();
    }
    return places;
  } finally {
    transcript.free();
  }
}

/** The parts at which the parts come to the same share of all as the bytes do. */
function placesByShare({ layout }: OpenTranscript, offsets: number[], bytes: number): Places {
  const { firstPart, sizes } = layout;
  const places = new Map<number, Place>();
  if (offsets.length === 0) return places;
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let [message, part, before] = [0, 0, sizes[0] ?? 0];
  for (const offset of offsets) {
    const share = (offset / Math.max(bytes, 1)) * all;
    while (before < share && part < sizes.length - 1) before += sizes[++part] ?? 0;
    while (message < firstPart.length - 2 && (firstPart[message + 1] ?? 0) <= part) message++;
    places.set(offset, { message, part: part - (firstPart[message] ?? 0) });
  }
  return places;
}

/** -1, the message itself, where it has none. */
function lastPart(firstPart: Uint32Array, message: number): number {
  return (firstPart[message + 1] ?? 0) - (firstPart[message] ?? 0) - 1;
}
