// The detector of loops in the path of a call: it checks the call before it runs, and gets what came of it.

import type {
  DoomLoopDetectionResult,
  ExecuteOptions,
  ToolState,
  ToolStateCompleted,
} from "apex-parts:glue";
import { log } from "apex-parts:shared";

const isInterrupting = (verdict: DoomLoopDetectionResult | undefined) =>
  verdict?.suggestedAction === "interrupt";

export class LoopWatch {
  #detector: ExecuteOptions["detector"];
  #recorder: ExecuteOptions["recorder"];
  #callID: string;
  #round: number | undefined;
  #isWatched = false;
  /** One of them has said to interrupt, so the call does not run. */
  #isBlocked = false;

  constructor({ detector, recorder, round }: ExecuteOptions, callID: string) {
    this.#detector = detector;
    this.#round = round ?? undefined;
    this.#recorder = recorder;
    this.#callID = callID;
  }

  /** The verdict over a call; undefined if it is part of no loop. Of two, the one that interrupts. */
  before(
    toolName: string,
    parameters: Record<string, unknown>,
    raw: string,
  ): DoomLoopDetectionResult | undefined {
    this.#isWatched = true;
    const callID = this.#callID;
    const verdicts = [
      this.#detector?.check({ toolName, parameters, callID, round: this.#round }),
      this.#recorder?.startTool(callID, toolName, parameters, raw),
    ];
    const interruption = verdicts.find(isInterrupting);
    this.#isBlocked = interruption !== undefined;
    return interruption ?? verdicts.find((verdict) => verdict?.isDetected);
  }

  /** Records the text that came of the call, with the last state of its part. */
  after(state: ToolState, text: string, isError: boolean): void {
    if (!this.#isWatched) return;
    const callID = this.#callID;
    // A cast: what a state does not have is undefined.
    const { title, metadata, attachments } = state as Partial<ToolStateCompleted>;
    const outcome = isError
      ? { error: text, metadata }
      : { output: text, title, metadata, attachments };
    const blocked = this.#isBlocked;
    this.#try(() => this.#detector?.record({ callID, result: text, isError, blocked }));
    this.#try(() => this.#recorder?.finishTool(callID, outcome));
  }

  /** The call has ended, whatever its watchers say. */
  #try(record: () => void) {
    try {
      record();
    } catch (error) {
      log("error", "the result of a tool call could not be recorded", error);
    }
  }
}
