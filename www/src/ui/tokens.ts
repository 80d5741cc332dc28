/** A run of text and the class it is coloured by: what highlighting and ANSI codes come to. */
export interface Token {
  text: string;
  class?: string;
}

/** The same tokens by line. */
export function splitLines(tokens: Token[]): Token[][] {
  const lines: Token[][] = [[]];
  for (const token of tokens) {
    const pieces = token.text.split("\n");
    pieces.forEach((piece, i) => {
      if (i > 0) lines.push([]);
      if (piece) lines.at(-1)?.push({ ...token, text: piece });
    });
  }
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}
