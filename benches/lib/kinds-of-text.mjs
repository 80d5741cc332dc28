// Seventeen kinds of text that sessions of agents are made of, each of at least 4 kB: prose and source in
// `texts/`, written for this; what machines write is generated, the same at every run.
import { readFileSync } from "node:fs";

const LEAST = 4100;
const written = (name) => readFileSync(new URL(`texts/${name}.txt`, import.meta.url), "utf8");

/** Numbers below `n`, deterministic for the seed. */
function dice(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Lines of `line(i)` until there are enough bytes. */
function lines(line, between = "\n") {
  const made = [];
  for (let size = 0, i = 0; size < LEAST; i++) {
    made.push(line(i));
    size += Buffer.byteLength(made[i]) + between.length;
  }
  return made;
}

const pick = (roll, list) => list[roll(list.length)];
const digits = (n, width) => String(n).padStart(width, "0");
const hex = (roll, n) => Array.from({ length: n }, () => roll(16).toString(16)).join("");
const FIRST = ["Amara", "Björn", "Chidi", "Dolores", "Emre", "Farida", "Gustavo", "Hana", "Ilse"];
const LAST = ["Okafor", "Lindqvist", "Marchetti", "Novak", "Papadakis", "Quispe", "Rosenthal"];
const CITIES = ["Rotterdam", "Valparaíso", "Gdańsk", "Osaka", "Halifax", "Mombasa", "Leipzig"];

function json() {
  const roll = dice(11);
  const orders = lines((i) => {
    const customer = `${pick(roll, FIRST)} ${pick(roll, LAST)}`;
    return JSON.stringify(
      {
        id: `ord_${hex(roll, 12)}`,
        customer: { name: customer, city: pick(roll, CITIES), vip: roll(4) === 0 },
        items: Array.from({ length: 1 + roll(3) }, () => ({
          sku: `SKU-${digits(roll(99999), 5)}`,
          qty: 1 + roll(9),
          unitPrice: roll(20000) / 100,
          tags: [pick(roll, ["fragile", "bulk", "gift-wrap"]), pick(roll, ["eu", "apac", "latam"])],
        })),
        createdAt: `2025-${digits(1 + roll(12), 2)}-${digits(1 + roll(28), 2)}T${digits(roll(24), 2)}:${digits(roll(60), 2)}:00Z`,
        status: pick(roll, ["pending", "shipped", "delivered", "refunded"]),
        discount: roll(3) === 0 ? null : roll(30),
        note: i % 3 === 0 ? "Leave it with the neighbour, please" : "",
      },
      null,
      i % 2 === 0 ? 2 : undefined,
    );
  });
  return `[${orders.join(",\n")}]\n`;
}

function logs() {
  const roll = dice(23);
  let time = Date.UTC(2025, 2, 14, 8, 12, 5);
  const messages = [
    () => `GET /api/v1/users/${roll(9999)} 200 ${roll(300)}ms`,
    () => `connection to 10.${roll(256)}.${roll(256)}.${roll(256)}:5432 established`,
    () => `cache miss key=session:${hex(roll, 8)} ttl=${roll(3600)}`,
    () => `worker ${roll(16)} picked job ${roll(1e6)} (queue=mail, attempt=${1 + roll(3)})`,
    () => `retrying upload of "report-${roll(99)}.pdf" in ${roll(30)}s: connection reset by peer`,
    () =>
      `POST /login 401 ${roll(90)}ms user=${pick(roll, LAST).toLowerCase()} reason=bad_password`,
    () => `heap usage ${roll(900)}MB of 1024MB, gc pause ${roll(40)}.${roll(10)}ms`,
  ];
  return lines(() => {
    time += roll(4000);
    const level = pick(roll, ["INFO ", "INFO ", "DEBUG", "WARN ", "ERROR"]);
    const source = pick(roll, ["http.server", "db.pool", "jobs.runner", "auth"]);
    return `${new Date(time).toISOString()} ${level} [${source}] ${pick(roll, messages)()}`;
  }).join("\n");
}

function stackTrace() {
  const roll = dice(37);
  const folders = [
    "node_modules/express/lib/router",
    "src/services/billing",
    "src/db",
    "dist/server",
  ];
  const functions = [
    "processTicksAndRejections",
    "Layer.handle",
    "InvoiceService.createInvoice",
    "next",
  ];
  const java = [
    "com.acme.orders.OrderController",
    "org.springframework.web.servlet.FrameworkServlet",
  ];
  const methods = ["doDispatch", "handleRequest", "invoke", "lambda$findAll$3", "access$200"];
  const errors = [
    "TypeError: Cannot read properties of undefined (reading 'customerId')",
    "Error: ECONNREFUSED: connect to 127.0.0.1:6379 failed",
    "java.lang.IllegalStateException: Transaction already closed",
    'KeyError: "invoice_number"',
  ];
  return lines((i) => {
    const line = 1 + roll(900);
    if (i % 12 === 0) return `${i === 0 ? "" : "\n"}${errors[(i / 12) % errors.length]}`;
    const kind = Math.floor(i / 12) % errors.length;
    if (kind === 2) {
      const name = pick(roll, java);
      return `\tat ${name}.${pick(roll, methods)}(${name.split(".").at(-1)}.java:${line})`;
    }
    if (kind === 3) {
      const file = pick(roll, ["billing/tasks.py", "core/models/invoice.py", "lib/retry.py"]);
      const call = pick(roll, ["run_task", "__call__", "load_invoice", "wrapper"]);
      const text = pick(roll, [
        "return self._load(key)",
        "value = row[name]",
        "raise exc from None",
      ]);
      return `  File "/srv/app/${file}", line ${line}, in ${call}\n    ${text}`;
    }
    const file = pick(roll, ["index.js", "layer.js", "createInvoice.ts", "pool.ts", "route.js"]);
    const place = `/home/app/${pick(roll, folders)}/${file}:${line}:${1 + roll(60)}`;
    return `    at ${roll(3) === 0 ? "async " : ""}${pick(roll, functions)} (${place})`;
  }).join("\n");
}

function markdownTable() {
  const roll = dice(41);
  const head =
    "| Option | Type | Default | Since | What it does |\n| :--- | :---: | ---: | --- | --- |\n";
  const verbs = ["Sets", "Limits", "Overrides", "Disables", "Logs"];
  const objects = ["the number of retries", "which hosts are trusted", "compression of answers"];
  const places = [
    "per request",
    "while the server starts",
    "for **all** clients",
    "in `strict` mode",
  ];
  const names = [
    "maxRetries",
    "trustProxy",
    "log_level",
    "cache-control",
    "timeoutMs",
    "tls.minVersion",
  ];
  const rows = lines(() => {
    const type = pick(roll, ["`number`", "`string[]`", "`boolean`", '`"auto" \\| "off"`']);
    const value = pick(roll, [`${roll(5000)}`, "`true`", "—", '`"auto"`', "`[]`"]);
    const does = `${pick(roll, verbs)} ${pick(roll, objects)} ${pick(roll, places)}`;
    const since = `${roll(4)}.${roll(20)}.${roll(10)}`;
    return `| \`${pick(roll, names)}\` | ${type} | ${value} | ${since} | ${does}. |`;
  });
  return `## Options\n\n${head}${rows.join("\n")}\n`;
}

function hashes() {
  const roll = dice(53);
  return lines((i) => {
    if (i % 3 === 0) return `${hex(roll, 64)}  dist/bundle-${hex(roll, 8)}.js`;
    if (i % 3 === 1) return `commit ${hex(roll, 40)}`;
    const bytes = Buffer.from(Array.from({ length: 180 }, () => roll(256)));
    return `"integrity": "sha512-${bytes.toString("base64")}",`;
  }).join("\n");
}

/** As if names had been changed throughout a file, and lines added. */
function diff() {
  const roll = dice(61);
  const old = written("python").split("\n");
  const renames = [
    ["readings", "samples"],
    ["sensor_id", "device"],
    ["value", "measured"],
    ["logger", "log"],
    ["path", "source"],
  ];
  let shift = 0;
  const hunks = lines((i) => {
    const from = (i * 11) % (old.length - 12);
    const [before, after] = pick(roll, renames);
    const body = [];
    let added = 0;
    for (const line of old.slice(from, from + 9)) {
      if (!line.includes(before)) body.push(` ${line}`);
      else body.push(`-${line}`, `+${line.replaceAll(before, after)}`);
      if (roll(9) > 0) continue;
      added++;
      body.push(`+${" ".repeat(line.search(/\S|$/))}log.debug("step %d", ${roll(50)})`);
    }
    const hunk = `@@ -${from + 1},9 +${from + 1 + shift},${9 + added} @@\n${body.join("\n")}`;
    shift += added;
    if (i % 4 > 0) return hunk;
    const name = `pipeline/${pick(roll, ["hourly", "reader", "gaps"])}.py`;
    const index = `index ${hex(roll, 7)}..${hex(roll, 7)} 100644`;
    return `diff --git a/${name} b/${name}\n${index}\n--- a/${name}\n+++ b/${name}\n${hunk}`;
  });
  return `${hunks.join("\n")}\n`;
}

/** `[name, text]` of each kind. */
export const KINDS = [
  ["English prose", written("english")],
  ["German prose", written("german")],
  ["French prose", written("french")],
  ["Russian prose", written("russian")],
  ["Arabic prose", written("arabic")],
  ["Chinese prose", written("chinese")],
  ["Japanese prose", written("japanese")],
  ["Korean prose", written("korean")],
  ["Rust", written("rust")],
  ["TypeScript", written("typescript")],
  ["Python", written("python")],
  ["JSON", json()],
  ["log with timestamps", logs()],
  ["stack traces", stackTrace()],
  ["Markdown table", markdownTable()],
  ["hashes and base64", hashes()],
  ["diff", diff()],
];

for (const [name, text] of KINDS) {
  if (Buffer.byteLength(text) < LEAST) throw new Error(`${name} is shorter than ${LEAST} bytes`);
}
