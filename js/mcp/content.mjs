// Stands in until the content of results is here: text only.

export function mcpContentToParts(result) {
  const items = Array.isArray(result?.content) ? result.content : [];
  const texts = items.filter(({ type }) => type === "text").map(({ text }) => text);
  const isError = result?.isError === true;
  const said = texts.join("\n\n");
  const blank = isError ? "The MCP tool reported an error without a message." : "(no output)";
  const output = said.trim() === "" ? blank : said;
  return { output, isError, attachments: [], resources: [], links: [], problems: [] };
}
