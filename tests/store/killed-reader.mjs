// A reader in a process of its own, to be killed. Arguments: `changes`, port, run, the position it has or nothing; or
// `events`, URL, the id of the last event it has or nothing. It prints each change or event as a line, then `over`.
const [mode, where, ...rest] = process.argv.slice(2);
const print = (value) => console.log(JSON.stringify(value));

if (mode === "changes") {
  const { RunReader } = await import("apex-parts/store");
  const { redisRunLog } = await import("apex-parts/store/redis");
  const { Redis } = await import("ioredis5");
  const client = new Redis(Number(where), "127.0.0.1");
  client.on("error", () => {});
  const [runId, from] = rest;
  const place = from === "" ? {} : { from: Number(from) };
  const reader = await RunReader.open(redisRunLog(client), runId, place);
  for await (const change of reader.changes()) print(change);
  reader.free();
  client.disconnect();
} else {
  let [id] = rest;
  for (let isOver = false; !isOver; ) {
    const response = await fetch(where, { headers: id ? { "Last-Event-ID": id } : {} });
    if (response.status === 204) break;
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const event = { data: [] };
        for (const line of block.split("\n")) {
          const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
          if (name === "data") event.data.push(value);
          else if (name === "id" || name === "event") event[name] = value;
        }
        if (event.id === undefined) continue;
        id = event.id;
        print(event);
        isOver ||= event.event === "end";
      }
    }
  }
}
console.log("over");
