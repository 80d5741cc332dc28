import { writeFileSync } from "node:fs";

// A database without tables, of one page.
const page = new Uint8Array(512);
page.set(new TextEncoder().encode("SQLite format 3"));
page[16] = 2;
page[100] = 13;
writeFileSync("agent.db", page);
