// web-fetch: what it makes of answers, of whatever kind, and how long it waits for them.
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { registryOver, start } from "./one-call.mjs";
import { bytes, get, HTML, hostOf, PUBLIC, refusal, shown, TEXT, URL_1 } from "./web-host.mjs";

const MIB = 1024 * 1024;

describe("answers", () => {
  test("the status of an error is told, and the rest is not read", async () => {
    let cancelled = 0;
    const endless = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(bytes("x")),
        cancel: () => void cancelled++,
      });
    const cases = [
      [404, "", "404 Not Found"],
      [404, "Nope", "404 Not Found"],
      [500, "", "500 Internal Server Error"],
      [403, "", "403 Forbidden"],
      [599, "Odd \u00e9", "599 Odd"],
      [304, "", "304 Not Modified"],
    ];
    for (const [status, statusText, said] of cases) {
      const body = status === 304 ? null : endless();
      const host = hostOf(() => new Response(body, { status, statusText }));
      assert.equal((await refusal(host, URL_1)).error, `GET ${URL_1} answered ${said}`);
    }
    assert.equal(cancelled, 5);
    assert.match(
      (
        await refusal(
          hostOf(() => Response.error()),
          URL_1,
        )
      ).error,
      /answered 0/,
    );
    for (const odd of [null, {}, "text", 200]) {
      assert.match(
        (
          await refusal(
            hostOf(() => odd ?? {}),
            URL_1,
          )
        ).error,
        /returned no response/,
      );
    }
  });

  test("a page is Markdown with whole links, or text, or HTML", async () => {
    const html =
      '<base href="/docs/"><title>T</title><h1>Head</h1><p hidden>gone</p><p>A <a href="x">link</a>, ' +
      '<a href="javascript:alert(1)">none</a>, <a href="https://[bad">bad</a> <a href=#f>f</a></p>';
    const page = () => new Response(html, { headers: HTML });
    const markdown = await shown(page());
    assert.equal(
      markdown.output,
      "# Head\n\nA [link](https://example.com/docs/x), none, bad [f](#f)",
    );
    assert.equal(markdown.title, `${URL_1} (text/html; charset=utf-8)`);
    assert.equal((await shown(page(), { format: "text" })).output, "Head\nA link, none, bad f");
    assert.equal((await shown(page(), { format: "html" })).output, html);
    const bad = html.replace("/docs/", "http://[");
    const unbased = await shown(new Response(bad, { headers: HTML }));
    assert.match(unbased.output, /\(https:\/\/example\.com\/x\)/);
  });

  test("other text is given as it is", async () => {
    const types = "text/plain application/json image/svg+xml text/markdown application/xml";
    for (const type of types.split(" ")) {
      const state = await shown(new Response("<b> {}\n", { headers: { "content-type": type } }));
      assert.deepEqual([state.output, state.metadata.type], ["<b> {}\n", type]);
    }
  });

  test("without a type what begins with < is HTML", async () => {
    const of = async (text) => shown(new Response(bytes(text)));
    const page = await of("\n <p>a<p>b");
    assert.deepEqual([page.output, page.metadata.type], ["a\n\nb", "text/html"]);
    const text = await of("a <p>b");
    assert.deepEqual([text.output, text.title], ["a <p>b", `${URL_1} (text/plain)`]);
    const marked = await shown(new Response(bytes([0xef, 0xbb, 0xbf], "<p>a")));
    assert.equal(marked.output, "a");
  });

  test("no body, an empty one, and a long one, which is cut and saved", async () => {
    for (const response of [
      new Response(null, { status: 204 }),
      new Response("", { headers: HTML }),
    ]) {
      const state = await shown(response);
      assert.deepEqual(
        [state.status, state.output, state.metadata.bytes],
        ["completed", "(no output)", 0],
      );
    }
    const lines = `${"line\n".repeat(5000)}`;
    let saved;
    const store = {
      save: async (text) => {
        saved = text;
        return "/saved";
      },
    };
    const host = hostOf(() => new Response(lines, { headers: TEXT }));
    const { state } = await get(host, URL_1, { store });
    assert.equal(saved, lines);
    assert.match(state.output, /3000 more lines left out.*\/saved/);
    assert.deepEqual([state.metadata.truncated, state.metadata.bytes], [true, 25_000]);
  });

  test("an image is attached, whatever the header calls it", async () => {
    const png = bytes([0x89], "PNG\r\n", [0x1a], "\n", [0, 0, 0, 13]);
    for (const type of ["image/png", "image/jpeg", "application/octet-stream", undefined]) {
      const headers = type === undefined ? {} : { "content-type": type };
      const state = await shown(new Response(png, { headers }));
      assert.equal(state.output, "Image attached.");
      const [{ mime, url }] = state.attachments;
      assert.deepEqual(
        [mime, url],
        ["image/png", `data:image/png;base64,${Buffer.from(png).toString("base64")}`],
      );
      assert.equal(state.title, `${URL_1} (${type ?? "image/png"})`);
    }
    const large = new Uint8Array(100_001).map((_, i) => i % 251);
    large.set([0xff, 0xd8, 0xff]);
    const state = await shown(new Response(large, { headers: { "content-type": "image/jpeg" } }));
    const data = state.attachments[0].url.slice("data:image/jpeg;base64,".length);
    assert.deepEqual(new Uint8Array(Buffer.from(data, "base64")), large);
    const headers = { "content-type": "image/x-unknown" };
    const unknown = await shown(new Response(bytes([0, 1, 2]), { headers }));
    assert.equal(unknown.attachments[0].mime, "image/x-unknown");
    // No picture at all: better read than attached.
    const lie = await shown(new Response("not found", { headers }));
    assert.deepEqual([lie.output, lie.attachments], ["not found", undefined]);
  });

  test("what is binary is named", async () => {
    const cases = [
      [
        bytes("PK", [3, 4, 0, 0]),
        "application/zip",
        /is binary \(6 bytes, looks like ZIP archive\)/,
      ],
      [bytes("%PDF-1.7 text"), "application/pdf", /looks like PDF/],
      [bytes("PK", [3, 4, 0, 0]), "image/png", /looks like ZIP archive/],
      [bytes("a", [0], "b"), "text/html", /is binary \(3 bytes, looks like data\)/],
      [bytes("a", [0, 0], "b"), "text/plain; charset=utf-16le", undefined],
      [bytes([0, 0, 0, 0]), "text/plain; charset=utf-16le", /is binary/],
    ];
    for (const [body, type, message] of cases) {
      const host = hostOf(() => new Response(body, { headers: { "content-type": type } }));
      if (message) assert.match((await refusal(host, URL_1)).error, message);
      else assert.equal((await get(host, URL_1)).state.status, "completed");
    }
  });
});

