export const runId = `run_${Date.now()}`;
export const deadRunId = `${runId}/dead`;
export const url = process.env.MODEL_URL ?? "";
export const body = "{}";
export const draw = (...shown: unknown[]) => console.log(...shown);
/** Lets everybody: of Express and of Hono, which both call what comes last. */
export const mayRead = (...given: unknown[]) => (given.at(-1) as () => Promise<void>)();
export const mayStop = mayRead;
/** What a browser has: here its run begins anew twice, and ends. */
export class EventSource {
  #listeners = new Map<string, (event: MessageEvent) => void>();
  constructor(readonly url: string) {
    const delta = { runId: "r", seq: 1, timestamp: new Date().toISOString(), kind: "start" };
    const data = JSON.stringify({ ...delta, payload: { modelId: "m", requestId: "q" } });
    queueMicrotask(() => {
      for (const type of ["reset", "reset", "end"]) {
        this.#listeners.get(type)?.(new MessageEvent(type, { data: `${data}\n` }));
      }
    });
  }
  addEventListener(type: string, listener: (event: MessageEvent) => void) {
    this.#listeners.set(type, listener);
  }
  close() {
    console.log("closed");
  }
}
