// The tab of streams: bytes in, and what the package makes of them step by step.
import { STREAM_FORMATS, streamFormat } from "../package/web.mjs";
import { COUNT, counted, find, made, markSample, sampleButtons } from "./elements.mjs";
import { hashOf } from "./link.mjs";
import {
  showChanges,
  showDeltas,
  showMessage,
  showProblems,
  start as startPanels,
} from "./panels.mjs";
import { arrived, deltasOf, piecesOf, stateAt } from "./reading.mjs";
import { bytesOf, STREAMS } from "./samples.mjs";

/** Every step reads the stream from its start: more than this is for the command. */
const MOST_BYTES = 2 << 20;
const MOST_OF_A_PIECE = 300;
/** A stream is played in about so many steps, one every so many milliseconds. */
const PLAYED_STEPS = 150;
const PLAYED_EVERY = 60;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const AUTO = "auto";

/** What is looked at. `all` has the deltas of the whole stream. */
const state = {
  bytes: new Uint8Array(0),
  format: undefined,
  all: [],
  failure: undefined,
  pieces: piecesOf(new Uint8Array(0), "whole"),
  step: 0,
};
/** How often something was opened: a sample that comes late is not shown over what came after it. */
let opened = 0;
let playing;
/** True while a step waits for the next frame. */
let isWaiting = false;

const text = find("stream-text");
const slider = find("step");

function detected() {
  const chosen = find("format").value;
  if (chosen !== AUTO) return chosen;
  try {
    return streamFormat(state.bytes);
  } catch (error) {
    state.failure = error;
    return undefined;
  }
}

/** What the line under the text says. */
function note() {
  const { bytes, format } = state;
  if (bytes.length === 0) return "Nothing here yet: paste, drop, or take a sample.";
  const size = counted(bytes.length, "byte");
  if (format === undefined) {
    return `${size}. No stream format that is known: choose one, or is it a session?`;
  }
  return `${size}, ${format}, ${find("format").value === AUTO ? "detected" : "chosen"}`;
}

/** Reads the bytes anew; the step is the last one unless `step` says another. */
function read(step) {
  const { bytes } = state;
  state.failure = undefined;
  state.format = detected();
  const { deltas = [], failure } = state.format ? deltasOf(bytes, state.format) : {};
  state.all = deltas;
  state.failure ??= failure;
  state.pieces = piecesOf(bytes, find("chunk").value);
  const { count } = state.pieces;
  slider.max = String(count);
  find("stream-note").textContent = note();
  find("as-session").hidden = bytes.length === 0 || state.format !== undefined;
  go(Number.isInteger(step) ? step : count);
}

/** Goes to a step: nothing is fed at 0, everything at the last. */
function go(step) {
  state.step = Math.max(0, Math.min(step, state.pieces.count));
  slider.value = String(state.step);
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    draw();
  });
}

/** The bytes of a step, with its line ends visible. */
const visible = (piece) => {
  const words = decoder.decode(piece.subarray(0, MOST_OF_A_PIECE));
  const shown = words.replaceAll("\r", "␍").replaceAll("\n", "↵");
  return piece.length > MOST_OF_A_PIECE ? `${shown} …` : shown;
};

function draw() {
  const { bytes, format, all, pieces, step } = state;
  const to = pieces.endOf(step);
  const from = step === 0 ? 0 : pieces.endOf(step - 1);
  const ended = step === pieces.count && bytes.length > 0;
  const seen =
    format === undefined
      ? { changes: [], problems: [], status: "" }
      : stateAt(bytes, { format, from, to, ended });
  const isWhole = to === bytes.length;
  const now = isWhole ? all.length : format ? arrived(all, bytes.subarray(0, to), format) : 0;
  const before = format ? arrived(all, bytes.subarray(0, from), format) : 0;
  showDeltas({ deltas: all, before, now });
  showMessage(seen);
  showChanges(seen.changes);
  showProblems(seen.problems, select);
  const place = `step ${COUNT.format(step)} of ${COUNT.format(pieces.count)}, byte ${COUNT.format(to)} of ${COUNT.format(bytes.length)}`;
  find("place").textContent = place;
  slider.setAttribute("aria-valuetext", place);
  find("piece").textContent = visible(bytes.subarray(from, to)) || "nothing fed yet";
  find("back").disabled = step === 0;
  find("forth").disabled = step >= pieces.count;
  find("play").disabled = pieces.count < 2;
  const failure = state.failure ?? seen.failure;
  find("failure").hidden = failure === undefined;
  find("failure").textContent = failure ? `${failure.name}: ${failure.message}` : "";
}