describe("charsets", () => {
  const e = (byte) => bytes("caf", [byte]);
  const meta = (label, ...rest) => bytes(`<meta charset=${label}><p>`, ...rest);
  const cases = [
    ["header", "text/plain; charset=iso-8859-1", e(0xe9), "café"],
    ["header in quotes", 'text/plain; x=1; Charset="ISO-8859-1"', e(0xe9), "café"],
    ["windows-1252 for ISO-8859-1", "text/plain; charset=latin1", bytes([0x80, 0x93, 0x9f]), "€“Ÿ"],
    ["header over mark", "text/plain; charset=latin1", bytes([0xef, 0xbb, 0xbf], "a"), "ï»¿a"],
    ["header over meta", "text/html; charset=koi8-r", meta("utf-8", [0xc1]), "а"],
    ["header that lies", "text/plain; charset=utf-8", e(0xe9), "caf\ufffd"],
    ["mark over meta", "text/html", bytes([0xef, 0xbb, 0xbf], ...meta("koi8-r", "é")), "é"],
    ["mark of UTF-16", "text/plain", bytes([0xff, 0xfe], "h", [0], "i", [0]), "hi"],
    ["mark of UTF-16, the other", "text/html", bytes([0xfe, 0xff, 0], "h", [0], "i"), "hi"],
    ["meta", "text/html", meta("windows-1251", [0xe9]), "й"],
    ["meta in quotes", "text/html", bytes('<META  charset = "koi8-r" /><p>', [0xc1]), "а"],
    [
      "meta with a type",
      "text/html",
      bytes(
        "<meta http-equiv=Content-Type content='text/html;charset=shift_jis'><p>",
        [0x82, 0xa0],
      ),
      "あ",
    ],
    ["no meta in a comment", "text/html", bytes("<!--<meta charset=koi8-r>--><p>é"), "é"],
    ["meta of UTF-16", "text/html", meta("utf-16", "é"), "é"],
    [
      "meta counts in HTML only",
      "text/plain",
      bytes("<meta charset=koi8-r>é"),
      "<meta charset=koi8-r>é",
    ],
    ["unknown label", "text/html; charset=klingon", meta("koi8-r", [0xc1]), "а"],
    ["unknown labels", "text/html; charset=klingon", meta("none", "é"), "é"],
    ["none, UTF-8", "text/plain", bytes("é"), "é"],
    ["none, and no UTF-8", "text/plain", e(0xe9), "café"],
  ];
  for (const [name, type, body, text] of cases) {
    test(name, async () => {
      const state = await shown(new Response(body, { headers: { "content-type": type } }));
      assert.equal(state.output, text);
    });
  }
});

