// What holds for the stream of any response holds for recorded ones.
import { before, describe } from "node:test";
import { recordedFiles } from "../recorded.mjs";
import { goingBack } from "./requests/going-back.mjs";
import { load, streamAt, streamLaws } from "./stream-laws.mjs";

const STREAMS = recordedFiles("providers", /\.sse$/).map(streamAt);

before(() => load("recorded-streams"));

describe("every recording", () => streamLaws(STREAMS));

describe("every recording goes back", () => goingBack(STREAMS));
