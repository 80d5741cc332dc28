// What the module has for the sources here alone. The Rust source leaves it out of the declarations of the package
// (`skip_typescript` in src/wasm/), so nothing generates it.
import "apex-parts:glue";

declare module "apex-parts:glue" {
  interface DeltaAssembler {
    /** The bytes of the deltas after one number and up to another, as `takeDeltas` gave them. */
    storeAgain(after: number, to: number): Uint8Array;
    /** Nobody will ask again for deltas up to this number. */
    storeForget(to: number): void;
  }

  // Of skills (src/wasm/api/skills.rs).
  /** The document of a `SKILL.md`; `isSame` tells whether two names are one. */
  export function toolsSkillParse(
    markdown: string | Uint8Array,
    dirName: string | undefined,
    isStrict: boolean,
    maxBytes: number,
    isSame: (a: string, b: string) => boolean,
  ): SkillDocument;
  /** The document of a file that is not read, for this reason. */
  export function toolsSkillRefused(why: string): SkillDocument;
  export function toolsSkillListing(
    names: string[],
    descriptions: string[],
    maxChars: number,
    isMarkdown: boolean,
    recent: string[],
  ): { text: string; cut: { name: string; kept: number }[]; nameOnly: string[]; hidden: string[] };

  /** The instructions of a skill with the names of its files around them. */
  export function toolsSkillDirect(
    body: string,
    name: string,
    dir: string,
    files: string[],
    filesCut: boolean,
    wrap: "auto" | "always" | "never",
  ): string;

  // Of requests (src/wasm/api/requests.rs).
  /** SHA-256 of a string's UTF-8, in hexadecimal. */
  export function toolsSha256(text: string): string;

  // Of tools and permissions (src/wasm/api/tools.rs, tool_texts.rs).
  export class ToolsRules {
    /** Adds a rule at the end; false if it is not one. */
    add(permission: unknown, pattern: unknown, action: unknown): boolean;
    /** The index of the last rule that matches; -1 if none does. */
    last(permission: string, pattern: string): number;
    /** Whether a tool is off. */
    isOff(tool: string): boolean;
    free(): void;
  }
  /** The rules and approvals that hold for a request. */
  export class ToolsPermissions {
    add(rules: ToolsRules): void;
    approve(permission: string, pattern: string): void;
    /** For a shell that has variables of these names. */
    within(names: string[]): void;
    /**
     * The index of a pattern that is denied, the text of a command that is denied, or the indexes of the patterns that
     * are asked: -1 alone is the whole text.
     */
    decide(
      permission: string,
      patterns: string[],
      whole: string | undefined,
    ): number | string | number[];
    /** What decides about a bash command line. */
    reason(text: string): ShellReason;
    /** `asked` has the text of each command. */
    shell(
      text: string,
    ): [action: Permission.Action, reason: ShellReason, opaque: boolean, asked: string[]];
    free(): void;
  }
  /**
   * The text that needs no permission, -1 for no rule, or a rule: its index and 2²⁰ times that of its ruleset, twice,
   * and one if it may match.
   */
  export type ShellReason = string | number;
  export class ToolsSchema {
    private constructor();
    /** Throws a string that says what is wrong. */
    static compile(schema: unknown): ToolsSchema;
    /** The keywords that are ignored. */
    unknown(): string[];
    signature(): string;
    check(
      value: unknown,
      pattern: (expression: string, text: string) => boolean,
    ): SchemaIssue[] | undefined;
  }
  export interface SchemaIssue extends Tool.Issue {
    /** How a value that a model wrote almost right is repaired. */
    repair?: "number" | "boolean" | "parse" | "remove" | "wrap";
  }
  export function toolsExpandHome(pattern: string, home: string): string;
  export function toolsMatch(text: string, wildcard: string, isWindows: boolean): boolean;
  /** The second name of the permission of a built-in tool. */
  export function toolsOtherName(permission: string): string | undefined;
  /** The indexes of the nearest names. */
  export function toolsNearest(
    wanted: string,
    names: readonly string[],
    most: number,
  ): ArrayLike<number> & Iterable<number>;
  /** What a bash command line asks for; `environment` has the names of the shell's variables, if they are known. */
  export function toolsShell(
    command: string,
    cwd: string,
    home: string,
    isInside: (path: string) => boolean,
    environment: string[] | undefined,
  ): ShellReading;
  export interface ShellReading extends Permission.ShellRequest {
    commands: (Permission.ShellRequest["commands"][number] & { opaque?: boolean })[];
    /** The files that redirects write to. */
    writes: string[];
    /** Words with wildcards: of folders that are named, and of files. */
    globs: string[];
    fileGlobs: string[];
    /** Paths with `..` that links may lead elsewhere. */
    climbs: string[];
    /** Paths that commands may read as files, with their `..` and globs. */
    reads: string[];
    /** Folders that programs go through, behind two characters that say what counts there. */
    walks: string[];
  }
  /** What is kept, and how much is not; undefined if all of it is kept. */
  export function toolsTruncate(
    text: string,
    lines: number,
    bytes: number,
    isTail: boolean,
  ): [kept: string, lines: number, bytes: number] | undefined;
  export function toolsLineFeeds(bytes: Uint8Array): number;
  /** The sentence for what is left out; `path` is "" if the whole was not saved. */
  export function toolsNote(lines: number, bytes: number, path: string, isCut: boolean): string;
  /** What is seen of a text, and how much is not; undefined if all of it is seen. */
  export function toolsVisible(text: string): [text: string, removed: number] | undefined;

