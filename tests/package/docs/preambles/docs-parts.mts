import { readFileSync } from "node:fs";
import { Transcript } from "apex-parts";

export const history = Transcript.open(readFileSync("session.json")).messages();
