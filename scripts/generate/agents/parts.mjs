// What the files of all agents ask of messages and their parts.

export const iso = (ms) => new Date(ms).toISOString();
export const line = (value) => `${JSON.stringify(value)}\n`;

/** Every so many turns the turn before is taken back. */
const TAKEN_BACK = 12;

export const textsOf = (parts) => parts.filter(({ type }) => type === "text");
export const toolsOf = (parts) => parts.filter(({ type }) => type === "tool");
export const filesOf = (parts) => parts.filter(({ type }) => type === "file");
export const endOf = ({ created, completed = created }) => completed;
export const bytesOf = ({ url }) => url.slice(url.indexOf(",") + 1);
/** All input, cached or not, and all output, with the reasoning. */
export const sums = ({ input, output, reasoning, cache }) => ({
  input: input + cache.read + cache.write,
  output: output + reasoning,
});
/** What came of a call: its text, and whether it failed or was never told. */
export const resultOf = ({ state }) => ({
  text: state.output ?? state.error ?? "",
  exit: state.metadata?.exit,
  failed: state.status === "error",
  isOpen: state.status === "running",
});

/** Counts the turns; is it time to take the one before back? */
export function isTakenBack(state) {
  state.turns = (state.turns ?? 0) + 1;
  return state.turns % TAKEN_BACK === 0;
}

/** The separator between the elements of an array. */
export const between = (state) => (state.count++ === 0 ? "\n" : ",\n");
