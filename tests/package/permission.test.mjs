// Permissions in the packed package: rules as JavaScript has them, the gate, and what a call does at it.
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
let Permission;
let logs = [];
before(async () => {
  parts = requireFrom(await consumer("permission"))("apex-parts");
  ({ Permission } = parts);
  parts.setLogger((level, message) => logs.push(`${level}: ${message}`));
});
beforeEach(() => {
  logs = [];
});

const rule = (permission, pattern, action) => ({ permission, pattern, action });
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("rules", () => {
  test("of a configuration keep its order, and the home directory stands for ~", () => {
    const config = { "*": "allow", read: { "*.env": "deny", "~/x/*": "ask", $HOMEx: "ask" } };
    const rules = Permission.fromConfig(config, { home: "/home/me" });
    assert.deepEqual(rules, [
      rule("*", "*", "allow"),
      rule("read", "*.env", "deny"),
      rule("read", "/home/me/x/*", "ask"),
      rule("read", "$HOMEx", "ask"),
    ]);
    assert.deepEqual(Permission.merge(rules, rules), [...rules, ...rules]);
    assert.throws(() => Permission.fromConfig({ a: "maybe" }), { name: "PartValidationError" });
  });

  test("of OpenCode 2 keep their order, with the names of this package", () => {
    const rule2 = (action, resource, effect) => ({ action, resource, effect });
    const of = (config) => Permission.fromConfig(config, { home: "/home/dev" });
    const names = [
      rule2("*", "*", "ask"),
      rule2("shell", "git *", "allow"),
      rule2("subagent", "general", "deny"),
      rule2("write", "a", "deny"),
      rule2("patch", "b", "ask"),
      rule2("mcp_*", "*", "allow"),
    ];
    assert.deepEqual(of(names), [
      rule("*", "*", "ask"),
      rule("bash", "git *", "allow"),
      rule("task", "general", "deny"),
      rule("edit", "a", "deny"),
      rule("edit", "b", "ask"),
      rule("mcp_*", "*", "allow"),
    ]);
    const home = [rule2("edit", "~/x", "deny"), rule2("read", "$HOME/.ssh/*", "deny")];
    assert.deepEqual(of(home), [
      rule("edit", "/home/dev/x", "deny"),
      rule("read", "/home/dev/.ssh/*", "deny"),
    ]);
    assert.deepEqual(Permission.toConfig2(of(home)), home);
    const changed = of(home);
    changed[0].pattern = "/y";
    assert.equal(Permission.toConfig2(changed)[0].resource, "/y");
    assert.deepEqual(of([]), []);
    const own = of({ bash: { "*": "ask" }, task: { general: "allow" }, webfetch: "deny" });
    assert.deepEqual(Permission.toConfig2(own), [
      rule2("shell", "*", "ask"),
      rule2("subagent", "general", "allow"),
      rule2("webfetch", "*", "deny"),
    ]);
    const invalid = { name: "PartValidationError" };
    for (const broken of [
      [null],
      ["allow"],
      [[]],
      [{}],
      [rule2("shell", "*", "maybe")],
      [rule2("shell", "*", undefined)],
      [rule2(1, "*", "ask")],
      [rule2("shell", null, "ask")],
      [rule("bash", "*", "ask")],
    ]) {
      assert.throws(() => of(broken), invalid, JSON.stringify(broken));
    }
    for (const broken of [undefined, {}, [null], [{}], names]) {
      assert.throws(() => Permission.toConfig2(broken), invalid);
    }
  });

  test("of OpenCode 2 are the same after there and back, but for write and patch", () => {
    const action = fc.constantFrom(
      "*",
      "shell",
      "subagent",
      "edit",
      "write",
      "patch",
      "read",
      "m_*",
    );
    const resource = fc.oneof(fc.constantFrom("*", "~", "~/x", "$HOME/y", "~z"), fc.string());
    const effect = fc.constantFrom("allow", "deny", "ask");
    const config = fc.array(fc.record({ action, resource, effect }, { noNullPrototype: true }));
    fc.assert(
      fc.property(config, (given) => {
        const rules = Permission.fromConfig(given, { home: "/home/me" });
        const edit = (name) => (["write", "patch"].includes(name) ? "edit" : name);
        const same = given.map((one) => ({ ...one, action: edit(one.action) }));
        assert.deepEqual(Permission.toConfig2(rules), same);
      }),
    );
  });

  test("hold under the names of OpenCode 2, whichever a rule gives", () => {
    const { evaluate, fromConfig } = Permission;
    const shell = (resource, effect) => ({ action: "shell", resource, effect });
    const asked = [shell("*", "ask"), shell("ls *", "allow")];
    const denied = [shell("*", "allow"), shell("rm *", "deny")];
    assert.equal(evaluate("shell", "ls -l", fromConfig(asked)).action, "allow");
    assert.equal(evaluate("shell", "ls -l && x", fromConfig(asked)).action, "ask");
    assert.equal(evaluate("bash", "rm -f x", fromConfig(denied)).action, "deny");
    assert.equal(evaluate("shell", "sudo r\\m x", fromConfig(denied)).action, "deny");
    assert.equal(evaluate("shell", "ls", fromConfig({ bash: "deny" })).action, "deny");
    assert.deepEqual(evaluate("shell", "ls"), rule("bash", "*", "ask"));
    const other = [rule("*", "*", "allow"), rule("shell", "rm *", "deny")];
    assert.equal(evaluate("bash", "rm x", other), other[1]);
    assert.equal(evaluate("bash", "ls; $x", other).action, "ask");
    assert.equal(evaluate("task", "a", [rule("subagent", "*", "deny")]).action, "deny");
    assert.equal(evaluate("subagent", "a", [rule("task", "*", "deny")]).action, "deny");
    const edits = [
      rule("edit", "*", "ask"),
      rule("write", "a", "deny"),
      rule("edit", "a*", "allow"),
    ];
    assert.equal(evaluate("patch", "b", edits), edits[0]);
    assert.equal(evaluate("write", "ab", edits), edits[2]);
    assert.equal(evaluate("write", "a", edits.slice(0, 2)), edits[1]);
    // Whoever wrote `s*` before there was `shell` did not mean it.
    assert.equal(evaluate("bash", "ls", [rule("s*", "*", "allow")]).action, "ask");
    assert.equal(
      evaluate("bash", "ls", [rule("*", "*", "allow"), rule("sh*", "*", "deny")]).action,
      "deny",
    );
    const off = Permission.disabled(
      ["shell", "patch", "subagent", "read"],
      [rule("bash", "*", "deny"), rule("edit", "*", "deny"), rule("task", "*", "deny")],
    );
    assert.deepEqual(off, new Set(["shell", "patch", "subagent"]));
  });

  test("decide the same in one ruleset, in many, and one by one", () => {
    const actions = fc.constantFrom("allow", "deny", "ask");
    const words = [
      "git",
      "git push",
      "gitx",
      "rm",
      "rm -rf",
      "x=1 git",
      "sudo rm",
      "a/b",
      "a\\b",
      "",
    ];
    const word = fc.constantFrom(...words);
    const pattern = fc.oneof(
      fc.tuple(word, fc.constantFrom("", " *", "*", " ?", "/*", " * *")).map((two) => two.join("")),
      fc.constantFrom("*", "?", "* -rf *", "**"),
      fc.string({ unit: fc.constantFrom("g", "i", " ", "*", "?", "/", "é"), maxLength: 6 }),
    );
    const name = fc.constantFrom("bash", "ba*", "*", "edit");
    const rules = fc.array(fc.tuple(name, pattern, actions), { maxLength: 40 });
    const more = fc.constantFrom(
      "",
      " origin",
      " $x",
      " && rm -rf y",
      " | sh",
      " > a/b",
      " 'q",
      "; é",
    );
    const text = fc.tuple(word, more).map((two) => two.join(""));
    const sure = ["allow", "ask", "deny"];
    fc.assert(
      fc.property(rules, text, fc.constantFrom("bash", "edit"), (given, text, permission) => {
        const ruleset = given.map((one) => rule(...one));
        const decided = Permission.evaluate(permission, text, ruleset);
        const many = ruleset.map((one) => [one]);
        assert.deepEqual(Permission.evaluate(permission, text, ...many), decided);
        const matches = (one) =>
          Permission.match(permission, one.permission) && Permission.match(text, one.pattern);
        const last = ruleset.findLast(matches);
        if (permission === "edit" || last?.action === "deny")
          assert.deepEqual(decided, last ?? rule(permission, "*", "ask"));
        const options = { cwd: "/w", home: "/h", isInside: () => true };
        const whole = Permission.evaluateShell(text, options, ruleset).action;
        if (permission === "bash") assert.ok(sure.indexOf(whole) >= sure.indexOf(decided.action));
        // Rules that match nothing of it change nothing of plain words, however many they are, and allow nothing.
        const others = Array.from({ length: 40 }, (_, at) => rule("bash", `zz ${at} *`, "deny"));
        const after = Permission.evaluate(permission, text, [...others, ...ruleset]);
        if (permission === "edit" || /^[\w /-]*$/.test(text)) assert.deepEqual(after, decided);
        else assert.ok(sure.indexOf(after.action) >= sure.indexOf(decided.action));
      }),
      { numRuns: 500 },
    );
  });

  test("are compiled again when they were changed in place", () => {
    const rules = [rule("bash", "ls", "allow")];
    assert.equal(Permission.evaluate("bash", "ls", rules).action, "allow");
    rules[0].action = "deny";
    assert.equal(Permission.evaluate("bash", "ls", rules).action, "deny");
    rules.push(rule("bash", "l*", "ask"));
    assert.equal(Permission.evaluate("bash", "ls", rules).action, "ask");
    rules.length = 0;
    assert.deepEqual(Permission.evaluate("bash", "ls", rules), rule("bash", "*", "ask"));
    assert.throws(() => Permission.evaluate("bash", "ls", [{}]), { name: "PartValidationError" });
  });

  test("compare URLs as these are written, without a final dot of the host", () => {
    const action = (pattern, url, permission = "webfetch") =>
      Permission.evaluate(permission, url, [rule(permission, pattern, "deny")]).action;
    for (const [pattern, url] of [
      ["https://example.com/*", "HTTPS://EXAMPLE.com.:443/a/../b#c"],
      ["HTTPS://Example.COM:443/*", "https://example.com/b"],
      ["https://example.com./", "https://example.com"],
      ["https://example.com", "https://example.com/#x"],
      ["http://*.Example.com.:80/*", "http://a.example.com/"],
      ["https://*.bücher.example/*", "https://a.bücher.example/"],
      ["https://*/a b/*", "https://x.example/a%20b/c"],
      ["*://EXAMPLE.com:*/*", "http://example.com:8080/"],
      ["https://*", "https://x.example/y?z"],
      ["https://exampl?.com/*", "https://example.com/"],
      ["*", "https://x.example/"],
      ["http://127.0.0.1/*", "http://0x7f.1/"],
      ["not a URL *", "not a URL x"],
    ]) {
      assert.equal(action(pattern, url), "deny", `${pattern} ${url}`);
      assert.equal(action(pattern, url, "web-fetch"), "deny");
    }
    for (const [pattern, url] of [
      ["https://example.com/*", "https://example.com.evil.example/"],
      ["https://example.com/*", "http://example.com/"],
      ["https://example.com:8443/*", "https://example.com/"],
      ["https://*.example.com/*", "https://example.com/"],
      ["https://example.com/A", "https://example.com/a"],
    ]) {
      assert.equal(action(pattern, url), "ask", `${pattern} ${url}`);
    }
    // Others are no URLs.
    assert.equal(action("https://A.example/*", "https://a.example/", "bash"), "ask");
  });

  test("the last that matches decides, over all rulesets laid end to end", () => {
    const { evaluate } = Permission;
    const first = [rule("*", "*", "allow"), rule("bash", "git *", "deny")];
    const second = [rule("ba*", "git push*", "ask")];
    assert.equal(evaluate("bash", "git push", first, second), second[0]);
    assert.equal(evaluate("bash", "git", first, second), first[1]);
    assert.equal(evaluate("read", "x", first, second), first[0]);
    assert.deepEqual(evaluate("read", "x"), rule("read", "*", "ask"));
    assert.deepEqual(evaluate("read", "x", []), rule("read", "*", "ask"));
  });

  test("may be changed after they were used", () => {
    const rules = [rule("a", "*", "allow")];
    const action = () => Permission.evaluate("a", "x", rules).action;
    assert.equal(action(), "allow");
    rules.push(rule("a", "x", "deny"));
    assert.equal(action(), "deny");
    rules[1].pattern = "y";
    assert.equal(action(), "allow");
    rules[0].action = "ask";
    assert.equal(action(), "ask");
    rules.length = 0;
    assert.equal(action(), "ask");
    for (const broken of [[{}], [null], [rule("a", "b", "perhaps")], [rule(1, "b", "ask")]]) {
      assert.throws(() => Permission.evaluate("a", "b", broken), { name: "PartValidationError" });
    }
    assert.equal(action(), "ask");
  });

  test("switch tools off, and match wildcards", () => {
    const rules = [rule("*", "*", "deny"), rule("read", "*", "allow")];
    assert.deepEqual(
      Permission.disabled(["read", "write", "bash"], rules),
      new Set(["write", "bash"]),
    );
    assert.equal(Permission.match("git push", "git push *"), true);
    assert.equal(Permission.match("A", "a"), false);
    assert.equal(Permission.match("A\\b", "a/b", { windows: true }), true);
  });
});