/** Selects the line of the stream that begins at, or holds, this byte. */
function select(offset) {
  const lengthOf = (end) =>
    decoder.decode(state.bytes.subarray(0, end)).replace(/\r\n?/g, "\n").length;
  const lineEnd = state.bytes.indexOf(10, offset);
  text.focus();
  text.setSelectionRange(lengthOf(offset), lengthOf(lineEnd < 0 ? state.bytes.length : lineEnd));
}

/** Shows these bytes; those of a file may be no text, and are kept as they are. */
export function open(bytes, { sample, format = AUTO, chunk, step } = {}) {
  stop();
  opened++;
  if (bytes.length > MOST_BYTES) {
    find("stream-note").textContent =
      `${counted(bytes.length, "byte")} are too many for this page: apex-parts assemble FILE reads any number.`;
    return;
  }
  state.bytes = bytes;
  text.value = decoder.decode(bytes);
  text.scrollTop = 0;
  chooseOption("format", format);
  if (chunk) chooseOption("chunk", chunk);
  markSample(find("stream-samples"), sample);
  find("share-note").textContent = "";
  read(step);
}

function chooseOption(id, value) {
  const options = Array.from(find(id).options, (option) => option.value);
  if (options.includes(value)) find(id).value = value;
}

export async function openSample(id) {
  const sample = STREAMS.find((known) => known.id === id);
  if (!sample) return;
  const turn = ++opened;
  try {
    const bytes = await bytesOf(sample);
    if (turn !== opened) return;
    open(bytes, { sample: id });
    history.replaceState(null, "", `#sample=${id}`);
  } catch (error) {
    say(error.message);
  }
}

/** What is looked at, as a file. */
export const asFile = () => new File([state.bytes], "pasted session");

/** One sentence under the text. */
export function say(words) {
  find("stream-note").textContent = words;
}

async function share() {
  const said = find("share-note");
  const fields = {
    format: find("format").value,
    chunk: find("chunk").value,
    step: String(state.step),
  };
  try {
    history.replaceState(null, "", await hashOf(state.bytes, fields));
  } catch (error) {
    said.textContent = error.message;
    return;
  }
  said.textContent = await navigator.clipboard.writeText(location.href).then(
    () => "Copied. The stream is in the link, and nowhere else.",
    () => "The link is in the address bar.",
  );
}

function stop() {
  clearInterval(playing);
  playing = undefined;
  find("play").textContent = "Play";
}

function play() {
  if (playing !== undefined) return stop();
  if (state.step >= state.pieces.count) go(0);
  find("play").textContent = "Stop";
  const by = Math.ceil(state.pieces.count / PLAYED_STEPS);
  playing = setInterval(() => {
    go(state.step + by);
    if (state.step >= state.pieces.count) stop();
  }, PLAYED_EVERY);
}

const moved = (step) => {
  stop();
  go(step);
};

/** Makes the tab work. */
export function start() {
  startPanels();
  const names = [[AUTO, "auto-detected"], ...STREAM_FORMATS.map((name) => [name, name])];
  for (const [value, words] of names) {
    const option = made("option", "", words);
    option.value = value;
    find("format").append(option);
  }
  sampleButtons(find("stream-samples"), STREAMS, openSample);
  text.addEventListener("input", () => {
    const bytes = encoder.encode(text.value);
    if (bytes.length > MOST_BYTES) {
      open(bytes);
      return;
    }
    stop();
    opened++;
    state.bytes = bytes;
    markSample(find("stream-samples"), undefined);
    history.replaceState(null, "", location.pathname);
    find("share-note").textContent = "";
    read();
  });
  find("stream-file").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (file) open(new Uint8Array(await file.arrayBuffer()));
    target.value = "";
  });
  for (const id of ["format", "chunk"]) {
    find(id).addEventListener("change", () => {
      stop();
      read();
    });
  }
  slider.addEventListener("input", () => moved(Number(slider.value)));
  find("back").addEventListener("click", () => moved(state.step - 1));
  find("forth").addEventListener("click", () => moved(state.step + 1));
  find("play").addEventListener("click", play);
  find("share").addEventListener("click", share);
}
