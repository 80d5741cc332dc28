// The types of the built-in tools: the host, which does what touches a machine.
import type { OutputStore, Permission, Tool } from "apex-parts:glue";

/** What is at a path. */
export interface FileStat {
  /** `link` only from `lstat`; `other` is a device, a FIFO or a socket. */
  kind: "file" | "directory" | "link" | "other";
  /** In bytes. */
  size: number;
  /** When it was changed, in milliseconds since 1970. */
  mtimeMs: number;
  /** The same for the same file as long as it exists (device and inode): tells whether it was replaced. */
  id?: string;
  /** How many names the file has (hard links), where the host tells. */
  links?: number;
}

/**
 * Files. Paths are absolute, with `/` between names. An operation that fails rejects with an Error whose `code`
 * is as in Node: `ENOENT` (nothing there), `ENOTDIR` (a file where a directory must be), `EACCES`, `ELOOP`, …
 */
export interface FileSystem {
  /**
   * The path without links; rejects with `ENOENT` if nothing is there.
   * @param path - The path.
   * @returns An absolute path.
   */
  realpath(path: string): Promise<string>;
  /**
   * What is there; of a link, what it leads to.
   * @param path - The path.
   * @returns What is there.
   */
  stat(path: string): Promise<FileStat>;
  /**
   * What is there, the link itself if it is one.
   * @param path - The path.
   * @returns What is there.
   */
  lstat(path: string): Promise<FileStat>;
  /**
   * What a link says, as it is written.
   * @param path - The path of the link.
   * @returns The path in it.
   */
  readlink(path: string): Promise<string>;
  /**
   * The entries of a directory, in any order. With `id`, which is that of a real path, it rejects with `ESTALE` if
   * another directory, or a link above it, is there now.
   * @param path - The path of the directory.
   * @param options - Which directory it must be.
   * @returns Names without a path.
   */
  readdir(
    path: string,
    options?: { id?: string },
  ): Promise<{ name: string; kind: FileStat["kind"] }[]>;
  /**
   * The bytes of a regular file, in pieces; its last name is not followed if it is a link. With `id`, which is
   * that of a real path, it rejects with `ESTALE` if another file, or a link above it, is there now. Stopping the
   * iteration closes the file.
   * @param path - The path of the file.
   * @param options - Which file it must be.
   * @returns The bytes.
   */
  read(path: string, options?: { id?: string }): AsyncIterable<Uint8Array>;
  /**
   * The whole bytes of several small files, as `read` gives them, one after another at the front of a buffer: a search
   * of thousands of files takes a fraction of the time. It may be left out.
   * @param paths - The paths of the files.
   * @param buffer - Where the bytes are put.
   * @returns The size of each file, in order; -1 for one that is left to `read`: it is not small, is not a regular file or
   * cannot be read. They are fewer than the paths where the buffer has no room for the next file.
   */
  readSmall?(paths: string[], buffer: Uint8Array): Promise<number[]>;
  /**
   * Puts a file in place, whole or not at all, and makes the directories above it. Owner and mode of a file that
   * is replaced stay. With `id`, which is that of a real path, it rejects with `ESTALE` if another file, or a link
   * above it, is there now; with `id: null`, if anything is.
   * @param path - The path of the file.
   * @param bytes - All that is to be in it.
   * @param options - Which file it must replace. `inPlace`: the file that is there gets the bytes, so that its other
   * names have them too; that is not atomic. Only asked of a host that tells `links`.
   * @returns Nothing, when it is in place.
   */
  write(
    path: string,
    bytes: Uint8Array,
    options?: { id?: string | null; inPlace?: boolean },
  ): Promise<void>;
}

/** How a command has ended. */
export interface ShellEnd {
  /** The exit code; `null` if a signal ended it. */
  exit: number | null;
  /** The name of the signal, as `SIGKILL`. */
  signal?: string;
  /** It ended, but something that it started still has its output open. */
  detached?: boolean;
  /** It was stopped because its time was over. */
  timedOut?: boolean;
  /** It was stopped because `abort` fired. */
  aborted?: boolean;
}

/** Runs commands. */
export interface Shell {
  /**
   * Runs a command in a new shell with empty input, in its own process group. `onOutput` gets standard output
   * and standard error in order of arrival; `stream` tells them apart, where they are not one, so that characters
   * in pieces are put together. After `timeoutMs`, and on abort, the group gets SIGTERM and three seconds later
   * (on abort a little earlier: its result must be there by then) SIGKILL. Rejects if no shell can be started.
   * @param command - The command.
   * @param options - The directory, the time in milliseconds, and who gets the output.
   * @returns How it ended.
   */
  run(
    command: string,
    options: {
      cwd: string;
      timeoutMs: number;
      abort: Tool.Abort;
      onOutput(bytes: Uint8Array, stream?: "stdout" | "stderr"): void;
    },
  ): Promise<ShellEnd>;
  /**
   * The variables that a command in this directory gets. Where it is left out, a command that sets a variable of its
   * own asks for it.
   * @param cwd - The directory.
   * @returns The variables by name.
   */
  environment?(cwd: string): Record<string, string | undefined>;
  /** The shell's name, for the description of the tool: `bash` unless given. */
  readonly name?: string;
  /**
   * Runs a program without a shell and gives its output in pieces: ripgrep. Left out where no processes are.
   * @param program - The path of the program.
   * @param args - Its arguments.
   * @param options - The directory, and who gets the output; `false` from `onOutput` stops it.
   * @returns How it ended.
   */
  spawn?(
    program: string,
    args: string[],
    options: {
      cwd: string;
      abort: Tool.Abort;
      // biome-ignore lint/suspicious/noConfusingVoidType: a function without a result will do
      onOutput(bytes: Uint8Array): boolean | void;
    },
  ): Promise<{ exit: number | null; signal?: string; stderr: string }>;
}

