// Whatever way an answer was kept, its provider gets the same of it (PS).
import { before, describe } from "node:test";
import { at } from "../../../scripts/lib.mjs";
import { inputs } from "../../inputs.mjs";
import { load, streamAt } from "../stream-laws.mjs";
import { goingBack } from "./going-back.mjs";

const FOLDER = at("tests", "fixtures", "streams");
const STREAMS = inputs(FOLDER, /\.sse$/).map((name) => streamAt(`${FOLDER}/${name}`));

before(() => load("requests-streams"));

describe("an answer that was kept goes back", () => goingBack(STREAMS));
