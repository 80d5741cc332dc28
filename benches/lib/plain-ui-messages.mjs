// What toModelMessage does, in plain JavaScript, as a program would write it by hand.
let made = 0;

export function toModelMessage(input) {
  const result = [];
  for (const { info, parts } of input) {
    const content = [];
    if (info.role === "user") {
      for (const part of parts) {
        if (part.type === "text" && !part.ignored) content.push({ type: "text", text: part.text });
        else if (part.type === "file") {
          if (part.mime !== "text/plain" && part.mime !== "application/x-directory") {
            content.push(file(part));
          }
        } else if (part.type === "compaction") {
          content.push({ type: "text", text: "What did we do so far?" });
        } else if (part.type === "subtask") {
          content.push({ type: "text", text: "The following tool was executed by the user" });
        }
      }
    } else {
      const silent = (part) => part.type === "step-start" || part.type === "reasoning";
      if (info.error && parts.every(silent)) continue;
      for (const part of parts) {
        if (part.type === "text" || part.type === "reasoning") {
          content.push({ type: part.type, text: part.text, providerMetadata: part.metadata });
        } else if (part.type === "tool") {
          const { state } = part;
          const base = { type: `tool-${part.tool}`, toolCallId: part.callID, input: state.input };
          base.callProviderMetadata = part.metadata;
          if (state.status === "completed") {
            const compacted = typeof state.time?.compacted === "number";
            if (!compacted && state.attachments?.length > 0) {
              const text = { type: "text", text: `Tool ${part.tool} returned an attachment:` };
              const files = state.attachments.map(file);
              result.push({ id: `made-${made++}`, role: "user", parts: [text, ...files] });
            }
            base.state = "output-available";
            base.output = compacted ? "[Old tool result content cleared]" : state.output;
          } else {
            base.state = "output-error";
            base.errorText =
              state.status === "error" ? state.error : "[Tool execution was interrupted]";
          }
          content.push(base);
        }
      }
    }
    if (content.length > 0) result.push({ id: info.id, role: info.role, parts: content });
  }
  return result;
}

function file({ url, mime, filename }) {
  return { type: "file", url, mediaType: mime, filename };
}
