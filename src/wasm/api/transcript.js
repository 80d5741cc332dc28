// Messages for models, which the package reads in TypeScript.

let reader;

/** Sets the reader: `(format, json, sessionID, now, answer)` gives JSON. The glue calls it once. */
export function setMessageReader(given) {
  reader = given;
}

export const hasMessageReader = () => reader !== undefined;

/** What it gives; undefined if it throws. */
export function readRawMessages(format, json, sessionID, now, answer) {
  try {
    return reader(format, json, sessionID, now, answer);
  } catch {
    return undefined;
  }
}
