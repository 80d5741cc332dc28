// Secrets: what is found, how it is masked, and what is left as it is.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { MESSAGES, PARTS } from "./fixtures/surface.mjs";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("redact"))("apex-parts");
  parts.setLogger(undefined);
});

// Put together here, so that none stands in this file.
const TOKEN = ["ghp", "abcdefghij0123456789ABCDEFGHIJ012345"].join("_");

describe("a Redactor", () => {
  test("masks values of any shape, equal secrets alike, over all that it is given", () => {
    const redactor = new parts.Redactor();
    const other = TOKEN.replace("ghp", "ghs");
    assert.equal(redactor.redact(`a ${TOKEN}`), "a [redacted github-token 1]");
    assert.deepEqual(redactor.redact({ list: [other, { text: TOKEN }], n: 1, no: null }), {
      list: ["[redacted github-token 2]", { text: "[redacted github-token 1]" }],
      n: 1,
      no: null,
    });
    redactor.free();
  });

  test("masks the texts that it is given, and says which were nowhere", () => {
    const mask = ["Adler", /adler-\d+/i, "nowhere", /^$/];
    const redactor = new parts.Redactor({ mask });
    const value = { text: "😀 Adler, ADLER-12, adler", id: "Adler-1", Adler: 1 };
    assert.deepEqual(redactor.redact(value), {
      text: "😀 [redacted masked 1], [redacted masked 2], adler",
      id: "[redacted masked 3]",
      Adler: 1,
    });
    assert.deepEqual(redactor.unusedMasks, [2, 3]);
    const [{ kind, count, distinct }] = redactor.findings;
    assert.deepEqual([kind, count, distinct], ["masked", 3, 3]);
    redactor.free();
    // One text in many places.
    const many = new parts.Redactor({ mask: ["ab", /.*/] });
    assert.equal(many.redact("ab\n".repeat(100_000)), "[redacted masked 1]\n".repeat(100_000));
    many.free();
    for (const wrong of ["text", [""], [1], [null], [{}], [["a"]]]) {
      assert.throws(() => new parts.Redactor({ mask: wrong }), parts.PartValidationError);
    }
    new parts.Redactor({ mask: null }).free();
  });

  test("a mask does not care for flags, offsets and characters of two units", () => {
    const once = /é|😀+/guy;
    once.lastIndex = 3;
    const redactor = new parts.Redactor({ mask: [once] });
    assert.equal(
      redactor.redact("aé😀😀b😀"),
      "a[redacted masked 1][redacted masked 2]b[redacted masked 3]",
    );
    assert.equal(once.lastIndex, 3);
    redactor.free();
  });

  test("looks through a file for what was in no message", () => {
    const bytes = (text) => new TextEncoder().encode(text);
    const redactor = new parts.Redactor();
    redactor.redact({ text: "ann@acme.io" });
    const file = '{"a":"ann@acme.io"}\nno JSON: bob@acme.io\n{"b":["eve@acme.io"]}\n';
    assert.equal(redactor.findInFile(bytes(file), { title: "eve@acme.io" }), true);
    const [{ count, places }] = redactor.findings;
    assert.equal(count, 3);
    const at = places.map(({ pointer, line, inCopy }) => ({ pointer, line, inCopy }));
    assert.deepEqual(at, [
      { pointer: "/text", line: undefined, inCopy: undefined },
      { pointer: "/title", line: undefined, inCopy: undefined },
      { pointer: "", line: 2, inCopy: false },
    ]);
    assert.equal(redactor.findInFile(new Uint8Array([80, 75, 3, 4, 0])), false);
    assert.equal(redactor.isClean(bytes("[]")), true);
    assert.equal(redactor.isClean(bytes('["ann@acme.io"]')), false);
    for (const wrong of [undefined, "text", [1]]) {
      assert.throws(() => redactor.findInFile(wrong), parts.PartValidationError);
      assert.throws(() => redactor.isClean(wrong), parts.PartValidationError);
    }
    redactor.free();
  });

  test("masks a token in what a terminal coloured, in a text and in a value", () => {
    const redactor = new parts.Redactor();
    const coloured = `\u001b[01;31m${TOKEN.slice(0, 9)}\u001b[m${TOKEN.slice(9)}\u001b[0m ok`;
    const masked = "\u001b[01;31m[redacted github-token 1]\u001b[0m ok";
    assert.equal(redactor.redact(coloured), masked);
    assert.deepEqual(redactor.redact({ output: coloured }), { output: masked });
    const [found] = redactor.find(coloured);
    assert.equal(coloured.slice(found.end), "\u001b[0m ok");
    redactor.free();
  });

  test("masks a token behind an underscore or a digit, and leaves what documents have", () => {
    const redactor = new parts.Redactor();
    assert.equal(
      redactor.redact(`my_${TOKEN} 1${TOKEN}`),
      "my_[redacted github-token 1] 1[redacted github-token 1]",
    );
    for (const harmless of [
      `my${TOKEN}`,
      "AKIAIOSFODNN7EXAMPLE",
      "mysql://root:root@127.0.0.1/test",
      "curl -u user:password https://example.com",
      "arn:aws:secretsmanager:eu-1:123456789012:secret:prod/db-a1B2c3",
      "machine learning login page password policy",
      "x:1000:1000:Bob:/home/node:/bin/sh",
    ]) {
      assert.equal(redactor.redact(harmless), harmless);
    }
    redactor.free();
  });

  test("masks what stands where only a password can, and no variable there", () => {
    const redactor = new parts.Redactor();
    const value = {
      env: [{ name: "DB_PASSWORD", value: "winterfell" }],
      run: "mysql -pwinterfell shop",
    };
    assert.deepEqual(redactor.redact(value), {
      env: [{ name: "DB_PASSWORD", value: "[redacted password 1]" }],
      run: "mysql -p[redacted password 1] shop",
    });
    for (const harmless of ["mysql -p shop", "curl -u $ME:$PW x.test", "docker run -p 80:80 a"]) {
      assert.equal(redactor.redact(harmless), harmless);
    }
    redactor.free();
  });

  test("gives back the very value that has no secrets", () => {
    const redactor = new parts.Redactor();
    const values = [{ a: ["x"] }, [], 1, null, true, "text", "half \ud83d of a pair"];
    for (const value of values) assert.equal(redactor.redact(value), value);
    assert.deepEqual(redactor.findings, []);
  });

  test("leaves ids and types, so that what was valid is valid", () => {
    const redactor = new parts.Redactor();
    const tainted = (value) =>
      JSON.parse(JSON.stringify(value), (key, text) =>
        ["text", "output", "prompt", "description", "title", "cwd"].includes(key) &&
        typeof text === "string"
          ? `${text} ${TOKEN} alice@corp.io /home/alice/x`
          : text,
      );
    for (const make of PARTS) {
      const masked = redactor.redact(tainted(make()));
      assert.deepEqual(parts.PartValidator.validatePart(masked).problems, [], masked.type);
      assert.equal(masked.id, make().id);
    }
    const messages = redactor.redact(tainted(MESSAGES.map((make) => make())));
    assert.equal(parts.PartValidator.validateTranscript(messages).valid, true);
    assert.ok(!JSON.stringify(messages).includes("alice"));
  });

  test("keeps kinds, and refuses options that are wrong", () => {
    const redactor = new parts.Redactor({ keep: ["email"], places: 1 });
    const text = "mail alice@corp.io bob@corp.io";
    assert.equal(redactor.redact(text), text);
    const [found] = redactor.findings;
    assert.deepEqual(found, {
      kind: "email",
      what: "mail addresses",
      count: 2,
      distinct: 2,
      masked: false,
      places: [{ pointer: "", shown: "alic… (13 characters)", number: 1 }],
    });
    for (const wrong of [
      { keep: ["mail"] },
      { keep: "email" },
      { keep: [1] },
      { places: -1 },
      { places: "3" },
      { places: Number.NaN },
    ]) {
      assert.throws(() => new parts.Redactor(wrong), { name: "PartValidationError" });
    }
    for (const fine of [undefined, null, {}, { keep: null }, { keep: [], places: 0 }]) {
      new parts.Redactor(fine).free();
    }
  });

  test("says in which message and part a secret is, and where", () => {
    const redactor = new parts.Redactor();
    const [message] = MESSAGES.map((make) => make());
    message.parts[0].text = `x ${TOKEN}`;
    redactor.redact([message]);
    const [{ places }] = redactor.findings;
    const { id } = message.parts[0];
    assert.deepEqual(places, [
      {
        message: message.info.id,
        part: id,
        pointer: "/0/parts/0/text",
        shown: "ghp_… (40 characters)",
        number: 1,
      },
    ]);
  });

  test("finds secrets in a text by UTF-16 offsets, and counts nothing", () => {
    const redactor = new parts.Redactor();
    const text = `😀 é alice@corp.io ${TOKEN}`;
    const found = redactor.find(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);
    assert.deepEqual(found, [
      ["email", "alice@corp.io"],
      ["github-token", TOKEN],
    ]);
    for (const none of [undefined, 1, {}, "", "nothing"]) {
      assert.deepEqual(redactor.find(none), []);
    }
    assert.deepEqual(redactor.findings, []);
  });

  test("once is enough, and nothing is found afterwards", () => {
    const text = `PASSWORD=hunter2 https://u:p4ss@h.io/?token=abcdef12 ${TOKEN} /home/alice a@b.io`;
    const once = new parts.Redactor().redact({ text });
    assert.deepEqual(new parts.Redactor().redact(once), once);
    assert.deepEqual(new parts.Redactor().find(once.text), []);
  });

  test("refuses what is no JSON, and works on", () => {
    const redactor = new parts.Redactor();
    const circle = {};
    circle.circle = circle;
    const thrower = {
      get a() {
        throw new Error("no");
      },
    };
    for (const value of [circle, thrower, 1n, undefined, () => {}, { a: 1n }]) {
      assert.throws(() => redactor.redact(value), { name: "PartValidationError" });
    }
    assert.equal(redactor.redact("a@corp.io"), "[redacted email 1]");
  });

  test("every kind has a name and says what it is", () => {
    const kinds = parts.secretKinds();
    assert.ok(kinds.length > 20);
    for (const { kind, what } of kinds) {
      assert.match(kind, /^[a-z-]+$/);
      assert.ok(what.length > 3);
    }
    assert.equal(new Set(kinds.map(({ kind }) => kind)).size, kinds.length);
  });
});
