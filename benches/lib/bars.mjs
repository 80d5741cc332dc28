// Whether a figure meets its bar: benchmarks print it after each figure that has one, and the run ends accordingly.

const MISSED = "✗ MISSED";

/** What is printed after a figure and its bar. */
export const met = (is) => (is ? "✓" : MISSED);

/** The printed lines of figures that fall short, each after the heading that it stands under. */
export function shortfalls(output) {
  const short = [];
  let heading = "";
  for (const line of output.split("\n")) {
    if (/^#+ /.test(line)) heading = line.replace(/^#+ /, "").trim();
    else if (line.includes(MISSED)) {
      const figure = line.replace(/\s+/g, " ").trim();
      short.push(heading === "" ? figure : `${heading}: ${figure}`);
    }
  }
  return short;
}

/** The printed lines that name a bar and do not say whether it is met. */
export function unjudged(output) {
  const count = (line, pattern) => line.match(pattern)?.length ?? 0;
  const isBar = /\((?:\w+ )?(?:at most|at least|under|bar:) /g;
  const lines = output.split("\n").filter((line) => !/^#+ /.test(line));
  return lines.filter((line) => count(line, isBar) > count(line, /✓|✗ MISSED/g));
}

/**
 * What is wrong after benchmarks have run: a sentence, and a line for each figure that falls short and for each
 * benchmark that failed; undefined if nothing is.
 *
 * @param {{ name: string, output: string, error?: string }[]} runs
 */
export function verdict(runs) {
  const lines = runs.flatMap(({ name, output, error }) => [
    ...shortfalls(output).map((figure) => `  ${name}: ${figure}`),
    ...unjudged(output).map((line) => `  ${name} does not say whether it is met: ${line.trim()}`),
    ...(error === undefined ? [] : [`  ${name}: ${error}`]),
  ]);
  if (lines.length === 0) return undefined;
  const short = runs.flatMap(({ output }) => shortfalls(output)).length;
  const failed = lines.length - short;
  const counts = [
    ...(short > 0 ? [`${short} ${short === 1 ? "figure falls" : "figures fall"} short`] : []),
    ...(failed > 0 ? [`${failed} ${failed === 1 ? "failure" : "failures"} of benchmarks`] : []),
  ];
  return `${counts.join(", ")}:\n${lines.join("\n")}`;
}
