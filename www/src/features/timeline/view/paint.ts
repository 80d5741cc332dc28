/** Draws the timeline's pixels. Colours are those of the stylesheet, by what they mean. */
import type { Bins } from "../model/bins";
import {
  RANK_COMPLETED,
  RANK_ERROR,
  RANK_PENDING,
  RANK_REASONING,
  RANK_RUNNING,
  RANK_SPAN,
  RANK_TEXT,
} from "../model/ranks";
import type { Tick } from "../model/ticks";
import { type LoopSpan, MARK_COMPACTION, MARK_SUBTASK, MARK_USER } from "../model/timeline";
import type { Range } from "../store";

/** Room for the labels under the lanes. */
export const LABELS = 18;

/** What of the lanes stays as it is while the reader scrolls. */
interface LanesPicture {
  bins: Bins;
  range: Range;
  /** Height of a lane. */
  lane: number;
  ticks: Tick[];
  /** Stretches that were cut out. */
  cuts: Range[];
  loops: LoopSpan[];
}

/** What is in view in the transcript, and the selected row. */
export interface Spans {
  view: Range | undefined;
  selected: Range | undefined;
}

type Context = CanvasRenderingContext2D;

/** How tall a bar is, as a share of its lane, and its colour. */
const BARS: Record<number, [share: number, colour: string]> = {
  [RANK_SPAN]: [0.16, "--line-strong"],
  [RANK_REASONING]: [0.3, "--line-strong"],
  [RANK_TEXT]: [0.3, "--text-quiet"],
  [RANK_COMPLETED]: [0.42, "--good"],
  [RANK_PENDING]: [0.42, "--text-quiet"],
  [RANK_RUNNING]: [0.42, "--busy"],
  [RANK_ERROR]: [0.66, "--bad"],
};

/** Those that the picture now drawn has asked for. */
const colours = new Map<string, string>();

/** A colour of the stylesheet as it is now, in light or dark. */
function colour(name: string): string {
  let value = colours.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    colours.set(name, value);
  }
  return value;
}

/** Another number: the colours are others. */
let palette = 0;

/** Light has become dark, or the other way round. */
export function forgetColours(): void {
  colours.clear();
  palette++;
}

const ratioOf = () => Math.min(2, window.devicePixelRatio || 1);

/** A picture that is drawn again only when what it shows, its colours or the screen are others. */
export class CachedPicture {
  private readonly canvas = document.createElement("canvas");
  private shown: unknown[] = [];

  /** Puts it onto what `prepare` gave; `paint` makes it, from what `shows` lists. */
  onto(
    context: Context,
    width: number,
    height: number,
    shows: unknown[],
    paint: (context: Context) => void,
  ): void {
    const shown = [...shows, width, height, palette, ratioOf()];
    if (shown.length !== this.shown.length || shown.some((each, i) => each !== this.shown[i])) {
      const own = prepare(this.canvas, width, height);
      if (!own) return;
      paint(own);
      this.shown = shown;
    }
    if (width > 0 && height > 0) context.drawImage(this.canvas, 0, 0, width, height);
  }
}

/** Sized for the screen's own pixels, cleared, and to be drawn on in those of the page. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): Context | null {
  const ratio = ratioOf();
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

export function paintLanes(context: Context, picture: LanesPicture): void {
  const { bins, lane, range } = picture;
  const height = bins.lanes * lane;
  const x = placer(range, bins.width);
  paintCuts(context, picture, x, height);
  for (const loop of picture.loops) paintLoop(context, loop, x, lane);
  for (let i = 0; i < bins.lanes; i++) paintBars(context, bins, i, i * lane, lane);
  paintMarks(context, bins, lane, height);
  paintLabels(context, picture, x, height);
}

/** What is in view and what is selected, drawn before the lanes. */
export function paintSpans(
  context: Context,
  { view, selected }: Spans,
  range: Range,
  width: number,
  height: number,
): void {
  const x = placer(range, width);
  if (view) {
    context.globalAlpha = 0.6;
    context.fillStyle = colour("--line");
    fillSpan(context, x, view, 0, height, 2);
    context.globalAlpha = 1;
  }
  if (selected) {
    context.fillStyle = colour("--accent-soft");
    fillSpan(context, x, selected, 0, height, 3);
  }
}

