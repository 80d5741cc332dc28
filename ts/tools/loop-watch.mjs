// The detector of loops in the path of a call: it checks the call before it runs, and gets what came of it.
import { log } from "apex-parts:bridge";

const isInterrupting = (verdict) => verdict?.suggestedAction === "interrupt";

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

  /** The verdict over a call; undefined if it is part of no loop. Of two, the one that interrupts. */
  before(toolName, parameters, raw) {
    this.#isWatched = true;
    const callID = this.#callID;
    const verdicts = [
      this.#detector?.check({ toolName, parameters, callID }),
      this.#recorder?.startTool(callID, toolName, parameters, raw),
    ];
    return verdicts.find(isInterrupting) ?? verdicts.find((verdict) => verdict?.isDetected);
  }

  /** Records the text that came of the call, with the last state of its part. */
  after({ title, metadata, attachments }, text, isError) {
    if (!this.#isWatched) return;
    const callID = this.#callID;
    const outcome = isError
      ? { error: text, metadata }
      : { output: text, title, metadata, attachments };
    this.#tell(() => this.#detector?.record({ callID, result: text, isError }));
    this.#tell(() => this.#recorder?.finishTool(callID, outcome));
  }

  /** The call has ended, whatever its watchers say. */
  #tell(record) {
    try {
      record();
    } catch (error) {
      log("error", "the result of a tool call could not be recorded", error);
    }
  }
}
