// The detector of loops in the path of a call: it checks the call before it runs, and gets what came of it.
import { log } from "apex-parts:bridge";

export class LoopWatch {
  #detector;
  #recorder;
  #callID;
  #isWatched = false;

  constructor({ detector, recorder }, callID) {
    this.#detector = detector;
    this.#recorder = recorder;
    this.#callID = callID;
  }

  /** The verdict over a call; undefined if it is part of no loop. */
  before(toolName, parameters, raw) {
    this.#isWatched = true;
    const callID = this.#callID;
    const verdict = this.#recorder
      ? this.#recorder.startTool(callID, toolName, parameters, raw)
      : this.#detector?.check({ toolName, parameters, callID });
    return verdict?.isDetected ? verdict : undefined;
  }

  /** Records the text that came of the call; `state` is the last one of its part. */
  after({ title, metadata, attachments }, text, isError) {
    if (!this.#isWatched) return;
    const callID = this.#callID;
    try {
      if (this.#recorder) {
        this.#recorder.finishTool(
          callID,
          isError ? { error: text, metadata } : { output: text, title, metadata, attachments },
        );
      } else {
        this.#detector?.record({ callID, result: text, isError });
      }
    } catch (error) {
      log("error", "the result of a tool call could not be recorded", error);
    }
  }
}
