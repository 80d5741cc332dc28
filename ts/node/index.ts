// The host of the built-in tools in Node, and skills: what `apex-parts/node` exports.

import { builtinTools as builtinToolsOver, type Host, type Tool } from "apex-parts:tools";
import { homedir } from "node:os";
import { resolve as resolvePath } from "node:path";
import { fetch, resolve } from "./fetch.ts";
import { slashed } from "./file-identity.ts";
import { nodeFiles } from "./files.ts";
import { ripgrepPath } from "./ripgrep.ts";
import { nodeShell } from "./shell.ts";

export { defaultSkillRoots } from "./skills/roots.ts";
export { scanSkills } from "./skills/scan.ts";
export { skillTool } from "./skills/tool.ts";

/** An absolute path, with `/` between names. */
const absolute = (path: unknown) => slashed(resolvePath(String(path)));

/** A host with this machine's files, shell and network; each option replaces what it would have. */
export function nodeHost(options: Partial<Host> = {}): Host {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  const { directory, worktree, home, ...others }: Partial<Host> = Object.fromEntries(given);
  const own = absolute(home ?? homedir());
  const host: Host = {
    directory: absolute(directory ?? process.cwd()),
    home: own,
    fs: nodeFiles,
    shell: nodeShell({ home: own }),
    fetch,
    resolve,
    clock: { now: Date.now },
    ...others,
  };
  if (worktree !== undefined) host.worktree = absolute(worktree);
  // Looked for when it is first needed.
  if (!("rgPath" in host))
    Object.defineProperty(host, "rgPath", { get: ripgrepPath, enumerable: true });
  return host;
}

/** The built-in tools over `nodeHost(options)`. */
export const builtinTools = (options?: Partial<Host>): Tool.Info[] =>
  builtinToolsOver(nodeHost(options));
