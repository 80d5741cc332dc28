// The spellings of a name, and templates in which they stand.

/** Words of Rust and TypeScript that cannot name a module or a field. */
const RESERVED = new Set(
  `abstract as async await become box break case catch class const continue crate debugger default delete do dyn else enum
  export extends extern false final finally fn for function if impl import in instanceof let loop macro match mod move mut
  new null override priv pub ref return self static struct super switch this throw trait true try type typeof union unsafe
  unsized use var virtual void where while with yield`.split(/\s+/),
);

/**
 * A name in all its spellings: `acme-chat` is also `acme_chat`, `AcmeChat`, `acmeChat` and `Acme chat`.
 *
 * @param {string} given with hyphens or underscores
 */
export function spell(given) {
  const parts = given.split(/[-_]/);
  const isName = parts.every((part) => /^[a-z][a-z0-9]*$/.test(part));
  if (!isName || RESERVED.has(given)) {
    const why = RESERVED.has(given) ? "it is a keyword" : "lower-case words, joined by hyphens";
    throw new Error(`"${given}" cannot be a name (${why}); a name is such as acme-chat`);
  }
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const pascal = parts.map(capital).join("");
  const name = parts.join("-");
  return {
    name,
    snake: parts.join("_"),
    joined: parts.join(""),
    pascal,
    camel: pascal[0].toLowerCase() + pascal.slice(1),
    title: capital(parts.join(" ")),
  };
}

/** Replaces `{{pascal}}` and the like by the spelling with that name. */
export const filled = (text, words) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, spelling) => {
    if (words[spelling] === undefined) throw new Error(`no spelling ${spelling}`);
    return words[spelling];
  });
