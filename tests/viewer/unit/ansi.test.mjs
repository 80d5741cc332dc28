/** What a terminal's escape sequences come to: tokens of the 16 colours that the page has. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { workOf } from "../../work.mjs";
import { load } from "../typescript.mjs";

const { ansi } = await load("ui/ansi.ts");

const ESC = "\u001b";
/** The classes of an `x` behind these sequences, without what they all begin with. */
function style(...codes) {
  const source = `${codes.map((code) => `${ESC}[${code}m`).join("")}x`;
  const [token, ...rest] = ansi(source);
  assert.deepEqual(rest, []);
  assert.equal(token.text, "x");
  return (token.class ?? "").replaceAll("ansi-", "");
}

describe("colours", () => {
  test("of 16 are what they are, also by their numbers among 256", () => {
    const names = "black red green yellow blue magenta cyan white".split(" ");
    for (const [index, name] of names.entries()) {
      assert.equal(style(30 + index), `fg-${name}`);
      assert.equal(style(90 + index), `fg-bright-${name}`);
      assert.equal(style(40 + index), `bg-${name}`);
      assert.equal(style(100 + index), `bg-bright-${name}`);
      assert.equal(style(`38;5;${index}`), `fg-${name}`);
      assert.equal(style(`48;5;${8 + index}`), `bg-bright-${name}`);
    }
  });

  test("of 256 are the nearest of the 16", () => {
    for (const [index, name] of [
      [16, "black"],
      [196, "bright-red"],
      [160, "red"],
      [208, "yellow"],
      [34, "green"],
      [46, "bright-green"],
      [21, "blue"],
      [51, "bright-cyan"],
      [201, "bright-magenta"],
      [231, "bright-white"],
      [232, "black"],
      [244, "bright-black"],
      [255, "white"],
    ]) {
      assert.equal(style(`38;5;${index}`), `fg-${name}`, String(index));
      assert.equal(style(`48;5;${index}`), `bg-${name}`, String(index));
    }
  });

  test("of red, green and blue too, with semicolons and with colons", () => {
    for (const written of ["2;250;10;20", "2:250:10:20", "2::250:10:20", "2:0:250:10:20"]) {
      const sign = written.includes(":") ? ":" : ";";
      assert.equal(style(`38${sign}${written}`), "fg-bright-red", written);
      assert.equal(style(`48${sign}${written}`), "bg-bright-red", written);
    }
    assert.equal(style("38:5:208"), "fg-yellow");
    assert.equal(style("1;38;2;0;200;0;4;48;5;21"), "bold fg-green underline bg-blue");
  });

  test("end with their own code, and all with 0", () => {
    assert.equal(style("38;5;196;48;5;21", "39"), "bg-blue");
    assert.equal(style("38;5;196;48;5;21", "49"), "fg-bright-red");
    assert.equal(style("38;2;9;9;9;7", "0"), "");
    assert.equal(style("38;2;9;9;9;7", ""), "");
  });
});

test("inverse is said, and taken back", () => {
  assert.equal(style("7"), "inverse");
  assert.equal(style("31;7"), "fg-red inverse");
  assert.equal(style("31;7", "27"), "fg-red");
});

test("an underline has kinds and a colour, which are no other codes", () => {
  assert.equal(style("4:3"), "underline");
  assert.equal(style("4", "4:0"), "");
  assert.equal(style("58;5;1"), "");
  assert.equal(style("58;2;1;3;7;31"), "fg-red");
  assert.equal(style("58:2::1:3:7;31"), "fg-red");
});

describe("malformed sequences", () => {
  test("change nothing", () => {
    for (const code of [
      "38",
      "48;5",
      "38;5;256",
      "38;5;99999999999999999999999",
      "38;2;1;2",
      "38;2;1;2;999",
      "38:2:1:2",
      "38:5",
      "38:9:1",
      "38:::::",
      "::::",
      "999",
    ]) {
      assert.equal(
        style("31", code).replace(/^$/, "reset"),
        code === "::::" ? "reset" : "fg-red",
        code,
      );
    }
    assert.equal(style("38;5;1:2;4"), "underline");
  });

  test("leave the words as they are, and no escape in them", () => {
    const pieces = ["[", "38", ";", ":", "5", "2", "m", "x", ESC, `${ESC}[`, "\n", "]", "\u0007"];
    let state = 7;
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return pieces[Math.floor((state / 2 ** 32) * pieces.length)];
    };
    for (let i = 0; i < 5000; i++) {
      const source = Array.from({ length: 1 + (i % 12) }, next).join("");
      for (const { text, class: name } of ansi(source)) {
        assert.ok(!text.includes(ESC), JSON.stringify(source));
        assert.match(name ?? "", /^(ansi-[a-z-]+( |$))*$/, JSON.stringify(source));
      }
      assert.equal(ansi(`${source}${ESC}[0m the end`).at(-1).text.endsWith(" the end"), true);
    }
  });

  test("of a megabyte are read in no time", () => {
    const work = workOf(() => {
      for (const piece of [`${ESC}[`, "38;", `${ESC}[38;2;1`, `${ESC}]`]) {
        ansi(`${ESC}[${piece.repeat(1_000_000 / piece.length)}m`);
      }
    });
    // Tens of ms each; minutes where one looks ahead from every place.
    assert.ok(work < 20_000, `${work} ms`);
  });
});

describe("every pair of colours can be read", () => {
  const css = (name) => readFileSync(new URL(`../../../www/src/${name}`, import.meta.url), "utf8");
  const named = (side) =>
    new Set(Array.from(css("ui/style.css").matchAll(side), ([, name]) => name));
  const inks = [...named(/--ansi-fg: var\(--([a-z-]+)\)/g), "text"];
  const grounds = [...named(/--ansi-bg: var\(--([a-z-]+)\)/g), "sunken", "surface"];
  const themes = css("app/style/tokens.css").split("@media (prefers-color-scheme: dark)");
  const light = (hex) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  for (const [i, theme] of ["light", "dark"].entries()) {
    test(`${theme}: 4.5 to 1, and so the other way round`, () => {
      assert.ok(inks.length > 5 && grounds.length > 5);
      const value = (name) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(themes[i])[1];
      for (const ink of inks) {
        for (const ground of grounds) {
          const [low, high] = [light(value(ink)), light(value(ground))].sort((a, b) => a - b);
          const contrast = (high + 0.05) / (low + 0.05);
          assert.ok(contrast >= 4.5, `${ink} on ${ground}: ${contrast.toFixed(2)}`);
        }
      }
    });
  }
});