/** A line where what is selected begins. */
export function paintSelected(
  context: Context,
  { selected }: Spans,
  range: Range,
  width: number,
  height: number,
): void {
  if (!selected) return;
  context.fillStyle = colour("--accent");
  context.fillRect(Math.round(placer(range, width)(selected.from)) - 1, 0, 2, height);
}

/** What of the minimap stays as it is while the reader scrolls. */
interface MinimapPicture {
  bins: Bins;
  whole: Range;
  height: number;
  /** Pixels in which a search has found something. */
  hits: Uint8Array;
  loops: LoopSpan[];
}

/** What is in view, drawn before the minimap. */
export function paintView(
  context: Context,
  { view }: Spans,
  whole: Range,
  width: number,
  height: number,
): void {
  if (!view) return;
  context.fillStyle = colour("--line");
  fillSpan(context, placer(whole, width), view, 0, height, 2);
}

export function paintMinimap(context: Context, picture: MinimapPicture): void {
  const { bins, height } = picture;
  const x = placer(picture.whole, bins.width);
  paintBars(context, bins, 0, 0, height);
  context.fillStyle = colour("--turn");
  for (let px = 0; px < bins.width; px++) {
    if (((bins.marks[px] ?? 0) & MARK_COMPACTION) !== 0) context.fillRect(px, 2, 1, height - 4);
  }
  context.fillStyle = colour("--busy");
  for (const { from, to } of picture.loops) {
    fillSpan(context, x, { from, to }, height - 2, 2, 3);
  }
  context.fillStyle = colour("--accent");
  picture.hits.forEach((hit, px) => {
    if (hit) context.fillRect(px - 0.5, 0, 2, 5);
  });
}

/** The colours of a line and of the ground under it, by their names in the stylesheet. */
export interface LineColours {
  line: string;
  ground: string;
}

/** Room above and below a line, so that its own width is not cut off. */
const ABOVE = 3;
const BELOW = 1;
const LINE_WIDTH = 1.25;

/** A line in steps, and the ground under it: each value holds until the next. */
export function paintLine(
  context: Context,
  [places, values]: [number[], number[]],
  { range, most, width, height }: { range: Range; most: number; width: number; height: number },
  { line, ground }: LineColours,
): void {
  const bottom = height - BELOW;
  const at = placer(range, width);
  // In the middle of a pixel: a line on an edge is a blur over two.
  const x = (place: number) => Math.round(at(place)) + 0.5;
  const y = (value: number) => Math.round(bottom - (value / most) * (bottom - ABOVE)) + 0.5;
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return;
  const steps = new Path2D();
  steps.moveTo(x(first), y(values[0] ?? 0));
  for (let i = 1; i < places.length; i++) {
    steps.lineTo(x(places[i] ?? 0), y(values[i - 1] ?? 0));
    steps.lineTo(x(places[i] ?? 0), y(values[i] ?? 0));
  }
  const area = new Path2D(steps);
  area.lineTo(x(last), bottom);
  area.lineTo(x(first), bottom);
  context.fillStyle = colour(ground);
  context.fill(area);
  context.strokeStyle = colour(line);
  context.lineWidth = LINE_WIDTH;
  context.stroke(steps);
}

function placer(range: Range, width: number): (place: number) => number {
  const scale = width / Math.max(Number.MIN_VALUE, range.to - range.from);
  // Far outside of the picture all places are alike to the canvas.
  return (place) => Math.min(width + 100, Math.max(-100, (place - range.from) * scale));
}

function fillSpan(
  context: Context,
  x: (place: number) => number,
  span: Range,
  top: number,
  height: number,
  least: number,
): void {
  const left = x(span.from);
  context.fillRect(left, top, Math.max(least, x(span.to) - left), height);
}

