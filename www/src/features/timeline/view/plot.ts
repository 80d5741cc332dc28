/** uPlot, in a file of its own: it is loaded when the first rows are on the screen. */
import uPlot from "uplot";
import { type Line, pointsOf } from "../model/lines";
import type { Range } from "../store";
import { colour } from "./paint";
import "uplot/dist/uPlot.min.css";

export type PlotKind = "context" | "cost";

const COLOURS: Record<PlotKind, { line: string; ground: string }> = {
  context: { line: "--accent", ground: "--accent-soft" },
  cost: { line: "--text-quiet", ground: "--hover" },
};

export class Plot {
  private readonly plot: uPlot;
  private range: Range = { from: 0, to: 1 };
  private most = 1;
  private drawn: unknown[] = [];

  constructor(
    private readonly element: HTMLElement,
    kind: PlotKind,
  ) {
    const { line, ground } = COLOURS[kind];
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    this.plot = new uPlot(
      {
        width: Math.max(1, element.clientWidth),
        height: Math.max(1, element.clientHeight),
        padding: [3, 0, 1, 0],
        legend: { show: false },
        cursor: { show: false },
        axes: [{ show: false }, { show: false }],
        scales: {
          x: { time: false, range: () => [this.range.from, this.range.to] },
          y: { range: () => [0, this.most] },
        },
        series: [
          {},
          {
            width: 1.25,
            stroke: () => colour(line),
            fill: () => colour(ground),
            points: { show: false },
            ...(stepped ? { paths: stepped } : {}),
          },
        ],
      },
      [[], []],
      element,
    );
  }

  draw(line: Line, range: Range, width: number): void {
    const { clientHeight } = this.element;
    const wanted = [line, range, width, clientHeight, colour("--accent")];
    if (wanted.every((value, i) => Object.is(value, this.drawn[i]))) return;
    this.drawn = wanted;
    this.range = range;
    this.most = line.values.reduce((most, value) => Math.max(most, value), 0) * 1.08 || 1;
    if (width !== this.plot.width || clientHeight !== this.plot.height) {
      this.plot.setSize({ width, height: Math.max(1, clientHeight) });
    }
    this.plot.setData(pointsOf(line, range));
  }

  dispose(): void {
    this.plot.destroy();
  }
}
