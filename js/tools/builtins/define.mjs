// A built-in tool.

/** A tool of an id and a definition; the registry checks the definition. */
export const define = (id, definition) => ({ id, init: async () => definition });
