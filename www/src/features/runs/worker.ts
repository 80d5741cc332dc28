import { runFiles, type Transcript } from "apex-parts";
import type { LoopView } from "../../core/model/loops";
import type { Query } from "../../core/model/query";
import type { RowMap } from "../../core/model/row_map";
import type { Source, SourceFile } from "../../core/rpc";
import type { Calls, Desk } from "../../core/worker/desk";
import { fields, label, text } from "../../core/worker/fields";
import { matchesOf } from "../../core/worker/find_matches";
import { runTitle } from "../../core/worker/first_words";
import { time as known } from "../../core/worker/no_time";
import type { OpenTranscript } from "../../core/worker/open_transcript";
import { readHead } from "../../core/worker/read";
import { sessionsOf } from "../../core/worker/sessions";
import type { RunFacts, RunHits } from "./model/runs";

/** In a session that has ended, the number of its calls alone is not a loop. */
const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };

/** What the list of runs says of a transcript that was read whole. */
function runFacts(open: OpenTranscript, name: string, loops: LoopView[]): RunFacts {
  const { transcript } = open;
  const own = sessionFacts(open);
  const others: [string, RunFacts][] = [];
  for (const { id, kind, parentID, file } of transcript.sessions) {
    if (file === undefined || kind !== "task" || others.some(([path]) => path === file)) continue;
    const scope = { session: id };
    const { length } = transcript.loops({ ...FINISHED, ...scope });
    const parent = idOf(parentID);
    const of = { ...figures(transcript, id, scope), loops: length, session: id };
    others.push([file, parent === undefined ? of : { ...of, parent }]);
  }
  return {
    ...figures(transcript, name),
    loops: loops.length,
    ...own,
    ...(others.length > 0 ? { files: Object.fromEntries(others) } : {}),
  };
}

/** What is told alike of a run and of each of its sessions. */
function figures(
  transcript: Transcript,
  name: string,
  scope?: { session: string },
): Omit<RunFacts, "loops"> {
  const summary = transcript.summary(scope);
  const { cost, time, ended, failed, models } = summary;
  const start = known(transcript.stats(scope).start);
  return {
    title: runTitle(summary) || name,
    format: label(transcript.format, 40) || "unknown",
    model: label(models[0], 80),
    ...(models.length > 1 ? { models: models.map((model) => label(model, 80)) } : {}),
    ...(ended === undefined ? {} : { ended: ended.how }),
    ...(start === undefined ? {} : { start }),
    ...(cost === undefined ? {} : { cost }),
    failed,
    ...(time === undefined || time.total === 0 ? {} : { busy: time.busy }),
  };
}

/** How many beginnings of files are read at once. */
const AT_ONCE = 16;
/** Only of records do the first lines tell to which run they belong. */
const RECORDS = /\.jsonl$/iu;

/** Which files are of one run: of each run the paths, first that of the session itself. */
async function runsOf(files: readonly SourceFile[]): Promise<string[][]> {
  const heads: { path: string; bytes: Uint8Array }[] = [];
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE).map(async ({ path, source }) => ({
      path,
      bytes: RECORDS.test(path) ? await readHead(source) : new Uint8Array(0),
    }));
    heads.push(...(await Promise.all(some)));
  }
  return runFiles(heads);
}

/** This many sessions of a file can be gone to from other files of a list. */
const MOST_TASKS = 100;

/** Of which session a file is, and which others are in it. */
function sessionFacts(
  open: OpenTranscript,
): Pick<RunFacts, "session" | "parent" | "forkOf" | "tasks"> {
  const own = fields(open.transcript.session);
  const [session, fork] = [idOf(own?.id), idOf(own?.forkOf)];
  // A fork is a run of its own, and no task of what it was forked from.
  const parent = fork === undefined ? idOf(own?.parentID) : undefined;
  const tasks = sessionsOf(open)
    .slice(0, MOST_TASKS)
    .map(({ id }) => id);
  return {
    ...(session === undefined ? {} : { session }),
    ...(parent === undefined ? {} : { parent }),
    ...(fork === undefined ? {} : { forkOf: fork }),
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
): Calls<"runFacts" | "runHits" | "runFiles"> {
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
    runFiles: (files) => desk.ready.then(() => runsOf(files)),
    runFacts: (source) =>
      ofRun(source, async (mine, name) => runFacts(mine, name, await others().loops())),
    runHits: (source, query) =>
      ofRun(source, () =>
        desk.inSteps((mine, isWanted) => runHits(mine, desk.rows.map, query, isWanted)),
      ),
  };
}
