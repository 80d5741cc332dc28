// What the name of a model tells.

/** The name without a leading `vendor/`, a trailing date and `-latest`, in lower case. */
export const plainModel = (model: string): string =>
  model
    .slice(-200)
    .replace(/^.*\//s, "")
    .toLowerCase()
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");

/** Whether two names mean one model; an unknown one is the same. */
export const isSameModel = (one: string, other: string): boolean =>
  one === "" || other === "" || one === other || plainModel(one) === plainModel(other);

/** Whether the model of Gemini has a version of at least 3, which wants a signature with each first call. */
export const isGemini3 = (model: string): boolean =>
  Number(/^gemini-(\d+)/.exec(plainModel(model))?.[1] ?? 0) >= 3;

/** Whether a model of Anthropic refuses thinking before which anything has changed. */
export function checksPrefix(model: string): boolean {
  const name = plainModel(model);
  if (!name.startsWith("claude-")) return false;
  // A number of more than two digits is a date.
  const major = /(?:^|-)(\d{1,2})(?=[-.]|$)/.exec(name)?.[1];
  if (major === "3" || major === "4") return false;
  return !(major === "5" && /-(?:opus|sonnet|haiku)(?=-|$)/.test(name));
}

/** Whether Mistral answers. */
export const isMistral = (provider: string, model: string): boolean =>
  provider === "mistral" ||
  /^(?:open-)?(?:mistral|mixtral|magistral|devstral|codestral|pixtral|ministral)/.test(
    plainModel(model),
  );
