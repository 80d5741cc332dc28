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

/** What may stand before the name of a Claude, and behind it: a region, a date, a revision, a variant. */
const BEFORE = /^(?:[a-z0-9-]+\.){0,2}(?=claude-)/;
const BEHIND =
  /(?:\[\w+\]|[-@]latest|[-@]\d{8}|[-@]\d{4}-\d{2}-\d{2}|-v\d+(?::\d+)?|:[a-z][\w-]*)$/;

/**
 * The version of a Claude: its first number of one or two digits, and the next one if it follows; one without a number is
 * newer than all. Undefined for other models.
 */
export function claudeVersion(model: string): { major: number; minor: number } | undefined {
  const [, last = ""] = /([^/]*)$/.exec(model.slice(-200).toLowerCase()) ?? [];
  let name = last.replace(BEFORE, "");
  if (!name.startsWith("claude-")) return undefined;
  if (/^claude-(?:v\d|instant)/.test(name)) return { major: 1, minor: 0 };
  for (let shorter = name.replace(BEHIND, ""); shorter !== name; shorter = name.replace(BEHIND, ""))
    name = shorter;
  const number = /[-.](\d{1,2})(?:[-.](\d{1,2}))?(?=[-.]|$)/.exec(name);
  if (number === null) return { major: Infinity, minor: 0 };
  return { major: Number(number[1]), minor: Number(number[2] ?? 0) };
}

/** Whether a version is at least this one. */
export const isAtLeast = (
  version: { major: number; minor: number },
  major: number,
  minor: number,
): boolean => version.major > major || (version.major === major && version.minor >= minor);

/** Whether a model of Anthropic refuses thinking before which anything has changed. */
export function checksPrefix(model: string): boolean {
  const version = claudeVersion(model);
  return version !== undefined && isAtLeast(version, 5, 1);
}

/** Whether Mistral answers. */
export const isMistral = (provider: string, model: string): boolean =>
  provider === "mistral" ||
  /^(?:open-)?(?:mistral|mixtral|magistral|devstral|codestral|pixtral|ministral)/.test(
    plainModel(model),
  );
