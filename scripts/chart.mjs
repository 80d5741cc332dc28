// Draws docs/costs.svg: `node scripts/chart.mjs`. Speeds are read from docs/results.md, sizes from docs/modules.md
// (`npm run bench -- --write` and `npm run pack:costs -- --write` write them, and the chart); a test compares the file with what this makes. The colours are legible on light and dark pages, because a picture does not know its page.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { at } from "./lib.mjs";
import { result } from "./results.mjs";
import { brotliInDocs } from "./sizes.mjs";

const [OURS, PEER, TEXT] = ["#2f81f7", "#8b949e", "#767d86"];

/** The row of a figure of docs/results.md: a bar in the middle of a range. */
function speed(label, id, column) {
  const written = result(id, column);
  const numbers = written.split(" to ").map((number) => Number(number.replaceAll(",", "")));
  return [label, numbers.reduce((sum, number) => sum + number, 0) / numbers.length, written, true];
}

/** Each chart: a title, and rows of a label, a value, what is written at its bar, and whether it is ours. */
const charts = () => [
  {
    title: "Times as fast as JavaScript (the peer is 1)",
    rows: [
      ["decode, split, JSON.parse, append", 1, "1", false],
      speed("a stream's bytes, 4 KB chunks", "deltas.chunks", "times as fast"),
      speed("a stream's bytes, a line at a time", "deltas.lines", "times as fast"),
    ],
  },
  {
    title: "Opening real sessions: times as fast",
    rows: [
      ["JSON.parse of their lines", 1, "1", false],
      speed("OpenCode exports", "sessions.opencode-export", "× parse"),
      speed("sessions of Claude Code", "sessions.claude-code", "× parse"),
      speed("sessions of Codex", "sessions.codex", "× parse"),
    ],
  },
  {
    title: "Searching a transcript of 100 MB: times as fast",
    rows: [
      ["JSON.parse, walk", 1, "1", false],
      speed("search of the opened transcript", "transcripts.search", "times as fast"),
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