  // Of the built-in tools (src/wasm/api/builtins.rs).
  /** A difference, as a unified diff. */
  export interface DiffOfFile {
    patch: string;
    additions: number;
    deletions: number;
  }
  export interface EditedFile extends DiffOfFile {
    bytes: Uint8Array;
    /** By which of its rules the text was found. */
    level: number;
    line: number;
    endLine: number;
    count: number;
    output: string;
    refused?: undefined;
  }
  /** `refused` is the sentence that says why nothing was changed. */
  export function toolsEdit(
    bytes: Uint8Array,
    old: string,
    next: string,
    isAll: boolean,
    path: string,
    diffPath: string,
  ): EditedFile | { refused: string };
  export function toolsDiff(path: string, old: Uint8Array, next: Uint8Array): DiffOfFile;
  /** A page begins after the end; a sentence says so. */
  export interface PastEnd {
    pastEnd: string;
  }
  export interface PageOfFile {
    output: string;
    text: string;
    preview: string;
    lineStart: number;
    lineEnd: number;
    totalLines: number;
    truncated: boolean;
    stoppedAtBytes: boolean;
    eol?: string;
    finalNewline?: boolean;
    bom: boolean;
    encoding: string;
    pastEnd?: undefined;
  }
  export class ToolsPage {
    /** At most `limit` lines from line `offset` on. */
    constructor(offset: number, limit: number);
    push(bytes: Uint8Array): void;
    /** The hash of all that was pushed. */
    hash(): string;
    finish(path: string): PageOfFile | PastEnd;
    free(): void;
  }
  export interface PageOfDirectory {
    output: string;
    entries: string[];
    offset: number;
    total: number;
    truncated: boolean;
    pastEnd?: undefined;
  }
  /** `names` of directories end with `/`. */
  export function toolsDirectory(
    path: string,
    names: string[],
    offset: number,
    limit: number,
  ): PageOfDirectory | PastEnd;
  /** What a file is by its first bytes. */
  export function toolsFileType(head: Uint8Array): {
    isBinary: boolean;
    name?: string;
    mime?: string;
    isAttachment?: boolean;
  };
  export function toolsBinaryMessage(path: string, size: number, head: Uint8Array): string;
  export class ToolsHash {
    push(bytes: Uint8Array): void;
    value(): string;
    free(): void;
  }
  export class ToolsGlob {
    private constructor();
    /** With `[` and `]` as they stand if `isLiteral`. Throws a string that says what is wrong. */
    static compile(pattern: string, isLiteral: boolean): ToolsGlob;
    matches(path: string): boolean;
    /** Whether the glob tool lists a file. */
    lists(path: string): boolean;
    hasClass(): boolean;
    isNegated(): boolean;
    free(): void;
  }
  /** A pattern as one of paths below a directory. */
  export function toolsRelativePattern(pattern: string, directory: string): string;
  /** The ignore files of a tree; folders are relative to its root, which is "". */
  export class ToolsIgnore {
    add(folder: string, name: string, text: string): void;
    addRepository(folder: string): void;
    /** 1 for each entry that a walk does not pass over; `names` are separated by `/`. */
    keep(folder: string, names: string, directories: Uint8Array, entersHidden: boolean): Uint8Array;
    free(): void;
  }
  /** A page as Markdown; `resolve` makes the target of a link absolute. */
  export function toolsMarkdown(
    page: string,
    resolve: (target: string) => string | undefined,
  ): string;
  export function toolsText(page: string): string;
  /** What the page says its links are relative to. */
  export function toolsBase(page: string): string | undefined;

