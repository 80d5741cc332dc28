// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of bash
// What docs/tools.md says of rules for bash, sentence by sentence.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Permission } from "../../../pkg/node.mjs";

const ALL = { "*": "allow", "rm *": "deny" };
const said = (text, bash = ALL) =>
  Permission.evaluate("bash", text, Permission.fromConfig({ bash })).action;

function all(action, texts, bash) {
  for (const text of texts) assert.equal(said(text, bash), action, text);
}

const SURROUNDINGS = { cwd: "/d", home: "/h", isInside: (path) => `${path}/`.startsWith("/d/") };
const asked = (text, config = { "*": "ask" }) =>
  Permission.evaluateShell(text, SURROUNDINGS, Permission.fromConfig(config)).asks.map(
    ({ permission, pattern }) => `${permission} ${pattern}`,
  );

describe("rules for bash", () => {
  test("judge each command, and the strictest counts", () => {
    const rules = { "*": "allow", "git *": "ask", "rm *": "deny" };
    all("deny", ["ls; git a; rm x", "git a | rm x"], rules);
    all("ask", ["ls; git a", "sudo git a"], rules);
    all("allow", ["ls; cat a | wc -l"], rules);
    all("ask", ["env cat x"], { "env *": "allow" });
    all("allow", ["env cat x"], { "env *": "allow", "cat *": "allow" });
  });

  test("hold for every spelling", () => {
    const spelled = ["r\\m x", "'r'm x", "$'\\x72m' x", "r\\\nm x", "/bin/rm x", "A=1 rm x"];
    const placed = ["a $(rm x)", "a `rm x`", "a <(rm x)", "{ rm x; }", "(rm x)", "f() { rm x; }"];
    placed.push("for i in a; do rm x; done", "while rm x; do a; done", "[[ $(rm x) ]]");
    placed.push("((a[$(rm x)]))", "cat <<E\n$(rm x)\nE", "bash <<E\nrm x\nE");
    const wrappers = ["env", "env -i A=1", "sudo -u a", "doas", "timeout -s KILL 5", "nice -n 5"];
    wrappers.push("nohup", "time -p", "command", "builtin command", "exec -a b", "xargs -n 1");
    wrappers.push("stdbuf -oL", "setsid -w", "ionice -c 2", "chrt -o 0", "taskset -c 0");
    wrappers.push("flock -n f", "prlimit --nofile=9", "unshare -r", "setarch -R", "x86_64");
    wrappers.push("chroot /", "watch -n 1", "find . -exec", "bash -c", "eval", "trap");
    const wrapped = wrappers.map((wrapper) => {
      if (wrapper === "bash -c") return "bash -c 'rm x'";
      return `${wrapper} rm x${{ "find . -exec": " \\;", trap: " EXIT" }[wrapper] ?? ""}`;
    });
    wrapped[wrappers.indexOf("trap")] = "trap 'rm x' EXIT";
    wrapped.push("env -S 'rm x'", "su a -c 'rm x'", "script -qc 'rm x' o");
    all("deny", [...spelled, ...placed, ...wrapped]);
    all("ask", [...spelled, ...placed, ...wrapped], { "*": "allow", "rm *": "ask" });
  });

  test("hold behind global options", () => {
    const cases = {
      "git push": ["git -C . push", "git --git-dir=a -c b=c push"],
      "kubectl delete": ["kubectl -n prod delete pod x", "kubectl -nprod delete pod x"],
      "docker compose down": ["docker compose -f c.yml down"],
      "docker rm": ["docker -H a rm x", "docker --context=b rm x"],
      "podman rm": ["podman --url a rm x"],
      "aws s3": ["aws --profile p s3 rm x"],
      "npm publish": ["npm --prefix a publish"],
      "pnpm publish": ["pnpm -C a publish"],
      "yarn publish": ["yarn --cwd a publish"],
      "terraform destroy": ["terraform -chdir=a destroy"],
      "gh repo delete": ["gh repo -R a/b delete"],
      "helm uninstall": ["helm -n a uninstall b"],
      "gcloud projects": ["gcloud --project a projects delete b"],
      "cargo publish": ["cargo +nightly --locked publish"],
      "pip install": ["pip --proxy a install b", "python -m pip -q install b"],
      "systemctl stop": ["systemctl --user stop a"],
      "ip link": ["ip -n a link set b"],
    };
    for (const [command, texts] of Object.entries(cases)) {
      all("deny", texts, { "*": "allow", [`${command} *`]: "deny" });
    }
    all("allow", ["git -C push status"], { "*": "allow", "git push *": "deny" });
  });

  test("let data be, and the last one decides", () => {
    all("allow", ["echo rm", "cat <<'E'\nrm x\n$(rm x)\nE", "ls # rm x"]);
    all("allow", ["sudo git a"], { "git *": "ask", "*": "allow" });
    all("ask", ["sudo git a"], { "*": "allow", "git *": "ask" });
  });

  test("ask where words are not known", () => {
    const rules = { "*": "allow", "rm -rf *": "deny" };
    all("ask", ["rm $X", "rm {-rf,x}", "rm *", "xargs rm", 'rm "$@"'], rules);
    all("allow", ["rm -r x", "rm x $X"], rules);
  });

  test("deny what is never asked", () => {
    const silent = ["cd a", "pushd a", "[ a ]", "[[ a ]]", "((1))", "f() { ls; }"];
    for (const text of silent) {
      assert.equal(said(text, { "*": "allow", [`${text.slice(0, 2)}*`]: "deny" }), "deny", text);
    }
    const others = silent.map((text) => `${text}; ls`);
    all("allow", others, { "*": "ask", "ls *": "allow" });
    all("deny", [...silent, "ls", "# a", ""], { "*": "deny" });
  });

  test("ask edit for what redirects write to, and nothing for devices", () => {
    for (const op of [">", ">>", ">|", "&>", "<>", ">&"]) {
      assert.deepEqual(asked(`a ${op} o`, { "*": "allow", edit: "ask" }), ["edit o"], op);
    }
    assert.deepEqual(asked("a > $X", { "*": "allow", edit: "ask" }), ["edit *"]);
    for (const text of ["a > /dev/null", "a 2>&1", "a >&-", "a <<E\nE", "a < b"]) {
      assert.deepEqual(asked(text, { "*": "allow", edit: "ask" }), [], text);
    }
    assert.equal(asked("a > o")[0], "edit o");
  });

  test("ask for any directory where a path is not known", () => {
    const config = { "*": "allow", external_directory: "ask" };
    for (const text of ["cat $X", "read p; cat $p", "xargs cat", "grep -R a ."]) {
      assert.deepEqual(asked(text, config), ["external_directory *"], text);
    }
    assert.deepEqual(asked("p=b; cat $p ./a/../c", config), []);
  });

  test("ask about opaque texts, which only the pattern * allows", () => {
    const opaque = [
      "$X",
      "$(a)",
      'eval "$X"',
      'bash -c "$X"',
      "read x; echo $((x))",
      "read x; echo ${!x}",
    ];
    opaque.push('printf -v "$x" a', "x=v; echo $(( ${x}2 ))", "sudo --what ls", "timeout $T ls");
    opaque.push("PS4=$x", "BASH_ENV=a", "GIT_CONFIG_COUNT=$n", "shopt -s extglob", "set -o posix");
    opaque.push('echo "', "if; then a; fi", "${ a; }", "x='a[$(b)]'; echo $((x))");
    all("ask", opaque);
    all("allow", opaque, { "*": "allow" });
    all("ask", opaque, { "*": "ask", "a *": "allow" });
    all("allow", ["x=3; echo $((x))", "n=$(wc -l < a); ((n))", "echo $(( $(date +%s) / 60 ))"]);
    all("allow", ["echo $(( $(nproc) * 2 ))", 'T=5; timeout "$T" ls']);
  });

  test("ask however a variable that decides what runs is set", () => {
    const rules = { "*": "ask", "ls *": "allow", "export *": "allow", "read *": "allow" };
    const texts = ["for PATH in .; do ls; done", "export PATH=.; ls", "read -r HOME <<< .; ls"];
    all("ask", texts, rules);
    all("allow", texts);
    const spelled = { "*": "ask", "NODE_OPTIONS=* npm *": "allow", "npm *": "allow" };
    all("allow", ["NODE_OPTIONS=x npm test"], spelled);
    all("ask", ["for NODE_OPTIONS in x; do npm test; done"], spelled);
  });

  test("let harmless assignments be", () => {
    const rules = { "*": "ask", "npm *": "allow", "echo *": "allow", "ls *": "allow" };
    all("allow", ["CI=1 npm test", "TZ=UTC RUST_LOG=a npm x", "export CI=1; npm x"], rules);
    all(
      "ask",
      ["CI=$x npm test", "RAILS_ENV=production npm x", "X=1 npm x", "x=5; echo $x"],
      rules,
    );
    const within = (text, environment) =>
      Permission.evaluateShell(
        text,
        { ...SURROUNDINGS, environment },
        Permission.fromConfig({ "*": "allow", bash: rules }),
      ).action;
    assert.equal(within("x=5; y=$((x * 2)); echo $y", {}), "allow");
    assert.equal(within("x=5; echo $x", { x: undefined }), "allow");
    assert.equal(within("x=5; echo $x", { x: "1" }), "ask");
    assert.equal(within("x=$(rm a); echo $x", {}), "ask");
    assert.equal(within("x=5; export x", {}), "ask");
    const options = { ...SURROUNDINGS, environment: {} };
    assert.deepEqual(Permission.shellRequest("x=5; echo $x", options).patterns, ["echo $x"]);
    const known = { ...SURROUNDINGS, environment: { x: "1" } };
    assert.deepEqual(Permission.shellRequest("x=5; ls", known).patterns, ["x=5", "ls"]);
    assert.throws(
      () => Permission.shellRequest("x=5", { ...SURROUNDINGS, environment: 1 }),
      /environment must be an object/,
    );
  });

  test("deny files that read denies, where the text names them", () => {
    const rules = Permission.fromConfig({ "*": "allow", read: { "*": "allow", "*.env": "deny" } });
    const verdict = (text) => Permission.evaluateShell(text, SURROUNDINGS, rules);
    for (const text of ["cat .env", "sort < a/b.env", "source ./.env", "bash -c 'cat .env'"]) {
      const { action, rule } = verdict(text);
      assert.deepEqual([action, rule.permission, rule.pattern], ["deny", "read", "*.env"], text);
    }
    for (const text of ["ls .env", "cat .env.example", "cp x .env", "git add .env", "echo .env"]) {
      assert.equal(verdict(text).action, "allow", text);
    }
  });

  test("ask for any file where a text reaches a shell unknown", () => {
    const config = { "*": "allow", external_directory: "ask", edit: "ask" };
    for (const text of ["cat x | sh", "source <(a)", 'bash -c "$x"']) {
      assert.deepEqual(asked(text, config), ["external_directory *", "edit *"], text);
    }
    assert.deepEqual(asked("bash <<< 'a > f'", config), ["edit f"]);
    assert.deepEqual(asked("history -w g", config), ["edit g"]);
  });

  test("are strict beyond the limits", () => {
    const beyond = ["a; ".repeat(5000), "$(".repeat(60) + ")".repeat(60), "a ".repeat(140_000)];
    all("deny", beyond);
    all("ask", beyond, { "*": "ask" });
  });

  test("do not see what programs do with their arguments", () => {
    all("allow", ["python -c 'rm x'", "awk rm", "sed '1e rm x'", "make", "find . -delete", "./a"]);
  });
});
