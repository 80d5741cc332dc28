// What the builders of the agents' sessions share.

/** A line of JSON. */
export const line = (value) => `${JSON.stringify(value)}\n`;

/** A clock that begins at a time; each call goes on by some milliseconds and tells the time. */
export function clock(start) {
  let now = Date.parse(start);
  const tick = (ms = 1000) => {
    now += ms;
    return new Date(now).toISOString();
  };
  return Object.assign(tick, { ms: () => now });
}

/** A point of one pixel. */
export const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
