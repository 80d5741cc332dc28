// Where ripgrep is on this machine.
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join } from "node:path";
import { isProgram } from "./program.ts";

const isWindows = process.platform === "win32";
const NAME = isWindows ? "rg.exe" : "rg";
const PACKAGE = "@vscode/ripgrep";

/** In the folders of PATH. Those that are relative would let the directory that is worked in name a program. */
function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, NAME)).find(isProgram);
}

/** The one of a package, if the user of this package or its program has installed it. */
function inPackages(): string | undefined {
  const here = typeof __filename === "string" ? __filename : import.meta.url;
  for (const base of [here, process.argv[1]]) {
    try {
      const main = createRequire(base as string).resolve(PACKAGE);
      const own = createRequire(main);
      const names = [
        `${PACKAGE}-${process.platform}-${process.arch}/bin/${NAME}`,
        `../bin/${NAME}`,
      ];
      for (const name of names) {
        try {
          const path = own.resolve(name);
          if (isProgram(path)) return path;
        } catch {
          // Before 1.18 the program is in the package itself, later in one for the platform.
        }
      }
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}

let cache: { path: string | null } | undefined;

/** The path of ripgrep: that of PATH, else of `@vscode/ripgrep`; `null` if there is none. */
export function ripgrepPath(): string | null {
  cache ??= { path: onPath() ?? inPackages() ?? null };
  return cache.path;
}