  // Of MCP servers (src/wasm/api/mcp.rs, mcp_content.rs).
  /** The name of a server's tool for a model, with a hash or without. */
  export function toolsMcpName(
    client: string,
    tool: string,
    maxLength: number,
    isHashed: boolean,
  ): string;
  /** The URI, or the rule that is broken and why. */
  export function toolsMcpFormatUri(
    server: string,
    path: string,
  ): string | [rule: string, why: string];
  /** The server and the path; with `true` the rule that is broken and why. */
  export function toolsMcpParseUri(uri: string): [first: string, second: string, isFault?: true];
  /** What a definition is, given as JSON. */
  export function toolsMcpDefinition(
    json: string,
    dialect: string,
  ): {
    description?: string;
    /** As JSON. */
    parameters: string;
    fingerprint: string;
    isLeftOut: boolean;
    needsTask: boolean;
    problems: Problem[];
  };
  /** What a result is: files say of their base64 which it was (`data`), or have their URL. */
  export function toolsMcpContent(
    head: string,
    items: string,
    structured: string,
  ): Omit<McpParts, "attachments" | "resources"> & {
    attachments: McpFile[];
    resources: McpFile[];
  };
  export interface McpFile {
    mime: string;
    filename?: string;
    url?: string;
    data: number;
    source?: FilePart["source"];
  }
  export function toolsMcpNewId(): string;

  // Of compaction (src/wasm/api/compaction.rs, compaction_of_transcript.rs): plans in columns.
  type CacheColumn = [prefix: number, rewritten: number, saved: number, breakEven: number];
  export type PruneColumns = [
    runs: unknown,
    saved: number,
    cache: CacheColumn,
    fingerprint: string,
  ];
  export type OutputColumns = [
    tokens: ArrayLike<number>,
    /** JSON of ids. */
    messages: Uint8Array,
    parts: Uint8Array,
  ];
  export type PlanColumns = [
    indices: unknown,
    /** The numbers of actions. */
    kinds: ArrayLike<number>,
    tokens: ArrayLike<number>,
    totals: [before: number, after: number, fits: number],
    cache: CacheColumn,
    tailStartID: string | undefined,
    previousSummary: string | undefined,
    fingerprint: string,
    pinned: CompactionPlan["pinned"],
    problems: Problem[],
    /** The name of each action and why it is taken, in turn. */
    actions: string[],
  ];
  interface Transcript {
    compactionPrune(config: unknown): PruneColumns;
    compactionPlan(input: unknown): PlanColumns;
    compactionOutputs(runs: unknown): OutputColumns;
    compactionIDs(indices: unknown): Uint8Array;
    /** The first and the end of each run of messages that are sent. */
    compactionRuns(): ArrayLike<number>;
  }
  export function compactionUsable(input: unknown): number;
  export function compactionIsOverflow(input: unknown): boolean;
  export function compactionCheck(list: unknown, input: unknown): ContextCheck;
  export function compactionEstimate(list: unknown, input: unknown): Estimate;
  export function compactionPrune(
    list: unknown,
    config: unknown,
  ): [columns: PruneColumns, outputs: OutputColumns];
  export function compactionPlan(
    list: unknown,
    input: unknown,
  ): [columns: PlanColumns, ids: Uint8Array];
  export function compactionRequest(list: unknown, plan: unknown, options: unknown): UIMessage[];
  export function compactionFilter(list: unknown): WithParts[];
  export function compactionApplyPrune(list: unknown, plan: unknown, now: unknown): WithParts[];
  export function compactionApplySummary(
    list: unknown,
    plan: unknown,
    text: unknown,
    meta: unknown,
  ): WithParts[];
  export function compactionApplyTruncation(
    list: unknown,
    plan: unknown,
    meta: unknown,
  ): WithParts[];
  export function compactionUndo(list: unknown, target: unknown): WithParts[];

  // Of sessions of OpenCode (src/wasm/api/opencode.rs); `given` are the options as JSON.
  export class OpenCodeWriter {
    private constructor();
    static ofMessages(messages: WithParts[], given: string): OpenCodeWriter;
    /** Of messages of a transcript, whose ids they get; undefined if they are not its own any more. */
    static ofMessagesFrom(
      messages: WithParts[],
      transcript: Transcript,
      given: string,
    ): OpenCodeWriter | undefined;
    /** Undefined if there is no such session. */
    static ofTranscript(transcript: Transcript, given: string): OpenCodeWriter | undefined;
    static problemsOf(transcript: Transcript, isSecond: boolean): Problem[];
    info(): string;
    /** The next message as JSON, of messages and of a transcript. */
    next(): string | undefined;
    nextOf(transcript: Transcript): string | undefined;
    /** What was left out: names of fields and how often, as JSON. */
    lost(): string;
    free(): void;
  }
}
