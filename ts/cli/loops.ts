// `loops`: the loops in a transcript.
import type { DoomLoopConfig, Transcript } from "apex-parts";
import { withTranscript } from "./file.ts";
import type { Values } from "./options.ts";
import { nameOf, print, wholeNumber } from "./output.ts";
import { scopeOf, wantedSession } from "./sessions.ts";
import { plural } from "./units.ts";
import { FINISHED, loopLine } from "./verdict.ts";

function configOf(values: Values): DoomLoopConfig {
  const threshold = wholeNumber(values, "threshold", 0);
  const maxIterations = wholeNumber(values, "max-iterations", 1);
  return {
    ...FINISHED,
    ...(threshold === undefined ? {} : { threshold }),
    ...(maxIterations === undefined ? {} : { maxIterations }),
  };
}

/** `messages 1, 2: parts prt_a, prt_b` */
function placeOf(
  { partIDs, places }: ReturnType<Transcript["loops"]>[number],
  messageCount: number,
): string | undefined {
  if (partIDs.length === 0) return undefined;
  // The messages of other sessions come after those of the first.
  const numbers = new Set(places.map(([message]) => message).filter((i) => i < messageCount));
  const where = numbers.size === 1 ? "message" : "messages";
  const parts = `${partIDs.length === 1 ? "part" : "parts"} ${partIDs.join(", ")}`;
  return numbers.size === 0 ? parts : `${where} ${[...numbers].join(", ")}: ${parts}`;
}

function look(transcript: Transcript, values: Values, config: DoomLoopConfig): number {
  const scope = scopeOf(values.session);
  const loops = transcript.loops({ ...config, ...scope });
  const { messages } = transcript.stats(scope);
  const stopped = loops.filter((loop) => loop.suggestedAction === "interrupt").length;
  if (values.json) {
    print(JSON.stringify(loops, null, 2));
  } else {
    for (const loop of loops) {
      const place = placeOf(loop, transcript.messageCount);
      const lines = [loopLine(loop), ...(place ? [`  ${place}`] : []), `  ${loop.message}`];
      print(`${lines.join("\n")}\n`);
    }
    const sums = `${plural(loops.length, "loop")}, ${stopped} to interrupt`;
    print(`${sums}, in ${plural(messages, "message")}`);
  }
  return stopped > 0 ? 1 : 0;
}

export function loops(file: string, values: Values): Promise<number> {
  const config = configOf(values); // wrong options are reported before the file is read
  return withTranscript(file, values, (transcript) => {
    wantedSession(transcript, nameOf(file), values.session);
    return look(transcript, values, config);
  });
}
