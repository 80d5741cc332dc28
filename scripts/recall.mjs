// `npm run recall -- DIR…` counts how many secrets are found of lists that others keep: the examples of the rules of
// Nosey Parker and of Kingfisher, of which each DIR is a checkout. It prints the figures and every miss. It needs the
// built package.
import { isMain, main } from "./lib.mjs";
import { isBeside, listIn, secretsIn, toRegExp } from "./recall/rules.mjs";

/** Rules whose examples are no secrets as docs/sharing.md has them, by what `id: name (categories)` matches. */
export const LEFT_OUT = [
  { rules: /Password Hash|\(hashed\b/u, why: "hashes of passwords" },
  { rules: /public (?:key|access)|publish key|subscription key/iu, why: "keys that are public" },
  {
    rules: /^(?!.*\b(?:key|token)\b).*\((?:api )?(?:fuzzy )?identifier\)/iu,
    why: "identifiers, as the rule says itself",
  },
  {
    rules: /\b(?:ID|Identifier|Username|Email|Org Name|Account Name|Host|Domain|Instance URL)\b/u,
    why: "ids, names and addresses",
  },
  { rules: /azuresearch\.url|artifactory\.2/u, why: "addresses of a service" },
  { rules: /squareup\.1/u, why: "sq0idp- begins the id of an application of Square" },
  { rules: /weak_password/u, why: "words with a number and nothing that says what they are" },
];

/** Examples that are no secrets, by what the value matches, or the text. */
export const NOT_SECRET = [
  { value: /^["']?[$%]|^#+$|^\*+$/u, why: "a variable, or a value that is masked already" },
  { text: /=#\{\w+\[/u, why: "a template" },
  {
    value: /^(?:your|my|some|the|smtp)?_?(?:pass(?:word|wrod)|secret|token|user)$/iu,
    why: "a word where a secret would be put",
  },
  { value: /^YOUR_/u, why: "a word where a secret would be put" },
  { value: /^.{0,12}?(.)\1{11,}.{0,6}$/u, why: "one letter again and again" },
  { value: /^00-a+-a+$|^xoxb-0+-0+-x+$|^tvly-x+$/u, why: "one letter again and again" },
  {
    text: /:\/\/user(?:name)?:(?:password|secret)@(?:localhost|[\w.]*example\.)/u,
    why: "a stock pair at localhost or an example host",
  },
  { value: /^application:$/u, why: "a text of a program" },
];

/** A password of words: docs/sharing.md says that it is found only where nothing else can be. It counts as missed. */
const PLAIN = /^[a-z_#-]+$/iu;

/** Kinds that these rules are not about. */
const OTHER_KINDS = ["email", "home-folder"];

/** Why a rule is left out, if it is. */
export function reasonOf({ id, name, categories }) {
  const text = `${id}: ${name} (${(categories ?? []).join(" ")})`;
  return LEFT_OUT.find(({ rules }) => rules.test(text))?.why;
}

/** Why an example is no secret, if it is none. */
function noSecret(text, values) {
  const isSo = ({ value, text: whole }) =>
    whole ? whole.test(text) : value.test(values.at(-1) ?? text);
  return NOT_SECRET.find(isSo)?.why;
}

/** Is so much of a secret found that nobody could use the rest? Of an address it is the password alone. */
function isFound(found, [start, end], text) {
  const inside = (secret) => Math.min(end, secret.end) - Math.max(start, secret.start);
  const count = found.reduce((sum, secret) => sum + Math.max(0, inside(secret)), 0);
  const isAddress = /[:;@]/u.test(text.slice(start, end));
  return count > (isAddress ? 0 : 0.3 * (end - start));
}

/**
 * Counts the examples of a list. `find` says what is found in a text. Rules that need the name of a service beside
 * the value are counted apart.
 */
export function measure(rules, find) {
  const counts = { rules: 0, found: 0, besides: 0, foundBeside: 0, others: 0, leftOut: {} };
  const missed = [];
  const wrong = [];
  const leaveOut = (why, count) => {
    counts.leftOut[why] = (counts.leftOut[why] ?? 0) + count;
  };
  const search = (text) => find(text).filter(({ kind }) => !OTHER_KINDS.includes(kind));
  for (const rule of rules) {
    const why = reasonOf(rule);
    if (why) {
      leaveOut(why, rule.examples.length);
      continue;
    }
    const beside = isBeside(rule.pattern);
    for (const text of rule.examples) {
      const places = secretsIn(text, toRegExp(rule.pattern));
      const values = places.map(([start, end]) => text.slice(start, end));
      const reason = noSecret(text, values);
      if (reason) {
        leaveOut(reason, 1);
        continue;
      }
      const found = search(text);
      counts[beside ? "besides" : "rules"]++;
      if (places.some((place) => isFound(found, place, text))) {
        counts[beside ? "foundBeside" : "found"]++;
      } else missed.push({ rule, text, beside, plain: PLAIN.test(values.at(-1)) });
    }
    for (const text of rule.others) {
      counts.others++;
      const found = search(text).map(({ start, end }) => text.slice(start, end));
      if (found.length > 0) wrong.push({ rule, text, found });
    }
  }
  return { counts, missed, wrong };
}

const share = (part, all) =>
  `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`;
const shown = (text) => JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);

/** The figures of a list, as lines, and every miss. */
function report(list, counts, missed, wrong) {
  const plain = missed.filter(({ beside, plain }) => plain && !beside).length;
  return [
    `${list.name}, commit ${list.commit} of ${list.date}, ${list.rules.length} rules`,
    `  found: ${share(counts.found, counts.rules)}; ${plain} of those missed are plain words`,
    `  rules that need the name of a service beside: ${share(counts.foundBeside, counts.besides)}`,
    `  negative examples in which something is found: ${wrong.length} of ${counts.others}`,
    ...Object.entries(counts.leftOut).map(([why, count]) => `  left out, ${why}: ${count}`),
    ...missed.map(
      ({ rule, text, beside }) =>
        `  missed${beside ? " (beside)" : ""}, ${rule.id}: ${shown(text)}`,
    ),
    ...wrong.map(
      ({ rule, text, found }) =>
        `  in a negative example, ${rule.id}: ${shown(text)}: ${found.map(shown).join(", ")}`,
    ),
  ];
}

async function recall(folders) {
  if (folders.length === 0)
    throw new Error("npm run recall -- DIR…: each DIR is a checkout of Nosey Parker or Kingfisher");
  const { Redactor } = await import("../pkg/node.mjs");
  const redactor = new Redactor();
  for (const folder of folders) {
    const list = listIn(folder);
    const { counts, missed, wrong } = measure(list.rules, (text) => redactor.find(text));
    console.log(report(list, counts, missed, wrong).join("\n"));
  }
  redactor.free();
}

if (isMain(import.meta)) main(() => recall(process.argv.slice(2)));
