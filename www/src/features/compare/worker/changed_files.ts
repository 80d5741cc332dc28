import { type Fields, fields, list, text } from "../../../worker/fields";
import { TOOLS } from "../../tools/model";

/** More files than these are not told apart. */
const MOST = 20_000;
const CHANGING: ReadonlySet<string> = new Set([...TOOLS.edit.names, ...TOOLS.write.names]);
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** The files that a run changed, as its calls and patches name them. */
export class ChangedFiles {
  private readonly paths = new Set<string>();

  get count(): number {
    return this.paths.size;
  }

  add(part: Fields): void {
    if (part.type === "patch") {
      for (const file of list(part.files)) this.put(text(file));
      return;
    }
    const state = fields(part.state);
    const tool = text(part.tool)?.toLowerCase() ?? "";
    if (part.type !== "tool" || state?.status !== "completed" || !CHANGING.has(tool)) return;
    const input = fields(state.input) ?? {};
    this.put(text(input.filePath) ?? text(input.file_path) ?? text(input.path));
    const patch = text(input.patchText) ?? text(input.patch) ?? "";
    for (const [, path] of patch.matchAll(PATCHED)) this.put(path?.trim());
  }

  private put(path: string | undefined): void {
    if (path && this.paths.size < MOST) this.paths.add(path.replace(/^\.\//, ""));
  }
}
