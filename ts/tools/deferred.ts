// A promise with the functions that settle it.

export interface Settled<T> {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (reason: unknown) => void;
}

export function deferred<T>(): Settled<T> {
  let resolve: Settled<T>["resolve"] = () => {};
  let reject: Settled<T>["reject"] = () => {};
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
