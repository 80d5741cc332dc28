// Opens a large file, of which only the index is kept in memory, in a process of its own: prints the time
// and the memory as JSON.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setLogger, Transcript } from "../../pkg/node.mjs";

setLogger(undefined);
const before = process.memoryUsage().rss;
const fd = openSync(process.argv[2]);
const { size } = fstatSync(fd);
const start = process.hrtime.bigint();
const transcript = new Transcript({
  read: (from, to) => {
    const bytes = new Uint8Array(to - from);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(fd, bytes, length, bytes.length - length, from + length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  },
});
const chunk = new Uint8Array(1 << 20);
for (let at = 0; at < size; ) {
  const read = readSync(fd, chunk, 0, chunk.length, at);
  if (read === 0) break;
  transcript.push(chunk.subarray(0, read));
  at += read;
}
transcript.end();
const opened = Number(process.hrtime.bigint() - start);
const last = transcript.message(transcript.messageCount - 1);
const problems = transcript.problems().length;
const found = transcript.search("no such words in it").length;
const searched = Number(process.hrtime.bigint() - start) - opened;
closeSync(fd);
console.log(
  JSON.stringify({
    size,
    opened,
    searched,
    problems: problems + found,
    messages: transcript.messageCount,
    parts: last.parts.length,
    // The peak memory, given in kilobytes.
    memory: process.resourceUsage().maxRSS * 1024 - before,
  }),
);
