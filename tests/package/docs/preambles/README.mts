import { writeFileSync } from "node:fs";

// What a folder has after `npm install`.
writeFileSync("package.json", '{ "private": true }\n');