describe("commands of bash", () => {
  const RULES = [
    rule("bash", "*", "ask"),
    rule("bash", "ls *", "allow"),
    rule("bash", "env *", "allow"),
    rule("bash", "rm *", "deny"),
  ];
  /** What the gate says of a command: allowed, asked or denied. */
  async function said(command, rules = RULES) {
    const made = new Permission.Gate({ onAsk: () => "reject" });
    const request = { sessionID: "s", permission: "bash", always: [], metadata: {} };
    const answer = made.ask({ ...request, patterns: [command], rules: [rules] });
    const names = { PermissionDenied: "denied", PermissionRejected: "asked" };
    return answer.then(
      () => "allowed",
      (error) => names[error.name],
    );
  }

  test("are asked for with all that they touch", () => {
    const isInside = (path) => path === "/home/me/demo" || path.startsWith("/home/me/demo/");
    const surroundings = { cwd: "/home/me/demo", home: "/home/me", isInside };
    const request = Permission.shellRequest(
      "cd src && npm run build > ../../log.txt",
      surroundings,
    );
    assert.deepEqual(request, {
      patterns: ["npm run build > ../../log.txt"],
      always: ["npm run build *"],
      dirs: ["/home/me/log.txt"],
      opaque: false,
      commands: [
        { text: "cd src", name: "cd", words: ["cd", "src"], inner: [], redirects: [] },
        {
          text: "npm run build > ../../log.txt",
          name: "npm",
          words: ["npm", "run", "build"],
          inner: [],
          redirects: [{ op: ">", target: "../../log.txt" }],
        },
      ],
    });
    assert.equal(Permission.shellRequest('echo "', surroundings).opaque, true);
    const throwing = {
      ...surroundings,
      isInside() {
        throw new Error("mine");
      },
    };
    assert.deepEqual(Permission.shellRequest("cat ./x", throwing).dirs, ["/home/me/demo/x"]);
  });

  test("are denied under every wrapper and spelling", async () => {
    const spellings = [
      "rm x",
      "A=1 rm x",
      "/bin/rm x",
      "r\\m x",
      "'r'm x",
      "$'\\x72m' x",
      "sudo -u a rm x",
    ];
    spellings.push("xargs rm", "nohup rm x", "find . -exec rm {} +", "eval rm x", "bash -c 'rm x'");
    spellings.push("ls $(rm x)", "ls && (cd a; rm b)", "timeout 5 env B=2 rm x", "rm", "ls `rm x`");
    for (const command of spellings) assert.equal(await said(command), "denied", command);
  });

  test("are allowed only with what they run, and asked about where that cannot be known", async () => {
    const cases = {
      "ls -l": "allowed",
      "env ls": "allowed",
      "env cat x": "asked",
      "sudo ls": "asked",
      'bash -c "$X"': "asked",
      $X: "asked",
      'ls "': "asked",
      "x=1": "asked",
    };
    for (const [command, answer] of Object.entries(cases)) {
      assert.equal(await said(command), answer, command);
    }
    const all = [rule("*", "*", "allow")];
    assert.equal(await said("$X", all), "allowed");
    assert.equal(await said("$X", [...all, rule("bash", "rm *", "deny")]), "asked");
    assert.equal(await said("ls", [...all, rule("bash", "rm *", "deny")]), "allowed");
  });

  test("are asked about in every spelling, by the last rule that matches", async () => {
    const all = [rule("bash", "*", "allow"), rule("bash", "rm *", "ask")];
    for (const text of [
      "rm x",
      "\\rm x",
      "'r'm x",
      "/bin/rm x",
      "A=1 rm x",
      "sudo rm x",
      "r\\\nm x",
    ]) {
      assert.equal(await said(text, all), "asked", text);
    }
    assert.equal(await said("echo rm x", all), "allowed");
    assert.equal(await said("\\rm x", [...all, rule("bash", "*", "allow")]), "allowed");
    assert.equal(await said("sudo rm x", [...all, rule("bash", "sudo rm *", "deny")]), "denied");
    const only = [rule("bash", "*", "ask"), rule("bash", "A=1 npm *", "allow")];
    assert.equal(await said("A=1 npm test", only), "allowed");
  });

  test("are asked about where a rule has words that are not known", async () => {
    const rules = [rule("bash", "*", "allow"), rule("bash", "rm -rf *", "deny")];
    const asked = ["rm $X a", "rm {-rf,a}", "xargs rm", "rm *", 'f() { rm "$@"; }', "rm -r$X"];
    for (const text of asked) assert.equal(await said(text, rules), "asked", text);
    for (const text of ["rm '-rf' x", 'rm -"rf" x', "rm $'\\x2drf' x", "env rm   -rf x"]) {
      assert.equal(await said(text, rules), "denied", text);
    }
    for (const text of ["rm -r x", "rm --rf x", "rm a $X", "echo $X", "ls *"]) {
      assert.equal(await said(text, rules), "allowed", text);
    }
    const later = [...rules, rule("bash", "rm *", "allow")];
    assert.equal(await said("rm $X", later), "allowed");
  });

  test("beyond the limits are denied where anything is", async () => {
    const text = "ls; ".repeat(5000);
    assert.equal(
      await said(text, [rule("bash", "*", "allow"), rule("bash", "rm *", "deny")]),
      "denied",
    );
    assert.equal(
      await said(text, [rule("bash", "*", "allow"), rule("bash", "rm *", "ask")]),
      "asked",
    );
  });

  test("are as strict for evaluate as for the tool", () => {
    const rules = [
      rule("bash", "*", "allow"),
      rule("bash", "rm *", "deny"),
      rule("bash", "mv *", "ask"),
    ];
    const { evaluate } = Permission;
    const cases = {
      "ls && sudo rm x": rules[1],
      "echo $(\\mv a b)": rules[2],
      "ls | head": rules[0],
      "[[ a == a ]]": rules[0],
      $X: rule("bash", "*", "ask"),
    };
    for (const [text, expected] of Object.entries(cases)) {
      assert.deepEqual(evaluate("bash", text, rules), expected, text);
    }
    assert.equal(
      evaluate("bash", "[[ a ]]", [...rules, rule("bash", "[[ *", "deny")]).action,
      "deny",
    );
    assert.equal(
      evaluate("bash", "cd a && ls", [...rules, rule("bash", "cd *", "deny")]).action,
      "deny",
    );
  });

  test("are judged with their paths and redirects by evaluateShell", () => {
    const options = {
      cwd: "/home/me/demo",
      home: "/home/me",
      isInside: (path) => path.startsWith("/home/me/demo"),
    };
    const rules = Permission.fromConfig({
      "*": "allow",
      bash: { "*": "allow", "rm *": "deny", "mv *": "ask" },
      edit: { "*": "allow", "src/*": "deny", "*.md": "ask" },
      external_directory: { "*": "ask", "/tmp/*": "allow", "/etc/*": "deny" },
    });
    const judged = (text) => Permission.evaluateShell(text, options, rules);
    assert.deepEqual(judged("ls > a.txt"), {
      action: "allow",
      rule: { permission: "bash", pattern: "*", action: "allow" },
      opaque: false,
      asks: [],
    });
    const asked = judged("mv a b; cat ../x /tmp/y > docs/a.md");
    assert.equal(asked.action, "ask");
    assert.deepEqual(asked.asks, [
      { permission: "external_directory", pattern: "/home/me/x" },
      { permission: "edit", pattern: "docs/a.md" },
      { permission: "bash", pattern: "mv a b" },
    ]);
    assert.equal(judged("ls > src/x").action, "deny");
    assert.equal(judged("ls /etc").action, "deny");
    assert.equal(judged("sudo rm x").rule.pattern, "rm *");
    assert.equal(judged("ls > a/../src/x").action, "deny");
    assert.deepEqual([judged("$X").action, judged("$X").opaque], ["ask", true]);
    // What is not known may be what a rule denies.
    const unknown = judged("ls > a/$X");
    assert.equal(unknown.action, "ask");
    assert.deepEqual(unknown.asks, [
      { permission: "external_directory", pattern: "*" },
      { permission: "edit", pattern: "*" },
    ]);
    assert.deepEqual(judged("ls > a/$$").asks, [{ permission: "edit", pattern: "a/*" }]);
    assert.equal(judged("x=src; ls > $x/n").action, "deny");
    assert.deepEqual(judged("grep -R x a").asks, [
      { permission: "external_directory", pattern: "*" },
    ]);
    assert.throws(() => Permission.evaluateShell("ls", {}), { name: "PartValidationError" });
  });
});

