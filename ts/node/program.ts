// Files that can be run.
import { accessSync, constants, statSync } from "node:fs";

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
