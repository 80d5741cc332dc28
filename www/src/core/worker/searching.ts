/** Whether a search is running: what takes long meanwhile waits for it. */

let running = 0;
const whenOver: (() => void)[] = [];

export const isSearching = (): boolean => running > 0;

/** Resolves when no search is running. */
export async function searched(): Promise<void> {
  while (isSearching()) await new Promise<void>((resolve) => whenOver.push(resolve));
}

/** Runs a search; what checks `isSearching` waits meanwhile. */
export async function whileSearching<T>(search: () => Promise<T>): Promise<T> {
  running++;
  try {
    return await search();
  } finally {
    running--;
    for (const resolve of whenOver.splice(0)) resolve();
  }
}
