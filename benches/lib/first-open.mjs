// Prints the CPU time in nanoseconds of the first open in this process: `node first-open.mjs FILE`.
import { readFileSync } from "node:fs";
import { setLogger, Transcript } from "../../pkg/node.mjs";

setLogger(undefined);
const bytes = readFileSync(process.argv[2]);
const start = process.cpuUsage();
Transcript.open(bytes).free();
const { user, system } = process.cpuUsage(start);
process.stdout.write(String((user + system) * 1000));
