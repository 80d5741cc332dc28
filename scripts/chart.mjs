// Draws docs/costs.svg: `node scripts/chart.mjs`. The figures are those of docs/costs.md; a test compares the file
// with what this makes. The colours are legible on light and dark pages, because a picture does not know its page.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { at } from "./lib.mjs";

const [OURS, PEER, TEXT] = ["#2f81f7", "#8b949e", "#767d86"];

/** Each chart: a title, and rows of a label, a value, what is written at its bar, and whether it is ours. */
const CHARTS = [
  {
    title: "Times as fast as JavaScript (the peer is 1)",
    rows: [
      ["decode, split, JSON.parse, append", 1, "1", false],
      ["a stream's bytes, 4 KB chunks", 5.8, "5.8", true],
      ["a stream's bytes, a line at a time", 3.8, "3.8 to 5.3", true],
    ],
  },
  {
    title: "A transcript of 100 MB: times as fast",
    rows: [
      ["JSON.parse + zod 4", 1, "1", false],
      ["JSON.parse alone, judging nothing", 2, "2", false],
      ["opened and validated", 6, "6", true],
    ],
  },
  {
    title: "Searching it: times as fast",
    rows: [
      ["JSON.parse, walk", 1, "1", false],
      ["search of the opened transcript", 35, "35", true],
    ],
  },
  {
    title: "Modules, KB as brotli",
    rows: [
      ["apex-parts/core", 161, "161", true],
      ["apex-parts/tools", 178, "178", true],
      ["the viewer's", 580, "580", true],
      ["apex-parts", 704, "704", true],
    ],
  },
];

const [WIDTH, LABELS, ROW, HEAD] = [760, 270, 24, 42];

export function chart() {
  let y = 0;
  const drawn = CHARTS.flatMap(({ title, rows }) => {
    const most = Math.max(...rows.map(([, value]) => value));
    const head = `<text x="0" y="${y + 26}" font-weight="600">${title}</text>`;
    y += HEAD;
    const bars = rows.flatMap(([label, value, written, ours]) => {
      const width = Math.max(2, Math.round(((WIDTH - LABELS - 90) * value) / most));
      const line = [
        `<text x="0" y="${y + 12}">${label}</text>`,
        `<rect x="${LABELS}" y="${y}" width="${width}" height="16" rx="3" fill="${ours ? OURS : PEER}"/>`,
        `<text x="${LABELS + width + 8}" y="${y + 12}">${written}</text>`,
      ];
      y += ROW;
      return line;
    });
    return [head, ...bars];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 8}" width="${WIDTH}" height="${y + 8}" role="img" aria-label="Speeds and sizes; the figures are in the text">`,
    `<g font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13" fill="${TEXT}">`,
    ...drawn,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(at("docs", "costs.svg"), chart());
}
