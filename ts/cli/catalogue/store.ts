// Rules of a run's log, and the codes of its errors.
import type { Entry, Rule } from "./rule.ts";
import { bytes, START } from "./values.ts";

const from = "apex-parts/store";

const LOG_ENTRIES: Entry[] = [
  {
    code: "RL-1",
    says: "A batch is appended completely or not at all, and begins where the log ends. Repeating the same batch is a `duplicate`; anything else is a `gap`.",
    cure: "After a lost reply, send the same batch again, or ask for the log's position (`renew`) and continue from there.",
    gives: "gap",
    example: async ({ memoryRunLog }) => {
      const log = memoryRunLog();
      const { token } = await log.claim("r", { owner: "a" });
      await log.append("r", { token, from: 3, to: 4, bytes: bytes("{}\n") });
    },
  },
  {
    code: "RL-2",
    says: "A claim makes its owner the only writer: every write contains the claim's token, and a write with an older token is `fenced`, permanently.",
    cure: "Stop writing: another process has taken over the run.",
    gives: "fenced",
    example: async ({ memoryRunLog }) => {
      const log = memoryRunLog();
      const { token } = await log.claim("r", { owner: "a" });
      await log.claim("r", { owner: "b", force: true });
      await log.append("r", { token, from: 0, to: 1, bytes: bytes("{}\n") });
    },
  },
  {
    code: "RL-3",
    says: "While the lease of another owner runs, a claim is `held`, unless it is forced.",
    cure: "Wait for the lease to end (`wait: true`), or take over with `force`.",
    gives: "held",
    example: async ({ memoryRunLog }) => {
      const log = memoryRunLog();
      await log.claim("r", { owner: "a" });
      await log.claim("r", { owner: "b" });
    },
  },
  {
    code: "RL-4",
    says: "The end of a run is stored in one step with its last batch; after that, every append and every claim is `ended`.",
    cure: "Write the next message to a new log: `run/1` after `run/0`.",
    gives: "ended",
    example: async ({ memoryRunLog }) => {
      const log = memoryRunLog();
      const { token } = await log.claim("r", { owner: "a" });
      await log.append("r", { token, from: 0, to: 1, bytes: bytes("{}\n"), end: "done" });
      await log.claim("r", { owner: "a" });
    },
  },
  {
    code: "RL-5",
    says: "Readers never write, and what a reader shows was stored before.",
    cure: "Show the browser that is connected to the writer what is in the log, too.",
    never: "Readers have no function that writes.",
  },
  {
    code: "RL-6",
    says: "A snapshot is taken at the end of a batch and replaces everything before it. Reading from before it throws `trimmed`.",
    cure: "Start from the snapshot that `latest` returns. `RunReader` and `runResponse` do that by themselves.",
    gives: "trimmed",
    example: async ({ memoryRunLog }) => {
      const log = memoryRunLog();
      const { token } = await log.claim("r", { owner: "a" });
      await log.append("r", { token, from: 0, to: 1, bytes: bytes("{}\n") });
      await log.snapshot("r", { token, at: 1, bytes: bytes("{}\n") });
      await log.read("r", 0);
    },
  },
  {
    code: "RL-7",
    says: "A process that takes over a run continues exactly if the source can be read again from an offset; otherwise it ends the step with the error `writer_lost` and runs the step again.",
    cure: 'Call `fail({ errorCode: "writer_lost", retryable: true })`, and run the step again as the next message.',
    never: "Only your program knows its source.",
  },
  {
    code: "RL-8",
    says: "A browser that disconnects does not stop the writer; `requestStop` requests a stop, and `signal` reports it.",
    cure: "Call `requestStop` from the stop button.",
    never: "Readers have no function that stops a run.",
  },
  {
    code: "RL-9",
    says: "A place in a log is `position.epoch`. A reader whose place no longer exists after a restart of the store receives a `reset`.",
    cure: "Draw everything again at a `reset`; the readers of this package do.",
    never: "Readers are notified by an event, not an error.",
  },
];

