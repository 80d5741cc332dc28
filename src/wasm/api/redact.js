// Texts that a regular expression matches. Conversion only.

/** The same expression, which finds all matches. */
export function everywhere(regex) {
  return new RegExp(regex.source, `${regex.flags.replace(/[gy]/g, "")}g`);
}

/** The starts and ends of all matches, without empty ones. */
export function allMatches(regex, text) {
  const found = [];
  for (const match of text.matchAll(regex)) {
    if (match[0] !== "") found.push(match.index, match.index + match[0].length);
  }
  return Uint32Array.from(found);
}
