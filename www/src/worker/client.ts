import type { CallName, Calls, Reply, Request, Source } from "./protocol";

type Answer<C extends CallName> = ReturnType<Calls[C]>;
interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The page's end of the worker: each method of `Calls` as a promise. */
export class WorkerClient {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  onProgress: (read: number, total: number) => void = () => {};

  constructor() {
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (event: MessageEvent<Reply>) => this.receive(event.data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(new Error(event.message || "The worker could not start."));
    };
  }

  open(source: Source): Promise<Answer<"open">> {
    return this.call("open", source);
  }

  call<C extends CallName>(call: C, ...args: Parameters<Calls[C]>): Promise<Answer<C>> {
    const id = this.next++;
    const request: Request = { id, call, args };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.worker.postMessage(request);
    });
  }

  /** Ends the worker and frees all that it holds; calls under way are never answered. */
  close(): void {
    this.worker.terminate();
    this.waiting.clear();
  }

  private receive(reply: Reply): void {
    if ("progress" in reply) {
      this.onProgress(reply.progress.read, reply.progress.total);
      return;
    }
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ("error" in reply) {
      const error = new Error(reply.error.message);
      error.name = reply.error.name;
      waiting?.reject(error);
    } else {
      waiting?.resolve(reply.value);
    }
  }

  private fail(error: Error): void {
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}
