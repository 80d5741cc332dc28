// The folder in which a script runs: new, of this user only, and removed when the script has ended.
import { rmSync } from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folders that are there now. */
const present = new Set<string>();

function removeAll() {
  for (const folder of present) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // This process ends: what cannot be removed stays.
    }
  }
}

export async function makeWorkspace(root?: string): Promise<string> {
  // Its mode is 0700.
  // Real, because Node grants permission for paths, not for what they lead to.
  const folder = await fs.mkdtemp(join(await fs.realpath(root ?? tmpdir()), "apex-skill-"));
  if (present.size === 0) process.on("exit", removeAll);
  present.add(folder);
  return folder;
}

/** Gives back the permissions that a script took from its own folders. */
async function open(folder: string): Promise<void> {
  await fs.chmod(folder, 0o700);
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await open(join(folder, entry.name));
  }
}

/** Removes it; false if something of it is still there. */
export async function removeWorkspace(folder: string): Promise<boolean> {
  const remove = () => fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
  let isGone = true;
  try {
    await remove().catch(() => open(folder).then(remove));
  } catch {
    isGone = false;
  }
  present.delete(folder);
  if (present.size === 0) process.off("exit", removeAll);
  return isGone;
}