describe("hostile bodies", () => {
  /** A stream of these pieces over and over, and whether it was closed. */
  function endless(piece) {
    const made = { cancelled: false, pieces: 0 };
    made.stream = new ReadableStream({
      pull(controller) {
        made.pieces++;
        controller.enqueue(piece);
      },
      cancel() {
        made.cancelled = true;
      },
    });
    return made;
  }

  test("one that never ends is read no further than 5 MiB, whatever its header says", async () => {
    const made = endless(new Uint8Array(65_536).fill(97));
    const headers = { ...TEXT, "content-length": "3" };
    const host = hostOf(() => new Response(made.stream, { headers }));
    assert.match((await refusal(host, URL_1)).error, /larger than 5 MiB/);
    assert.ok(made.pieces <= 90 && made.cancelled);
    const all = new Uint8Array(5 * MIB).fill(97);
    const whole = await shown(new Response(all, { headers: { ...TEXT, "content-length": "9e9" } }));
    assert.deepEqual([whole.status, whole.metadata.bytes], ["completed", 5 * MIB]);
    const more = hostOf(() => new Response(new Uint8Array(5 * MIB + 1), { headers: TEXT }));
    assert.match((await refusal(more, URL_1)).error, /larger than 5 MiB/);
  });

  test("pieces of one byte", async () => {
    let left = 100_000;
    const stream = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(bytes("a"));
        else controller.close();
      },
    });
    const state = await shown(new Response(stream, { headers: TEXT }));
    assert.equal(state.metadata.bytes, 100_000);
  });

  test("pieces without a byte let the call be stopped", async () => {
    const made = endless(new Uint8Array(0));
    const host = hostOf(() => new Response(made.stream, { headers: TEXT }));
    const { run } = start(host, "web-fetch", { url: URL_1 });
    while (made.pieces < 5000) await new Promise((resolve) => setTimeout(resolve));
    run.abort("enough");
    assert.equal((await run).state.error, "Aborted: enough");
    while (!made.cancelled) await new Promise((resolve) => setTimeout(resolve));
  });

  test("pieces that are no bytes, and a stream that breaks", async () => {
    const texts = endless("text");
    const host = hostOf(() => new Response(texts.stream, { headers: TEXT }));
    assert.match((await refusal(host, URL_1)).error, /is not a stream of bytes/);
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes("begin"));
      },
      pull(controller) {
        controller.error(new TypeError("terminated"));
      },
    });
    const breaking = hostOf(() => new Response(broken, { headers: TEXT }));
    assert.match((await refusal(breaking, URL_1)).error, /failed while it was read: terminated/);
  });
});

