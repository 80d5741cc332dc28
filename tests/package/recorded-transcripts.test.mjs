// What holds for a transcript of any file holds for recorded sessions and streams.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { before, describe } from "node:test";
import { recordedFiles } from "../recorded.mjs";
import { load, transcriptLaws } from "./transcript-laws.mjs";

const sessions = recordedFiles("opencode", /\.(?:events\.sse|export\.json)$/).map((path) => ({
  name: basename(path),
  format: path.endsWith(".sse") ? "opencode-events" : "opencode-export",
  bytes: readFileSync(path),
}));
const streams = recordedFiles("providers", /\.sse$/)
  .map((path) => ({
    name: basename(path),
    format: path.split(".").at(-2),
    bytes: readFileSync(path),
  }))
  // They are read again at every event.
  .filter(({ bytes }) => bytes.length < 60_000);

before(() => load("recorded-transcripts"));

describe("every recording", () => transcriptLaws([...sessions, ...streams]));
