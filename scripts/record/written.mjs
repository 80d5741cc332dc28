// Writing recordings: nothing of the machine that made them may stand in them.
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { dirname, relative } from "node:path";
import { root } from "../lib.mjs";

/** Words of this machine that a recording must not have. */
const words = () => {
  const { username } = userInfo();
  const common = ["root", "user", "dev", "runner", "localhost"];
  const own = [hostname(), username, homedir()].filter((word) => word && !common.includes(word));
  return [...own, root, "/tmp/"].filter((word) => word.length > 2 && word !== "/root");
};

/** The text, in which no word of this machine stands. */
export function noTrace(text) {
  for (const word of words()) {
    const at = text.indexOf(word);
    if (at >= 0) throw new Error(`a recording has ${word}: … ${text.slice(at - 80, at + 80)} …`);
  }
  return text;
}

/** Writes a file and says so. */
export function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  console.log(`${relative(root, path)}: ${content.length}`);
}