describe("time", () => {
  /** Runs with timers that only move by `tick`. */
  async function withTimers(work) {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      await work((seconds) => mock.timers.tick(seconds * 1000));
    } finally {
      mock.timers.reset();
    }
  }

  const turns = async () => {
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
  };

  const never = () => new Promise(() => {});
  const stuck = {
    "a resolver": { fetch: never, resolve: never },
    "a request that heeds no signal": { fetch: never, resolve: async () => [PUBLIC] },
    "a body": {
      fetch: async () => new Response(new ReadableStream({ pull: never }), { headers: TEXT }),
      resolve: async () => [PUBLIC],
    },
  };
  for (const [what, host] of Object.entries(stuck)) {
    test(`all of it has 30 s: ${what} that never ends`, () =>
      withTimers(async (tick) => {
        const { run } = start(host, "web-fetch", { url: URL_1 });
        await turns();
        tick(29.9);
        await turns();
        assert.equal(run.part.state.status, "running");
        tick(0.2);
        const { state } = await run;
        assert.equal(state.metadata.kind, "expected");
        assert.match(state.error, /did not end within 30 s\. Its timeout may be up to 120 s\.$/);
      }));
  }

  test("timeout is in seconds", () =>
    withTimers(async (tick) => {
      const { run } = start(stuck["a body"], "web-fetch", { url: URL_1, timeout: 100 });
      await turns();
      tick(99);
      await turns();
      assert.equal(run.part.state.status, "running");
      tick(2);
      assert.match((await run).state.error, /within 100 s/);
    }));

  test("waiting for a reply does not count", () =>
    withTimers(async (tick) => {
      let answer;
      const reply = () =>
        new Promise((resolve) => {
          answer = resolve;
        });
      const host = hostOf(() => new Response("x", { headers: TEXT }));
      const { run } = start(host, "web-fetch", { url: URL_1 }, { reply });
      await turns();
      tick(1000);
      await turns();
      answer("once");
      assert.equal((await run).state.output, "x");
    }));

  test("a timeout that is none is refused", async () => {
    for (const timeout of [0, -1, 121, "soon"]) {
      const { state } = await get(hostOf({}), { url: URL_1, timeout });
      assert.equal(state.metadata.kind, "arguments");
    }
  });

  test("an answer that comes too late is closed; an abort reaches the request", async () => {
    let give;
    let signal;
    const host = hostOf((_, init) => {
      ({ signal } = init);
      return new Promise((resolve) => {
        give = resolve;
      });
    });
    const { run } = start(host, "web-fetch", { url: URL_1 });
    while (!give) await new Promise((resolve) => setImmediate(resolve));
    run.abort("enough");
    const { state } = await run;
    assert.equal(state.error, "Aborted: enough");
    assert.ok(signal.aborted);
    let cancelled;
    const closed = new Promise((resolve) => {
      cancelled = resolve;
    });
    give(new Response(new ReadableStream({ cancel: cancelled })));
    await closed;
  });
});

test("whatever a server does, the tool stays well", async () => {
  const host = hostOf(() => {
    throw new TypeError("fetch failed");
  });
  const { registry } = registryOver(host);
  for (let i = 0; i < 5; i++) {
    const ids = { callID: `call_${i}`, sessionID: "ses_1", messageID: "msg_1" };
    const { state } = await registry.execute({ ...ids, tool: "web-fetch", input: { url: URL_1 } });
    assert.match(state.error, /failed: fetch failed\.$/);
  }
  assert.equal(registry.getUnhealthyTools().length, 0);
});
