// web-fetch: what is asked, and which addresses and redirects it follows.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allow, deny } from "./one-call.mjs";
import { get, hostOf, PUBLIC, redirect, refusal, TEXT, URL_1 } from "./web-host.mjs";

describe("asking", () => {
  test("the URL is asked for, and always means its origin", async () => {
    const host = hostOf(() => new Response("x", { headers: TEXT }));
    const { state, asks } = await get(host, {
      url: "https://EXAMPLE.com:443/a/../b?c#d",
      timeout: 5,
    });
    assert.equal(state.status, "completed");
    const [{ permission, patterns, always, metadata }] = asks;
    assert.equal(permission, "webfetch");
    assert.deepEqual(patterns, ["https://example.com/b?c"]);
    assert.deepEqual(always, ["https://example.com/*"]);
    assert.deepEqual(metadata, { url: "https://example.com/b?c", format: "markdown", timeout: 5 });
    assert.equal(asks.length, 1);
    const [{ url, method, redirect: how, signal, address }] = host.requests;
    assert.deepEqual(
      [url, method, how, address],
      ["https://example.com/b?c", "GET", "manual", PUBLIC],
    );
    assert.ok(signal instanceof AbortSignal);
  });

  test("a host is the same with a final dot, in rules, redirects and approvals", async () => {
    const page = () => new Response("x", { headers: TEXT });
    const denials = [
      "https://example.com/*",
      "https://EXAMPLE.com:443/*",
      "https://example.com./*",
    ];
    for (const pattern of denials) {
      for (const url of ["https://example.com./page", "https://EXAMPLE.COM.:443/page#x"]) {
        const { state } = await get(hostOf(page), url, {
          rules: [allow("webfetch", "*"), deny("webfetch", pattern)],
        });
        assert.equal(state.metadata.kind, "permission", `${pattern} ${url}`);
      }
    }
    const dotted = hostOf({
      [URL_1]: redirect("https://example.com./next"),
      "https://example.com/next": page(),
    });
    const { state, asks } = await get(dotted, "https://example.com./page");
    assert.equal(state.metadata.url, "https://example.com/next", state.error);
    assert.deepEqual(
      asks.map(({ patterns, always }) => [...patterns, ...always]),
      [[URL_1, "https://example.com/*"]],
    );
    const { state: circle } = await get(
      hostOf({ [URL_1]: redirect("https://example.com./page") }),
      URL_1,
    );
    assert.match(circle.error, /in a circle/);
    const local = hostOf(page);
    assert.match((await refusal(local, "http://localhost./")).error, /not on the public Internet/);
    assert.deepEqual(local.requests, []);
  });

  test("turned down or denied, nothing is resolved or fetched", async () => {
    let resolved = 0;
    const resolve = async () => {
      resolved++;
      return [PUBLIC];
    };
    const host = hostOf(() => new Response("x"), { resolve });
    const options = [
      { reply: () => "reject" },
      { rules: [deny("webfetch", "https://example.com*")] },
    ];
    for (const option of options) {
      const { state } = await get(host, URL_1, option);
      assert.equal(state.metadata.kind, "permission");
    }
    assert.equal(resolved + host.requests.length, 0);
  });

  test("what is no URL for this is refused before anybody is asked", async () => {
    const refused = [
      ["example.com", /is not a URL/],
      ["", /is not a URL/],
      ["http://", /is not a URL/],
      ["http://[::1", /is not a URL/],
      ["http://256.1.1.1/", /is not a URL/],
      ["file:///etc/passwd", /Only http: and https: .* not file:/],
      ["javascript:alert(1)", /not javascript:/],
      ["data:text/html,x", /not data:/],
      ["ftp://example.com/", /not ftp:/],
      ["https://user:word@example.com/", /user name or a password/],
      ["http://127.0.0.1:80@example.com/", /user name or a password/],
      [`https://example.com/${"x".repeat(9000)}`, /longer than 8192 characters/],
    ];
    const host = hostOf(() => new Response("x"));
    for (const [url, message] of refused) {
      const { error, asks } = await refusal(host, url);
      assert.match(error, message);
      assert.equal(asks.length, 0);
    }
    assert.equal(host.requests.length, 0);
  });
});

