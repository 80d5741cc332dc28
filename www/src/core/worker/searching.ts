/** Whether a search is running, at one desk: what takes long meanwhile waits for it. */
export class Searching {
  private running = 0;
  private readonly whenOver: (() => void)[] = [];

  get isRunning(): boolean {
    return this.running > 0;
  }

  /** Resolves when no search is running. */
  async over(): Promise<void> {
    while (this.isRunning) await new Promise<void>((resolve) => this.whenOver.push(resolve));
  }

  /** Runs a search; who waits for `over` waits meanwhile. */
  async during<T>(search: () => Promise<T>): Promise<T> {
    this.running++;
    try {
      return await search();
    } finally {
      this.running--;
      for (const resolve of this.whenOver.splice(0)) resolve();
    }
  }
}
