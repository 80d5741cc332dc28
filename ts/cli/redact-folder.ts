// `redact FOLDER`: a copy of each run of a folder in another one; or what each file has that should not be shared.
import { randomUUID } from "node:crypto";
import { mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Transcript } from "apex-parts";
import { isApexPartsError } from "apex-parts";
import { oneLine } from "./colour.ts";
import { copyOf, hasOwnForm } from "./copy.ts";
import type { FolderRun, OtherFile } from "./folder-runs.ts";
import { eachRun } from "./folder-runs.ts";
import type { Values } from "./options.ts";
import { writeWhole } from "./out-file.ts";
import { CliError, faultOf, print, tellLost } from "./output.ts";
import { redactorOf, tellUnused } from "./redactor.ts";
import { filesRead, printSecrets, secretsIn } from "./secret-list.ts";
import { MOST_FILES } from "./transcript-files.ts";
import { plural } from "./units.ts";

/** A copy that is written and has no name yet. */
interface WrittenCopy {
  temporary: string;
  /** The name of the run's file in its folder. */
  name: string;
  /** Whether the copy is of another form than the file. */
  isNewForm: boolean;
}

/** The path without links, also of what does not exist yet. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(realPath(above), basename(whole));
  }
}

/** Whether a path is that of a folder or of something in it. */
const isIn = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);

/** The name with another ending. */
function asJson(name: string): string {
  const slash = name.lastIndexOf("/");
  const dot = name.lastIndexOf(".");
  return dot > slash + 1 ? `${name.slice(0, dot)}.json` : `${name}.json`;
}

/** The name of each copy: where two would have one, each keeps that of its file, with `.json` behind it. */
export function copyNames(copies: readonly Pick<WrittenCopy, "name" | "isNewForm">[]): string[] {
  const names = copies.map(({ name, isNewForm }) => (isNewForm ? asJson(name) : name));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    const places = new Map<string, number[]>();
    // There are file systems to which capital letters are the same.
    for (const [at, name] of names.entries()) {
      const key = name.toLowerCase();
      places.set(key, [...(places.get(key) ?? []), at]);
    }
    for (const at of [...places.values()].filter((same) => same.length > 1).flat()) {
      const whole = `${copies[at]?.name}.json`;
      isChanged ||= names[at] !== whole;
      names[at] = whole;
    }
  }
  return names;
}

/** The format of JSON Lines is not that of a copy, which is one array. */
function isNewForm(transcript: Transcript, run: FolderRun, own: Uint8Array | undefined): boolean {
  if (run.files.length > 1 || !hasOwnForm(transcript)) return true;
  const first = own?.find((byte) => byte > 32 && byte < 0x80);
  return transcript.format === "with-parts" && first !== "[".charCodeAt(0);
}

/** Says which files were not read, and why. */
function tellOthers(others: readonly OtherFile[]): void {
  for (const { file, reason } of others) {
    process.stderr.write(`${oneLine(file)}: not copied: ${oneLine(reason)}\n`);
  }
}

/** What is said of a session that cannot be written; other errors are thrown. */
function whyNot(error: unknown): string {
  if (error instanceof CliError || isApexPartsError(error)) return error.message;
  throw error;
}

async function listFolder(folder: string, values: Values): Promise<number> {
  const all: { path: string; findings: unknown }[] = [];
  const look = (transcript: Transcript, { name, files }: FolderRun) => {
    const redactor = redactorOf(values);
    try {
      const paths = files.map(({ path }) => path);
      const found = secretsIn(transcript, undefined, redactor, filesRead(paths));
      all.push({ path: name, findings: found.findings });
      if (values.json) return;
      print(oneLine(name));
      printSecrets(found);
    } finally {
      redactor.free();
    }
  };
  const { others } = await eachRun(folder, values, look);
  if (values.json) print(JSON.stringify(all, null, 2));
  for (const { file, reason } of others) {
    process.stderr.write(`${oneLine(file)}: not read: ${oneLine(reason)}\n`);
  }
  return all.length > 0 ? 0 : 1;
}

/** Gives the copies their names. Returns how many could not be given one. */
function nameCopies(copies: readonly WrittenCopy[], source: string, target: string): number {
  let failed = 0;
  for (const [at, name] of copyNames(copies).entries()) {
    const temporary = copies[at]?.temporary ?? "";
    const path = join(target, ...name.split("/"));
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (isIn(realPath(dirname(path)), source)) {
        throw new CliError("it is in the folder that is read", 2);
      }
      renameSync(temporary, path);
    } catch (error) {
      failed++;
      process.stderr.write(`${oneLine(path)}: not written: ${faultOf(error).message}\n`);
    }
  }
  return failed;
}

export async function redactFolder(folder: string, values: Values): Promise<number> {
  if (values.session !== undefined) throw new CliError("--session is for one file", 2);
  if (values.list) return await listFolder(folder, values);
  const { out } = values;
  if (out === undefined || out === "-") {
    throw new CliError(`${folder}: it is a folder: -o FOLDER2 names the one for the copies`, 2);
  }
  const source = realPath(folder);
  const target = realPath(out);
  if (isIn(target, source)) {
    throw new CliError(`${out}: it is the folder that is read, or in it; name another one`, 2);
  }
  try {
    mkdirSync(target, { recursive: true });
  } catch (error) {
    throw new CliError(`${out}: ${faultOf(error).message}`, 2);
  }
  const redactor = redactorOf(values);
  const copies: WrittenCopy[] = [];
  let failed = 0;
  const look = async (transcript: Transcript, run: FolderRun) => {
    const temporary = join(target, `.${randomUUID()}.tmp`);
    const [own] = run.files.length === 1 && hasOwnForm(transcript) ? filesRead([run.path]) : [];
    copies.push({ temporary, name: run.name, isNewForm: isNewForm(transcript, run, own) });
    try {
      await writeWhole(temporary, copyOf(transcript, run.name, redactor, own));
      tellLost(transcript, run.name);
    } catch (error) {
      copies.pop();
      failed++;
      rmSync(temporary, { force: true });
      process.stderr.write(`${oneLine(run.name)}: not written: ${whyNot(error)}\n`);
    }
  };
  try {
    const { others, more } = await eachRun(folder, values, look);
    failed += nameCopies(copies, source, target);
    tellOthers(others);
    tellUnused(redactor, values);
    if (more) {
      process.stderr.write(`there are more: only ${plural(MOST_FILES, "file")} are opened\n`);
    }
    if (failed > 0) return 2;
    return copies.length > 0 ? 0 : 1;
  } finally {
    for (const { temporary } of copies) rmSync(temporary, { force: true });
    redactor.free();
  }
}
