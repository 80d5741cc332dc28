/** The address gives nothing, or not any more; the message is a sentence. */
export class Refused extends Error {}

/** The connection is gone, and may come back. */
export class Lost extends Error {}

/** What may be otherwise a little later; a browser's own EventSource does not ask again. */
const PASSING = [408, 425, 429];

const WORDS: Record<number, string> = {
  400: "The server does not understand from where to go on.",
  401: "It may only be read by who is signed in.",
  403: "You may not read it.",
  404: "There is no such run or stream.",
  410: "It has expired: nothing of it is kept.",
  503: "What it is read from cannot be reached at the moment.",
};

/** Why a response gives nothing. */
export function troubleOf({ status }: Response, path: string): Refused | Lost {
  const words = WORDS[status] ? ` ${WORDS[status]}` : "";
  const sentence = `${path} could not be fetched: ${status}.${words}`;
  return status >= 500 || PASSING.includes(status) ? new Lost(sentence) : new Refused(sentence);
}
