// `apex-parts view`: the viewer in a browser, served by this machine to itself, or written into one file.
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Env } from "./colour.ts";
import type { Values } from "./options.ts";
import { isSame, writeWhole } from "./out-file.ts";
import { argument, CliError, print, unreadable } from "./output.ts";
import { count, plural } from "./units.ts";
import { hasBrowser, openInBrowser } from "./view/browser.ts";
import { packageSinglePage } from "./view/page-files.ts";
import type { Served } from "./view/runs.ts";
import { checkedPath } from "./view/runs.ts";
import { DEFAULT_PORT, serve } from "./view/server.ts";

/** The largest file that is put into a page: every browser can hold its base64 as one string. */
const MOST_IN_PAGE = 256 << 20;

const tell = (words: string) => process.stderr.write(`${words}\n`);

function portOf({ port }: Values): number | undefined {
  if (port === undefined) return undefined;
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new CliError(`--port must be an integer from 0 (any free port) to 65535, not ${port}`, 2);
}

/** What is served, in words. */
function words({ root, isOne, listed, total, more, unread }: Served): string[] {
  const files = plural(total ?? listed, "file");
  const first = `the first ${count(listed)} of ${total === undefined ? "more" : files}`;
  const none = "it contains no transcript yet; reload the page when it does";
  const what = listed === 0 ? none : more ? `${first}, by path` : files;
  const closed = plural(unread.length, "folder");
  return [
    ...(isOne ? [] : [`${root}: ${what}`]),
    ...(unread.length > 0 ? [`${closed} below it cannot be read, such as ${unread[0]}`] : []),
  ];
}

/** Writes the viewer with one transcript in it. */
async function writePage(
  names: readonly string[],
  out: string,
  { follow, port }: Values,
): Promise<number> {
  const [name] = names;
  const wrong = names.length !== 1 ? "takes one FILE" : follow ? "has no --follow" : undefined;
  if (name === undefined || wrong || port !== undefined) {
    throw new CliError(
      `view --out ${wrong ?? "has no --port"}: it writes one page and serves nothing`,
      2,
    );
  }
  const { path } = checkedPath(name, { isFile: true });
  if (isSame(path, out)) throw new CliError(`${out}: it is the input file`, 2);
  const { size } = statSync(path);
  if (size > MOST_IN_PAGE) {
    const most = `${MOST_IN_PAGE >> 20} MB`;
    throw new CliError(
      `${name}: it is too large for one page (${most}); apex-parts view ${argument(name)} serves it`,
      2,
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unreadable(name, error);
  }
  await writeWhole(out, packageSinglePage({ name: basename(path), bytes }));
  tell("Nothing in it is masked: apex-parts redact makes a copy of a file without its secrets.");
  return 0;
}

/** Resolves when somebody stops the program. */
function stopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => done());
  });
}

/** Where the command runs, and when it is to end. */
interface Surroundings {
  isTerminal?: boolean;
  env?: Env;
  until?: () => Promise<unknown>;
}

/** Serves until the program is stopped, or writes the page. */
export async function view(
  first: string | undefined,
  values: Values,
  others: readonly string[] = [],
  here: Surroundings = {},
): Promise<number> {
  const { isTerminal = process.stdout.isTTY === true, env = process.env, until = stopped } = here;
  const names = first === undefined ? [] : [first, ...others];
  if (values.out !== undefined) return writePage(names, values.out, values);
  const port = portOf(values);
  if (values.follow && names.length !== 1) {
    throw new CliError("view --follow takes exactly one FILE", 2);
  }
  const what = values.follow ? { follow: first, say: tell } : { paths: names };
  const fallback = port === undefined;
  const server = await serve({ ...what, port: port ?? DEFAULT_PORT, fallback });
  const end = until();
  print(server.url);
  for (const line of server.found ? words(server.found) : []) tell(line);
  if (isTerminal) tell("Only this machine can open it. Ctrl-C stops it.");
  if (isTerminal && !values["no-open"] && hasBrowser({ env })) {
    openInBrowser(server.url, { env }).then((why) => {
      if (why !== undefined)
        tell(`No browser could be opened (${why}): open the address yourself.`);
    });
  }
  await end;
  await server.close();
  return 0;
}