describe("the gate", () => {
  const request = (more) => ({
    sessionID: "s",
    permission: "bash",
    patterns: ["git push"],
    always: ["git *"],
    metadata: {},
    rules: [],
    ...more,
  });
  /** A gate whose requests are answered by the test. */
  const gate = (options) => new Permission.Gate({ onAsk() {}, ...options });
  const ended = (promise) =>
    promise.then(
      () => "allowed",
      (error) => error.name,
    );

  test("lets through what rules allow, and refuses what they deny, without a request", async () => {
    const made = gate();
    const rules = [
      [rule("bash", "*", "allow"), rule("bash", "rm *", "deny"), rule("edit", "*", "ask")],
    ];
    assert.equal(await made.ask(request({ rules })), undefined);
    const error = await made
      .ask(request({ rules, patterns: ["git push", "rm -r x"] }))
      .catch((e) => e);
    assert.equal(error.name, "PermissionDenied");
    assert.match(error.message, /"rm -r x"/);
    assert.match(error.message, /allow bash "\*", deny bash "rm \*"/);
    assert.doesNotMatch(error.message, /edit/);
    assert.deepEqual(made.pending(), []);
  });

  test("asks once for all patterns; once answers only this request", async () => {
    const made = gate();
    const patterns = ["git push", "git log"];
    const first = ended(
      made.ask(request({ patterns, agent: "build", tool: { messageID: "m", callID: "c" } })),
    );
    const [asked] = made.pending();
    assert.deepEqual(
      { ...asked, id: "" },
      {
        id: "",
        sessionID: "s",
        permission: "bash",
        patterns,
        always: ["git *"],
        metadata: {},
        agent: "build",
        tool: { messageID: "m", callID: "c" },
      },
    );
    assert.equal(made.reply("another", "once"), false);
    assert.equal(made.reply(asked.id, "once"), true);
    assert.equal(made.reply(asked.id, "once"), false);
    assert.equal(await first, "allowed");
    assert.deepEqual(made.approved(), []);
  });

  test("always allows from now on, also what waits, in this session only", async () => {
    const made = gate();
    const waiting = [request(), request({ patterns: ["git log"] }), request({ patterns: ["ls"] })];
    const answers = waiting.map((input) => ended(made.ask(input)));
    const other = ended(made.ask(request({ sessionID: "s2" })));
    const [first, , third] = made.pending();
    made.reply(first.id, "always");
    assert.deepEqual(await Promise.all(answers.slice(0, 2)), ["allowed", "allowed"]);
    assert.deepEqual(made.pending("s"), [third]);
    assert.equal(made.pending("s2").length, 1);
    assert.deepEqual(made.approved(), [{ ...rule("bash", "git *", "allow"), sessionID: "s" }]);
    assert.equal(await ended(made.ask(request({ patterns: ["git status"] }))), "allowed");
    // An approval never beats a rule.
    const rules = [[rule("bash", "git *", "deny")]];
    assert.equal(await ended(made.ask(request({ rules }))), "PermissionDenied");
    assert.equal(made.revoke(rule("bash", "git *", "allow")), true);
    assert.equal(made.revoke(rule("bash", "git *", "allow")), false);
    const again = ended(made.ask(request()));
    assert.equal(made.pending("s").length, 2);
    made.rejectSession("s");
    made.rejectSession("s2");
    assert.deepEqual(
      await Promise.all([again, answers[2], other]),
      Array(3).fill("PermissionRejected"),
    );
  });

  test("always reaches as far as the scope says", async () => {
    for (const [scope, others] of [
      ["agent", ["allowed", "waits"]],
      ["instance", ["allowed", "allowed"]],
    ]) {
      const made = gate({ scope });
      const first = ended(made.ask(request({ agent: "a" })));
      made.reply(made.pending()[0].id, "always");
      await first;
      const same = ended(made.ask(request({ sessionID: "s2", agent: "a" })));
      const other = ended(made.ask(request({ sessionID: "s3", agent: "b" })));
      const seen = await Promise.all(
        [same, other].map((answer) => Promise.race([answer, settled().then(() => "waits")])),
      );
      assert.deepEqual(seen, others, scope);
      made.rejectSession("s3");
      await other;
    }
  });

  test("stores patterns that are narrower than what was offered, and no wider ones", async () => {
    const made = gate();
    const first = ended(made.ask(request()));
    const patterns = ["git push *", "*", "rm *", 5];
    made.reply(made.pending()[0].id, { reply: "always", patterns });
    await first;
    assert.deepEqual(
      made.approved().map(({ pattern }) => pattern),
      ["git push *"],
    );
  });

  test("a rejection rejects all of the session, and tells the model what the user says", async () => {
    const made = gate();
    const errors = [request(), request(), request({ sessionID: "s2" })].map((input) =>
      made.ask(input).catch((error) => error),
    );
    made.reply(made.pending()[1].id, { reply: "reject", message: "use git status" });
    const [other, corrected] = await Promise.all(errors.slice(0, 2));
    assert.equal(other.name, "PermissionRejected");
    assert.equal(corrected.name, "PermissionCorrected");
    assert.equal(corrected.message, "The user turned this call down: use git status");
    assert.equal(made.pending().length, 1);
    for (const reply of ["no", {}, null, 5, { reply: "yes" }]) {
      const answer = ended(made.ask(request()));
      made.reply(made.pending("s")[0].id, reply);
      assert.equal(await answer, "PermissionRejected");
    }
    made.rejectSession("s2");
    await errors[2];
  });

  test("takes the reply of onAsk, and rejects where that fails", async () => {
    const answered = (onAsk) => ended(gate({ onAsk }).ask(request()));
    assert.equal(await answered(() => "once"), "allowed");
    assert.equal(await answered(async () => ({ reply: "always" })), "allowed");
    assert.equal(await answered(() => "reject"), "PermissionRejected");
    assert.equal(
      await answered(() => {
        throw new Error("no screen");
      }),
      "PermissionCorrected",
    );
    assert.match(logs.join(), /onAsk of a permission gate threw/);
    assert.throws(() => new Permission.Gate({}), { name: "PartValidationError" });
  });
});