describe("addresses", () => {
  const page = () => new Response("inner", { headers: TEXT });

  test("those that a URL has, in any spelling, and names of this machine: nobody is asked", async () => {
    const hosts =
      "127.0.0.1 localhost LOCALHOST. a.localhost 127.1 0x7f.1 2130706433 017700000001 0 10.0.0.1 " +
      "169.254.169.254 192.168.1.1 100.64.0.1 [::1] [::] [::ffff:127.0.0.1] [fe80::1] [fd00::1] " +
      "[64:ff9b::7f00:1] [2002:7f00:1::] ①②⑦.0.0.1 127.0.0.1. 224.0.0.1 198.18.0.1";
    for (const name of hosts.split(" ")) {
      const host = hostOf(page);
      for (const rules of [[], [allow("webfetch", "*")], [allow("*", "*")]]) {
        const { error, asks } = await refusal(host, `http://${name}:8080/x`, { rules });
        assert.match(error, /is not on the public Internet/, name);
        assert.equal(asks.length + host.requests.length, 0);
      }
    }
  });

  test("every address of a name must be public", async () => {
    for (const inner of ["10.0.0.1", "::1", "::ffff:93.184.215.14", "fe80::1%eth0", "nonsense"]) {
      const host = hostOf(page, { resolve: async () => [PUBLIC, inner] });
      const { error } = await refusal(host, URL_1);
      assert.match(error, /^example\.com \(.*\) is not on the public Internet/);
      assert.equal(host.requests.length, 0);
    }
  });

  test("a name that cannot be resolved", async () => {
    const cases = [
      [async () => [], /example\.com has no address/],
      [async () => undefined, /no address/],
      [
        async () => {
          throw Object.assign(new Error("x"), { code: "ENOTFOUND" });
        },
        /there is no such host/,
      ],
      [() => Promise.reject(new Error("queries refused")), /queries refused/],
      [
        () => {
          throw new Error("at once");
        },
        /at once/,
      ],
    ];
    for (const [resolve, message] of cases) {
      assert.match((await refusal(hostOf(page, { resolve }), URL_1)).error, message);
    }
  });

  test("without a resolver only what a URL itself says is known", async () => {
    const host = hostOf(page, { resolve: undefined });
    assert.equal((await get(host, URL_1)).state.output, "inner");
    assert.equal("address" in host.requests[0], false);
    await refusal(host, "http://localhost/");
    await refusal(host, "http://10.1.2.3/");
  });

  test("a rule that names the host lets it be anywhere; the last that matches counts", async () => {
    const inner = (rules, url = "http://127.0.0.1:3000/x") =>
      get(hostOf(page, { resolve: async () => ["10.0.0.1"] }), url, { rules }).then(
        ({ state, asks }) => `${state.metadata.kind ?? state.output} ${asks.length}`,
      );
    const web = (pattern) => allow("webfetch", pattern);
    const named = web("http://127.0.0.1:3000/*");
    for (const pattern of [
      "http://127.0.0.1:3000/*",
      "http://127.0.0.1:3000/x",
      "http://127.0.0.1*",
      "*127.0.0.1*",
      "http://127.*",
    ]) {
      assert.equal(await inner([web(pattern)]), "inner 0", pattern);
      assert.equal(await inner([allow("*", pattern)]), "inner 0", pattern);
    }
    for (const pattern of [
      "*",
      "http*",
      "http://*",
      "*:3000/*",
      "*/x",
      "*.*",
      "http://?*",
      "h*x",
    ]) {
      assert.equal(await inner([web(pattern)]), "expected 0", pattern);
    }
    assert.equal(await inner([named, web("*")]), "expected 0");
    assert.equal(await inner([web("*"), named]), "inner 0");
    assert.equal(await inner([named, { ...named, action: "ask" }]), "expected 0");
    assert.equal(await inner([named, deny("webfetch", "*/x")]), "permission 0");
    assert.equal(await inner([deny("webfetch", "*")]), "permission 0");
    assert.equal(await inner([allow("bash", "http://127.0.0.1:3000/*")]), "expected 0");
    // Names.
    const corp = "http://wiki.corp/x";
    assert.equal(await inner([web("http://wiki.corp/*")], corp), "inner 0");
    assert.equal(await inner([web("http://*.corp/*")], corp), "inner 0");
    assert.equal(await inner([web("http://wiki*")], corp), "expected 0");
    assert.equal(await inner([web("*")], corp), "expected 0");
    assert.equal(await inner([], corp), "expected 1");
    assert.equal(await inner([web("http://localhost*")], "http://localhost:3000/"), "inner 0");
    const trap = "http://localhost.evil.example/";
    assert.equal(await inner([web("http://localhost*")], trap), "expected 0");
    assert.equal(
      await inner([web("http://127.0.0.1*")], "http://127.0.0.1.evil.example/"),
      "expected 0",
    );
    const elsewhere = "http://evil.example/?localhost";
    assert.equal(await inner([web("*localhost*")], elsewhere), "expected 0");
  });

  test("rules of the call count after those of the registry; an approval is no such rule", async () => {
    const host = hostOf(page, { resolve: async () => ["10.0.0.1"] });
    const rules = [deny("webfetch", "*")];
    const call = { rules: [[allow("webfetch", "http://wiki.corp/*")]] };
    assert.equal((await get(host, "http://wiki.corp/", { rules, call })).state.output, "inner");
    await refusal(host, "http://wiki.corp/", { reply: () => "always" });
  });

  test("another address is tried where one cannot be reached, and only then", async () => {
    const addresses = ["1.1.1.1", "2606:4700::1", "1.0.0.1"];
    const failing = (code) =>
      hostOf(
        (_, { address }) => {
          if (address === "1.0.0.1") return page();
          throw new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
        },
        { resolve: async () => addresses },
      );
    const unreachable = failing("ENETUNREACH");
    assert.equal((await get(unreachable, URL_1)).state.output, "inner");
    assert.deepEqual(
      unreachable.requests.map(({ address }) => address),
      addresses,
    );
    const broken = failing("ECONNRESET");
    assert.match((await refusal(broken, URL_1)).error, /^GET https:\S* failed: the connection was/);
    assert.equal(broken.requests.length, 1);
  });
});

