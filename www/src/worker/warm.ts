import { Transcript } from "apex-parts";
import { pause } from "../core/worker/pause";

/** Bytes that are scanned, in some tens of milliseconds: browsers optimise what has run for a while. */
const ENOUGH = 16 << 20;
/** Bytes that are scanned at a time. */
const STEP = 128 << 10;

/**
 * Reads a made-up transcript while the worker is idle, so that the module is already optimised when the
 * first large file is opened. Stops as soon as there is something else to do.
 */
export async function warmUp(isIdle: () => boolean): Promise<void> {
  const message = new TextEncoder().encode(`${JSON.stringify(MESSAGE)},`);
  const bytes = new Uint8Array(Math.ceil(STEP / message.length) * message.length);
  for (let at = 0; at < bytes.length; at += message.length) bytes.set(message, at);
  const transcript = new Transcript({ read: () => new Uint8Array() });
  transcript.push(new TextEncoder().encode('{"info":{"id":"ses_warm"},"messages":['));
  for (let read = 0; read < ENOUGH && isIdle(); read += bytes.length) {
    transcript.push(bytes);
    await pause();
  }
  transcript.free();
}

const id = { sessionID: "ses_warm", messageID: "msg_warm" };
const time = { start: 1_700_000_000_000, end: 1_700_000_000_500 };
const words =
  'Some words, as they stand in most transcripts: "quoted", \n and a line more. '.repeat(8);
const tokens = { input: 100, output: 200, reasoning: 0, cache: { read: 3_000, write: 40 } };

/** A message with a part of each kind that is frequent. */
const MESSAGE = {
  info: {
    ...{ id: "msg_warm", sessionID: "ses_warm", role: "assistant", parentID: "msg_before" },
    ...{ time: { created: 1_700_000_000_000, completed: 1_700_000_001_000 }, agent: "build" },
    ...{ modelID: "model", providerID: "provider", mode: "build", cost: 0.01, tokens },
    path: { cwd: "/", root: "/" },
  },
  parts: [
    { ...id, id: "prt_1", type: "step-start" },
    { ...id, id: "prt_2", type: "reasoning", text: words, time },
    { ...id, id: "prt_3", type: "text", text: words.repeat(3), time },
    {
      ...{ ...id, id: "prt_4", type: "tool", tool: "bash", callID: "call_1" },
      state: {
        ...{ status: "completed", title: "ls", output: words.repeat(6), time },
        ...{ input: { command: "ls", description: "Lists" }, metadata: { exit: 0 } },
      },
    },
    { ...id, id: "prt_5", type: "step-finish", reason: "stop", cost: 0.01, tokens },
  ],
};