export const LOGS: Rule[] = LOG_ENTRIES.map((rule) => ({ source: "store", from, ...rule }));

const OF_ERRORS: [code: string, says: string, cure: string, rule: string][] = [
  ["fenced", "Another writer has taken over the run.", "Stop writing (RL-2).", "RL-2"],
  ["held", "Another writer holds the run.", "Wait, or force the claim (RL-3).", "RL-3"],
  [
    "gap",
    "A batch does not begin where the log ends.",
    "Take the position, `details.position`, and continue from there (RL-1).",
    "RL-1",
  ],
  ["ended", "The run has ended.", "Write the next message to a new log (RL-4).", "RL-4"],
  [
    "trimmed",
    "Everything before the snapshot has been removed.",
    "Start from the snapshot (RL-6).",
    "RL-6",
  ],
];

/** Codes of `RunStoreError`. */
const STORE_ERROR_ENTRIES: Entry[] = [
  ...OF_ERRORS.map(([code, says, cure, of]) => {
    const example = LOGS.find((rule) => rule.code === of)?.example;
    return { code, says, cure, example };
  }),
  {
    code: "expired",
    says: "The run has ended, and its time to live is over.",
    cure: "Read the finished message where your program stores it, or keep runs longer (`ttlMs`).",
    example: async ({ memoryRunLog }) => {
      let time = 0;
      const log = memoryRunLog({ ttlMs: 1000, now: () => time });
      await log.claim("r", { owner: "a" });
      time = 1500;
      await log.read("r", 0);
    },
  },
  {
    code: "unknown_run",
    says: "There is no run with this id.",
    cure: "Correct the id, or wait until its writer has claimed it.",
    example: ({ memoryRunLog }) => memoryRunLog().read("r", 0),
  },
  {
    code: "too_large",
    says: "A batch has at most 1 MB, a run at most 64 MB.",
    cure: "`RunWriter` splits batches; divide a larger run into several logs.",
    example: async ({ memoryRunLog }) => {
      const log = memoryRunLog();
      const { token } = await log.claim("r", { owner: "a" });
      await log.append("r", { token, from: 0, to: 1, bytes: new Uint8Array(2 ** 21) });
    },
  },
  {
    code: "unavailable",
    says: "The store is unreachable or out of memory; nothing was partly written.",
    cure: "Try again; `RunWriter` does so for the duration of its lease. `cause` is the store's answer.",
    from: "apex-parts/store/redis",
    example: ({ redisRunLog }) => {
      const call = () => Promise.reject(new Error("no connection"));
      return redisRunLog({ call, callBuffer: call }).latest("r");
    },
  },
];

export const STORE_ERRORS: Rule[] = STORE_ERROR_ENTRIES.map((rule) => ({
  severity: "error",
  source: "store",
  from,
  ...rule,
}));

/** What the `error` delta says that ends a run without its model's doing. */
const RUN_END_ENTRIES: Entry[] = [
  {
    code: "incomplete",
    says: "A writer ended a run whose stream had not ended (`end()` without `done`).",
    cure: "The stream was truncated: run the step again as the next message.",
    example: async ({ memoryRunLog, RunReader, RunWriter }) => {
      const log = memoryRunLog();
      const writer = await RunWriter.open(log, "r");
      await writer.push(START);
      await writer.end();
      return (await RunReader.open(log, "r")).result();
    },
  },
  {
    code: "writer_lost",
    says: "The process that read the stream has died, and the stream cannot be read again (RL-7).",
    cure: "Run the step again as the next message; calls that have ended are in the log.",
    example: async ({ memoryRunLog, RunReader, RunWriter }) => {
      const log = memoryRunLog();
      const writer = await RunWriter.open(log, "r");
      await writer.push(START);
      await writer.fail({ errorCode: "writer_lost", retryable: true });
      return (await RunReader.open(log, "r")).result();
    },
  },
];

export const RUN_ENDS: Rule[] = RUN_END_ENTRIES.map((end) => ({
  severity: "error",
  source: "store",
  from,
  ...end,
}));
