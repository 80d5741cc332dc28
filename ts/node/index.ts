// The host of the built-in tools in Node, and skills: what `apex-parts/node` exports.

import { builtinTools as builtinToolsOver, type Host, type Tool } from "apex-parts:tools";
import { homedir } from "node:os";
import { resolve as resolvePath } from "node:path";
import { fetch, resolve } from "./fetch.ts";
import { slashed } from "./file-identity.ts";
import { nodeFiles } from "./files.ts";
import { ripgrepPath } from "./ripgrep.ts";
import { nodeShell } from "./shell.ts";

export type * from "apex-parts:tools";
export { defaultSkillRoots } from "./skills/roots.ts";
export { scanSkills } from "./skills/scan.ts";
export { skillTool } from "./skills/tool.ts";
export type * from "./types.ts";

/** An absolute path, with `/` between names. */
const absolute = (path: unknown) => slashed(resolvePath(String(path)));

/**
 * A host with the real file system, shell and network; every option replaces what it would have.
 * @param options - Members in place of those of the machine; `directory` is by default the working directory of the process.
 * @returns The host.
 * @example
 * ```ts
 * import { nodeHost } from "apex-parts/node";
 *
 * typeof nodeHost({ directory: "/tmp" }).fs.read; // "function"
 * ```
 */
export function nodeHost(options?: Partial<Host>): Host {
  const entries = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  const { directory, worktree, home, ...others }: Partial<Host> = Object.fromEntries(entries);
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

/**
 * The built-in tools over `nodeHost(options)`.
 * @param options - As of `nodeHost`.
 * @returns The tools, for `ToolRegistry.register`.
 * @example
 * ```ts
 * import { builtinTools } from "apex-parts/node";
 *
 * builtinTools({ directory: "/tmp" }).some(({ id }) => id === "bash"); // true
 * ```
 */
export function builtinTools(options?: Partial<Host>): Tool.Info[] {
  return builtinToolsOver(nodeHost(options));
}
