/** What axe has to say about a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that the colour scheme can break: nothing else differs between light and dark. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** Serious and critical findings of axe, in words; of all its rules, or of these. */
export async function axe(page, rules) {
  // The page's policy forbids inline scripts; the test's own is let in through the debugger.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  // What passes need not be put into words.
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate((asked) => window.axe.run(asked), options);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}

/** The findings in the light, and those that the same page has in the dark for its colours. */
export async function axeLightAndDark(page) {
  const light = await axe(page);
  await inScheme(page, "dark");
  const dark = await axe(page, COLOURS);
  await inScheme(page, "light");
  return [...light, ...dark.map((finding) => `in the dark: ${finding}`)];
}

async function inScheme(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  // Colours that change gradually are not yet what they will be.
  await page.evaluate(async () => {
    await window.painted();
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