describe("a call", () => {
  const CALL = { callID: "c", sessionID: "s", messageID: "m", tool: "t" };
  const asking = (context) =>
    context.ask({ permission: "bash", patterns: ["ls"], always: ["ls *"], metadata: { a: 1 } });
  async function done(_, context) {
    await asking(context);
    return "done";
  }
  const registry = (options, execute = done) => {
    const made = new parts.ToolRegistry(options);
    made.register(
      parts.Tool.define("t", { description: "", parameters: { type: "object" }, execute }),
    );
    return made;
  };

  test("shows in its metadata what it waits for, and no longer when it goes on", async () => {
    const gate = new Permission.Gate({ onAsk() {} });
    const states = [];
    const run = registry({ gate }).execute(CALL, { onState: ({ state }) => states.push(state) });
    await settled();
    const [{ id, tool, metadata }] = gate.pending();
    assert.deepEqual([tool, metadata], [{ messageID: "m", callID: "c" }, { a: 1 }]);
    assert.deepEqual(run.part.state.metadata, {
      permission: { id, permission: "bash", patterns: ["ls"] },
    });
    gate.reply(id, "once");
    assert.equal((await run).state.output, "done");
    assert.equal(states.at(-1).metadata.permission, undefined);
    assert.equal(states.at(-2).metadata, undefined);
  });

  test("follows the rules of the registry, then its own", async () => {
    const made = registry({ rules: [[rule("bash", "*", "allow")]] });
    assert.equal((await made.execute(CALL)).state.output, "done");
    const denied = await made.execute({ ...CALL, rules: [[rule("bash", "l*", "deny")]] });
    assert.match(denied.state.error, /deny bash of "ls"/);
    assert.equal(denied.state.metadata.kind, "permission");
  });

  test("that nobody watches is denied, with the rule that would allow it", async () => {
    const { state } = await registry().execute(CALL);
    assert.match(state.error, /nobody can be asked/);
    const allowing = JSON.parse(/\{.*\}/.exec(state.error)[0]);
    const again = await registry().execute({ ...CALL, rules: [[allowing]] });
    assert.equal(again.state.status, "completed");
  });

  test("ends at once when it is aborted while it waits, and takes its request back", async () => {
    const gate = new Permission.Gate({ onAsk() {} });
    const run = registry({ gate }).execute(CALL);
    await settled();
    const [{ id }] = gate.pending();
    run.abort("gone");
    assert.equal(run.part.state.status, "error");
    const { state } = await run;
    assert.equal(state.error, "Aborted: gone");
    assert.deepEqual(state.metadata, { aborted: true, kind: "aborted" });
    await settled();
    assert.deepEqual(gate.pending(), []);
    assert.equal(gate.reply(id, "once"), false);
  });

  test("the message of the user is the error of the call", async () => {
    const gate = new Permission.Gate({ onAsk: () => ({ reply: "reject", message: "not now" }) });
    const { state } = await registry({ gate }).execute(CALL);
    assert.equal(state.error, "The user turned this call down: not now");
  });

  test("arguments are checked before anyone is asked", async () => {
    let asked = 0;
    const gate = new Permission.Gate({
      onAsk() {
        asked++;
        return "once";
      },
    });
    const made = new parts.ToolRegistry({ gate });
    const parameters = { properties: { a: { type: "string" } }, required: ["a"] };
    const execute = done;
    made.register(parts.Tool.define("t", { description: "", parameters, execute }));
    assert.equal((await made.execute(CALL)).state.metadata.kind, "arguments");
    assert.equal(asked, 0);
  });
});
