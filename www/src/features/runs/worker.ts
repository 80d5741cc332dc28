import type { LoopView } from "../../core/model/loops";
import type { Query } from "../../core/model/query";
import type { RowMap } from "../../core/model/row_map";
import type { Source } from "../../core/rpc";
import type { Calls, Desk } from "../../core/worker/desk";
import { fields, text } from "../../core/worker/fields";
import { matchesOf } from "../../core/worker/find_matches";
import type { OpenTranscript } from "../../core/worker/open_transcript";
import { facts } from "../../core/worker/overview";
import { sessionsOf } from "../../core/worker/sessions";
import type { RunFacts, RunHits } from "./model/runs";

/** What the list of runs says of a transcript that was read whole. */
function runFacts(open: OpenTranscript, name: string, loops: LoopView[]): RunFacts {
  const { title, format, model, start } = facts(open, name, 0);
  const { cost, time, ended, failed } = open.transcript.summary();
  return {
    title,
    format,
    model,
    ...(ended === undefined ? {} : { ended: ended.how }),
    // Formats without times have messages of the beginning of time.
    ...(start === undefined || start === 0 ? {} : { start }),
    ...(cost === undefined ? {} : { cost }),
    failed,
    loops: loops.length,
    ...(time === undefined || time.total === 0 ? {} : { busy: time.busy }),
    ...sessionFacts(open),
  };
}

/** This many sessions of a file can be gone to from other files of a list. */
const MOST_TASKS = 100;

/** Of which session a file is, and which others are in it. */
function sessionFacts(open: OpenTranscript): Pick<RunFacts, "session" | "parent" | "tasks"> {
  const own = fields(open.transcript.session);
  const [session, parent] = [idOf(own?.id), idOf(own?.parentID)];
  const tasks = sessionsOf(open)
    .slice(0, MOST_TASKS)
    .map(({ id }) => id);
  return {
    ...(session === undefined ? {} : { session }),
    ...(parent === undefined ? {} : { parent }),
    ...(tasks.length > 0 ? { tasks } : {}),
  };
}

/** No agent writes a longer id. */
const LONGEST_ID = 200;

function idOf(value: unknown): string | undefined {
  const id = text(value);
  return id === "" || (id?.length ?? 0) > LONGEST_ID ? undefined : id;
}

/** How often a query hits a transcript; undefined where that is not wanted any more. */
async function runHits(
  open: OpenTranscript,
  map: RowMap,
  query: Query,
  isWanted: () => boolean,
): Promise<RunHits | undefined> {
  const matches = await matchesOf(open, map, query, isWanted);
  return matches && { count: matches.rows.length, capped: matches.capped };
}

/** `others` gives the calls of other features: a run is opened, and its loops are found, as any transcript's. */
export function runs(
  desk: Desk,
  others: () => Calls<"open" | "loops">,
): Calls<"runFacts" | "runHits"> {
  /** What there is to say of a file that is read whole for that, and left again. */
  const ofRun = async <T>(
    source: Source,
    look: (mine: OpenTranscript, name: string) => Promise<T>,
  ): Promise<T> => {
    const { name } = await others().open(source);
    await desk.reading;
    const found = await look(desk.transcript, name);
    desk.leave();
    return found;
  };
  return {
    runFacts: (source) =>
      ofRun(source, async (mine, name) => runFacts(mine, name, await others().loops())),
    runHits: (source, query) =>
      ofRun(source, () =>
        desk.inSteps((mine, isWanted) => runHits(mine, desk.rows.map, query, isWanted)),
      ),
  };
}
