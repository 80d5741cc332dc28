// Search with JavaScript's regular expressions. Conversion only.

/** The regular expression, or the message of the error. */
export function pattern(source, caseSensitive) {
  const flags = caseSensitive ? "g" : "gi";
  try {
    // Unicode mode, so that a match does not end within a surrogate pair.
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      // Some patterns are valid only without Unicode mode.
      return new RegExp(source, flags);
    } catch (error) {
      return String(error.message);
    }
  }
}

/** What is wrong with a regular expression, in lower case and without the expression itself; `undefined` if it is valid. */
export function mistake(source) {
  const regex = pattern(source, true);
  return typeof regex === "string" ? regex.replace(/^.*\/[a-z]*: /s, "").toLowerCase() : undefined;
}

/** The starts and ends of its matches, without empty ones. */
export function matches(regex, text, most) {
  const found = [];
  regex.lastIndex = 0;
  while (found.length < 2 * most) {
    const match = regex.exec(text);
    if (match === null) break;
    if (match[0] === "") {
      const wide = regex.unicode && text.codePointAt(regex.lastIndex) > 0xffff;
      regex.lastIndex += wide ? 2 : 1;
    } else {
      found.push(match.index, regex.lastIndex);
    }
  }
  return Uint32Array.from(found);
}
