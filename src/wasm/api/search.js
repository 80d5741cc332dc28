// Regular expressions are JavaScript's own: conversion only.

/** The pattern, or a text that says why it is none. */
export function pattern(source, caseSensitive) {
  const flags = caseSensitive ? "g" : "gi";
  try {
    // By characters, so that a match does not end in the middle of one.
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      // Some patterns are good only in the older, looser grammar.
      return new RegExp(source, flags);
    } catch (error) {
      return String(error.message);
    }
  }
}

/** Where it matches, as starts and ends; empty matches are none. */
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