describe("redirects", () => {
  const end = () => new Response("end", { headers: TEXT });

  test("within an origin they are followed, to another one they are asked for", async () => {
    const host = hostOf({
      [URL_1]: redirect("/two", 301),
      "https://example.com/two": redirect("https://other.example/three?q#frag", 303),
      "https://other.example/three?q": redirect("//other.example:8443/four", 307),
      "https://other.example:8443/four": redirect("four/../five", 308),
      "https://other.example:8443/five": end(),
    });
    const { state, asks } = await get(host, URL_1);
    assert.equal(state.output, "end");
    assert.equal(state.title, `${URL_1} (text/plain)`);
    assert.deepEqual(state.metadata, {
      url: "https://other.example:8443/five",
      status: 200,
      type: "text/plain",
      bytes: 3,
    });
    assert.deepEqual(
      asks.map(({ patterns, always }) => [...patterns, ...always]),
      [
        [URL_1, "https://example.com/*"],
        ["https://other.example/three?q", "https://other.example/*"],
        ["https://other.example:8443/four", "https://other.example:8443/*"],
      ],
    );
    assert.equal(asks[1].metadata.redirectedFrom, "https://example.com/two");
    assert.ok(host.requests.every((request) => request.redirect === "manual"));
  });

  test("one that is turned down, or that a rule denies within the origin, ends the call", async () => {
    const host = hostOf({
      [URL_1]: redirect("https://other.example/"),
      "https://other.example/": end(),
      "https://example.com/open": redirect("/secret"),
      "https://example.com/secret": end(),
    });
    const reply = ({ patterns }) => (patterns[0] === URL_1 ? "once" : "reject");
    assert.equal((await get(host, URL_1, { reply })).state.metadata.kind, "permission");
    const rules = [allow("webfetch", "https://example.com/*"), deny("webfetch", "*/secret")];
    const { state } = await get(host, "https://example.com/open", { rules });
    assert.equal(state.metadata.kind, "permission");
    assert.deepEqual(
      host.requests.map(({ url }) => url),
      [URL_1, "https://example.com/open"],
    );
  });

  test("inwards they are refused", async () => {
    const inner = [
      "http://127.0.0.1/",
      "http://169.254.169.254/latest/meta-data",
      "http://[::ffff:7f00:1]/",
      "http://localhost:9200/",
      "//0x7f.1/",
    ];
    for (const target of inner) {
      const host = hostOf({ [URL_1]: redirect(target) });
      const { error } = await refusal(host, URL_1, { rules: [allow("webfetch", "*")] });
      assert.match(error, /not on the public Internet/);
      assert.equal(host.requests.length, 1);
    }
    const resolve = async (name) => [name === "example.com" ? PUBLIC : "10.0.0.1"];
    const host = hostOf({ [URL_1]: redirect("https://inner.example/") }, { resolve });
    assert.match((await refusal(host, URL_1)).error, /inner\.example \(10\.0\.0\.1\)/);
  });

  test("at most five, no circles, and only to what can be fetched", async () => {
    const chain = (length) =>
      hostOf((url) => {
        const step = Number(url.slice(-1));
        return step < length ? redirect(`/${step + 1}`) : end();
      });
    const first = "https://example.com/0";
    assert.equal((await get(chain(5), first)).state.output, "end");
    const six = chain(6);
    assert.match((await refusal(six, first)).error, /more than 5 times, last to \S*\/6\.$/);
    assert.equal(six.requests.length, 6);
    const cases = [
      [URL_1, /in a circle/],
      [`${URL_1}#other`, /in a circle/],
      ["file:///etc/passwd", /redirects to what cannot be fetched.*file:/],
      ["http://", /redirects to what cannot be fetched/],
      ["https://a:b@example.com/", /user name or a password/],
      [undefined, /answered 302/],
    ];
    for (const [target, message] of cases) {
      const { error } = await refusal(hostOf({ [URL_1]: redirect(target) }), URL_1);
      assert.match(error, message);
    }
  });

  test("a browser does not tell where one leads", async () => {
    const answer = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null };
    assert.match(
      (
        await refusal(
          hostOf(() => answer),
          URL_1,
        )
      ).error,
      /redirects, and a browser/,
    );
  });
});
