import type { LiveNews } from "./model/live";
import type { CallName, ReadingNews, Reply, Request, Source, Start, WorkerCalls } from "./rpc";

type Answer<C extends CallName> = ReturnType<WorkerCalls[C]>;
interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** How the worker is started, which differs between the hosts of the viewer (app/host/). */
interface WorkerHost {
  startWorker(): Promise<Worker>;
  /** The bytes of the module, where the worker cannot fetch them by itself. */
  wasm(): Promise<ArrayBuffer> | undefined;
  /** Large files are likely. */
  opensFiles: boolean;
}

/** The page's end of the worker: each method of `WorkerCalls` as a promise. */
export class WorkerClient {
  private readonly worker: Promise<Worker>;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  /** Why the worker did not start: it answers nothing. */
  private broken: Error | undefined;
  onProgress: (read: number, total: number) => void = () => {};
  onOpened: (opened: ReadingNews) => void = () => {};
  onLive: (news: LiveNews, stream: number) => void = () => {};
  /** Called before an answer is delivered: messages that the worker sent before it must be applied first. */
  onAnswer: () => void = () => {};

  constructor(host: WorkerHost) {
    this.worker = this.begin(host);
    this.worker.catch((error: unknown) => this.fail(error));
  }

  /** Starts the worker and gives it its module. */
  private async begin(host: WorkerHost): Promise<Worker> {
    const worker = await host.startWorker();
    worker.onmessage = (event: MessageEvent<Reply>) => this.receive(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      // An error in a worker that runs has a message; the script could not be loaded without one.
      if (!event.message) this.broken = new Error("The worker could not start.");
      this.fail(this.broken ?? new Error(event.message));
    };
    const start: Start = { start: true, warm: host.opensFiles };
    const bytes = await host.wasm();
    if (bytes) start.wasm = bytes;
    worker.postMessage(start);
    return worker;
  }

  /** Ends the worker and frees all that it holds; pending calls are never answered. */
  close(): void {
    this.waiting.clear();
    this.worker.then(
      (worker) => worker.terminate(),
      () => {},
    );
  }

  open(source: Source): Promise<Answer<"open">> {
    return this.call("open", source);
  }

  call<C extends CallName>(call: C, ...args: Parameters<WorkerCalls[C]>): Promise<Answer<C>> {
    if (this.broken) return Promise.reject(this.broken);
    const id = this.next++;
    const request: Request = { id, call, args };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.worker.then((worker) => worker.postMessage(request), reject);
    });
  }

  private receive(reply: Reply): void {
    if ("progress" in reply) {
      this.onProgress(reply.progress.read, reply.progress.total);
      return;
    }
    if ("opened" in reply) {
      this.onOpened(reply.opened);
      return;
    }
    if ("live" in reply) {
      this.onLive(reply.live, reply.stream);
      return;
    }
    this.onAnswer();
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

  private fail(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}
