// Draws docs/costs.svg: `node scripts/chart.mjs`. Speeds are those of docs/costs.md, sizes are read from docs/modules.md
// (`npm run pack:costs -- --write` writes both); a test compares the file with what this makes. The colours are legible on light and dark pages, because a picture does not know its page.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { at } from "./lib.mjs";
import { brotliInDocs } from "./sizes.mjs";

const [OURS, PEER, TEXT] = ["#2f81f7", "#8b949e", "#767d86"];

/** Each chart: a title, and rows of a label, a value, what is written at its bar, and whether it is ours. */
const charts = () => [
  {
    title: "Times as fast as JavaScript (the peer is 1)",
    rows: [
      ["decode, split, JSON.parse, append", 1, "1", false],
      ["a stream's bytes, 4 KB chunks", 5.6, "5.6", true],
      ["a stream's bytes, a line at a time", 6, "6", true],
    ],
  },
  {
    title: "Opening real sessions: times as fast",
    rows: [
      ["JSON.parse of their lines", 1, "1", false],
      ["OpenCode exports", 1.1, "0.9 to 1.4", true],
      ["sessions of Claude Code", 0.4, "0.3 to 0.5", true],
      ["sessions of Codex", 0.3, "0.2 to 0.45", true],
    ],
  },
  {
    title: "Searching a transcript of 100 MB: times as fast",
    rows: [
      ["JSON.parse, walk", 1, "1", false],
      ["search of the opened transcript", 27, "27", true],
    ],
  },
  {
    title: "Modules, KB as brotli",
    rows: [...brotliInDocs()]
      .sort(([, a], [, b]) => a - b)
      .map(([name, size]) => [name, size, String(size), true]),
  },
];

const [WIDTH, LABELS, ROW, HEAD] = [760, 270, 24, 42];

export function chart() {
  let y = 0;
  const drawn = charts().flatMap(({ title, rows }) => {
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
