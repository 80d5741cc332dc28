/** What axe has to say about a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical findings of axe, in words. */
export async function axe(page) {
  // The page's policy forbids inline scripts; the test's own is let in through the debugger.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  // What passes need not be put into words.
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}
