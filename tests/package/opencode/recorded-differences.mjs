// Where what OpenCode sent in the recorded compactions is not what the package gives, and why. A function
// takes what OpenCode was heard to say and returns what is expected of the package.

export const DIFFERENCES = {
  // A tail that is not there counts as absent (CP-1); OpenCode sends the whole history then.
  "imp-tail-missing": (list) =>
    list.slice(list.findIndex(({ texts }) => texts?.[0] === "What did we do so far?")),

  // toModelMessage sends the text of a failed message; OpenCode only that of one that was aborted.
  "imp-summary-error": (list) => list.toSpliced(3, 0, answer("FAILED")),

  "imp-states": ([user, calls, ...list]) => {
    const media = list.findIndex(({ texts }) => texts?.[0] === "Attached media from tool result:");
    const [attached] = list.splice(media, 1);
    const result = (id) => list.find((item) => item.id === id);
    // An explicit `compacted: 0` is a mark.
    result("call_14010").output = "[Old tool result content cleared]";
    // A call that was interrupted is answered with its error, not with what it had printed so far.
    result("call_14014").output = "aborted";
    // The thought of another model stays reasoning.
    const other = list.findIndex(({ text }) => text === "other model thoughtother model text");
    list.splice(other, 1, {
      ...answer("other model text"),
      reasoning: "other model thought",
    });
    // As in imp-summary-error.
    list.splice(other, 0, answer("api failed text"));
    // Blank texts are sent as they are.
    const [look, ...more] = user.texts;
    // Attachments come before the calls, with a line of their own.
    const before = { ...attached, texts: ["Tool bash returned an attachment:"] };
    return [{ ...user, texts: [look, "", ...more] }, before, calls, ...list];
  },
};

function answer(text) {
  return { role: "assistant", text, reasoning: "", calls: [] };
}