/** A standard `Response`, or its shape where the program's lib has none. */
export type FetchResponse = typeof globalThis extends { Response: { prototype: infer T } }
  ? T
  : {
      readonly status: number;
      readonly statusText: string;
      readonly headers: { get(name: string): string | null };
      readonly body: unknown;
    };

/** Searches the web, or code. */
export interface SearchProvider {
  /**
   * Searches.
   * @param query - The words.
   * @param options - The most results.
   * @returns The results, the best first.
   */
  search(
    query: string,
    options: { limit: number; abort: Tool.Abort },
  ): Promise<{ title: string; url: string; text: string }[]>;
}

/** An entry of a to-do list. */
export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "completed" | "cancelled";
  priority: "high" | "medium" | "low";
  id?: string;
}

/** The to-do lists of sessions. */
export interface TodoStore {
  /**
   * The list of a session; empty if it has none.
   * @param sessionID - The id of the session.
   * @returns The list.
   */
  get(sessionID: string): Todo[] | Promise<Todo[]>;
  /**
   * Replaces the list of a session.
   * @param sessionID - The id of the session.
   * @param todos - The new list.
   * @returns Nothing, when it is kept.
   */
  set(sessionID: string, todos: Todo[]): void | Promise<void>;
}

/** What the task tool hands to the program. */
export interface TaskRequest {
  sessionID: string;
  messageID: string;
  /** The agent that is to do it. */
  agent: string;
  description: string;
  prompt: string;
  /** An earlier task to go on with. */
  taskID?: string;
  /**
   * 1 for the task of a session that is not a task itself. The calls of the task's session get it as
   * `extra: { depth }`: that is how deep a task that they start is known to be.
   */
  depth: number;
  abort: Tool.Abort;
  /**
   * To be put after the rules of the agent: what the parent may not do, its rules for `external_directory`, and
   * no `todowrite` or `task` unless the agent's own rules (`Host.agentRules`) have that permission.
   */
  rules: Permission.Ruleset;
}

/** What the built-in tools work on. Every member can be replaced alone. */
export interface Host {
  /** Relative paths are taken from here; absolute, with `/` between names. */
  directory: string;
  /** What else needs no extra permission: the whole working copy. */
  worktree?: string;
  home?: string;
  fs: FileSystem;
  shell: Shell;
  /**
   * As the standard `fetch`, with redirects not followed. `address` is the address that was checked, to which it
   * must connect.
   * @param url - The URL.
   * @param init - The request.
   * @returns The response.
   */
  fetch(
    url: string,
    init: {
      address?: string;
      method?: string;
      headers?: Record<string, string>;
      redirect?: "manual";
      credentials?: "omit";
      signal?: Tool.Abort;
    },
  ): Promise<FetchResponse>;
  /**
   * All addresses of a name. Without it, web-fetch refuses only addresses that are written in a URL, and the
   * names of this machine.
   * @param host - The name.
   * @returns Addresses, of version 4 and 6.
   */
  resolve?(host: string): Promise<string[]>;
  /** The path of ripgrep; `null`: search without it. */
  rgPath?: string | null;
  search?: SearchProvider;
  codeSearch?: SearchProvider;
  /** In memory unless given. */
  todos?: TodoStore;
  /**
   * Starts another agent; rejects with the list of agents if it does not know this one.
   * @param request - The task.
   * @returns The session of the task, and its answer.
   */
  runTask?(request: TaskRequest): Promise<{ sessionID: string; text: string; model?: unknown }>;
  /**
   * The rules that belong to an agent. Without them no task may start another or write to-do lists.
   * @param agent - The name of the agent.
   * @returns Its rules; `undefined` if it has none.
   */
  agentRules?(
    agent: string,
  ): Permission.Ruleset | undefined | Promise<Permission.Ruleset | undefined>;
  /** How deep tasks may be nested; 1 unless given: a task starts no other. */
  maxTaskDepth?: number;
  /** The time, in milliseconds since 1970. */
  clock: { now(): number };
  /** `opencode`: the tools have OpenCode's names (`webfetch`, `todowrite`, …). */
  names?: "seed" | "opencode";
  /** Whether a file must have been read before it is overwritten: `require` unless given. */
  guard?: "require" | "warn" | "off";
  /** Where whole outputs are put that are too long for a model: the store of the registry unless given. */
  store?: OutputStore;
}
