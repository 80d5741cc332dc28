// Prints the CPU time in nanoseconds of the first open in this process, or of the first JSON.parse of the same:
// `node first-open.mjs FILE [parse]`.
import { readFileSync } from "node:fs";
import init, { setLogger, Transcript } from "../../pkg/node.mjs";
import { textsOf } from "./texts-of.mjs";

setLogger(undefined);
// Compiling the module is measured separately (imports.bench.mjs).
await init();
const [file, how] = process.argv.slice(2);
const bytes = readFileSync(file);
const texts = how === "parse" ? textsOf(bytes) : [];
const start = process.cpuUsage();
if (how === "parse") texts.forEach((text) => void JSON.parse(text));
else Transcript.open(bytes).free();
const { user, system } = process.cpuUsage(start);
process.stdout.write(String((user + system) * 1000));