/** Pixels side by side with the same rank are one rectangle. */
function paintBars(context: Context, bins: Bins, lane: number, top: number, height: number): void {
  const { width, ranks } = bins;
  const base = lane * width;
  for (let x = 0; x < width; ) {
    const rank = ranks[base + x] ?? 0;
    let end = x + 1;
    while (end < width && ranks[base + end] === rank) end++;
    const bar = BARS[rank];
    if (bar) {
      const [share, name] = bar;
      context.fillStyle = colour(name);
      const tall = 2 * Math.max(1, Math.round((height * share) / 2));
      const length = rank === RANK_ERROR ? Math.max(2, end - x) : end - x;
      context.beginPath();
      context.roundRect(x, top + (height - tall) / 2, length, tall, Math.min(1.5, length / 2));
      context.fill();
    }
    x = end;
  }
}

/** Compactions cut through all lanes; a user's word and a subtask stand in theirs. */
function paintMarks(context: Context, bins: Bins, lane: number, height: number): void {
  const { width, lanes, marks } = bins;
  const [turn, accent] = [colour("--turn"), colour("--accent")];
  for (let i = 0; i < lanes; i++) {
    const top = i * lane;
    for (let x = 0; x < width; x++) {
      const what = marks[i * width + x] ?? 0;
      if (what === 0) continue;
      if ((what & MARK_COMPACTION) !== 0) {
        context.fillStyle = turn;
        context.fillRect(x, 0, 1.5, height);
      }
      if ((what & MARK_SUBTASK) !== 0) {
        context.fillStyle = turn;
        diamond(context, x + 0.5, top + lane / 2, 3.5);
      }
      if ((what & MARK_USER) !== 0) {
        context.fillStyle = accent;
        triangle(context, x + 0.5, top + 1, Math.min(5, lane / 3));
      }
    }
  }
}

/** A mark at each call, on the line that holds them together. */
function paintLoop(
  context: Context,
  { lane, from, to, calls }: LoopSpan,
  x: (place: number) => number,
  height: number,
): void {
  const [line, ground] = ["--busy", "--busy-soft"];
  const top = lane * height;
  const left = x(from);
  const width = Math.max(4, x(to) - left);
  context.fillStyle = colour(ground);
  context.fillRect(left, top, width, height);
  context.fillStyle = colour(line);
  context.fillRect(left, top + height - 1.5, width, 1.5);
  let last = Number.NEGATIVE_INFINITY;
  for (const call of calls) {
    const at = Math.round(x(call));
    // Calls that share a pixel share a mark.
    if (at <= last) continue;
    context.fillRect(at, top + height - 5, 2, 5);
    last = at + 1;
  }
}

function paintCuts(
  context: Context,
  picture: LanesPicture,
  x: (place: number) => number,
  height: number,
): void {
  context.strokeStyle = colour("--line-strong");
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.beginPath();
  for (const { from, to } of picture.cuts) {
    const middle = Math.round((x(from) + x(to)) / 2) + 0.5;
    context.moveTo(middle, 0);
    context.lineTo(middle, height + 4);
  }
  context.stroke();
  context.setLineDash([]);
}

function paintLabels(
  context: Context,
  picture: LanesPicture,
  x: (place: number) => number,
  top: number,
): void {
  const { fontFamily } = getComputedStyle(document.body);
  context.font = `10.5px ${fontFamily}`;
  context.textBaseline = "middle";
  const { width } = picture.bins;
  const [quiet, line, cut] = [colour("--text-quiet"), colour("--line-strong"), colour("--turn")];
  for (const tick of picture.ticks) {
    const at = x(tick.at);
    if (!tick.cut) {
      context.fillStyle = line;
      context.fillRect(Math.round(at), top, 1, 4);
    }
    const room = context.measureText(tick.label).width;
    const left = Math.min(width - room, Math.max(0, at - room / 2));
    context.fillStyle = tick.cut ? cut : quiet;
    context.fillText(tick.label, left, top + 11);
  }
}

function diamond(context: Context, x: number, y: number, size: number): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.fill();
}

function triangle(context: Context, x: number, y: number, size: number): void {
  context.beginPath();
  context.moveTo(x - size * 0.7, y);
  context.lineTo(x + size * 0.7, y);
  context.lineTo(x, y + size);
  context.fill();
}
