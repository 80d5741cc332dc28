// Converts OpenCode's events to messages with parts in plain JavaScript: the peer of the replay.

/** The messages of every session in a recording (SSE). */
export function replay(text) {
  const messages = new Map();
  for (const line of text.split("\n")) {
    if (!line.startsWith("data:")) continue;
    const event = JSON.parse(line.slice(5));
    const { type, properties } = event.payload ?? event;
    if (type === "message.updated") {
      const { info } = properties;
      const known = messages.get(info.id);
      if (known) known.info = info;
      else messages.set(info.id, { info, parts: [] });
    } else if (type === "message.removed") {
      messages.delete(properties.messageID);
    } else if (type === "message.part.updated") {
      const { part } = properties;
      const parts = messages.get(part.messageID)?.parts;
      if (!parts) continue;
      const at = parts.findIndex((p) => p.id === part.id);
      if (at < 0) parts.push(part);
      else parts[at] = part;
    } else if (type === "message.part.delta") {
      const { messageID, partID, field, delta } = properties;
      const part = messages.get(messageID)?.parts.find((p) => p.id === partID);
      if (part) part[field] = (part[field] ?? "") + delta;
    } else if (type === "message.part.removed") {
      const known = messages.get(properties.messageID);
      if (known) known.parts = known.parts.filter((p) => p.id !== properties.partID);
    }
  }
  return [...messages.values()];
}
