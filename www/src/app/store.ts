import { WorkerClient } from "../core/client";
import type { CompactionView } from "../core/model/compactions";
import type { Growth, Overview } from "../core/model/overview";
import type { Place } from "../core/model/row_map";
import {
  dropLink,
  type Link,
  linkHash,
  moveEvent,
  named,
  readLink,
  sourceFromAddress,
  writeLink,
} from "../core/page/address";
import type {
  Move,
  OpenOptions,
  Page,
  PageState,
  SelectOptions,
  Stores,
} from "../core/page/context";
import { type Feature, withStores } from "../core/page/feature";
import type { ReadingNews, Source } from "../core/rpc";
import { OpenDocument } from "../core/store/document";
import { FEATURES } from "../features/page";
import { Store } from "../ui/store";
import { Folding } from "./folding";
import { canFetch, opensFiles, shared, shell, startWorker, wasm } from "./host/files";
import { Links } from "./links";
import { PageAddress } from "./page_address";
import { Panels } from "./panels";
import { NO_CONNECTIONS, sentence } from "./refusal";
import { sampleNamed, sampleSource } from "./samples";

/** What views of features take of the page itself. */
declare module "../core/page/context" {
  interface Page {
    readonly panels: Panels;
    readonly folding: Folding;
    readonly links: Links;
    formats(): Promise<string[]>;
    jump(row: number, options?: { folded?: boolean; failure?: boolean }): void;
    move(by: Move, direction: 1 | -1): void;
  }
}

/** The page's state and everything that can be done with it: the object that all views share. */
export class Viewer implements Omit<Page, keyof Stores> {
  readonly store = new Store<PageState>({
    started: false,
    selected: -1,
    reveal: { focus: false },
    current: 0,
    tab: "rendered",
    pane: "transcript",
    inspecting: false,
    problemsOpen: false,
    compact: false,
  });
  readonly panels = new Panels(this);
  readonly folding = new Folding(this);
  readonly links = new Links(this);
  private readonly client = new WorkerClient(WORKER);
  /** The same, with the stores of all features. */
  readonly page: Page;
  private readonly address: PageAddress;
  private opening = 0;
  /** The transcript that is shown while the rest of its file is read. */
  private reading: OpenDocument | undefined;
  /** The page brings the open transcript along. */
  private isShared = false;

  /** Without a page to itself (beside another, or in an element) it keeps off address and title. */
  constructor(readonly hasPage = true) {
    this.page = withStores(this, FEATURES.all, {
      client: this.client,
      anotherClient: () => new WorkerClient(WORKER),
      anotherPage: () => new Viewer(false).page,
      shell,
    });
    this.address = new PageAddress(hasPage, () =>
      FEATURES.all.flatMap(({ stays }) => stays?.(this.page) || []).join("&"),
    );
    let drawn = 0;
    this.client.onOpened = (opened) => this.goOn(opened);
    this.client.onProgress = (read, total) => {
      const { progress } = this.store.get();
      const now = performance.now();
      if (!progress || now - drawn < 100) return;
      drawn = now;
      this.store.set({ progress: { ...progress, read, total } });
    };
  }

  /**
   * Opens what the address names. Where it names nothing, or something that cannot be opened, nothing is open:
   * the page shows the ways to open something.
   */
  async start(): Promise<void> {
    try {
      await this.openNamed();
    } finally {
      this.store.set({ started: true });
    }
  }

  private async openNamed(): Promise<void> {
    const own = await shared();
    if (own) {
      this.isShared = true;
      this.isShared = await this.open({ kind: "file", file: own }, { keepAddress: true });
      return;
    }
    const file = named(location, "file");
    if (file !== undefined) {
      this.store.set({ awaited: file });
      return;
    }
    moveEvent();
    const address = named(location, "src");
    const sample = canFetch || address === undefined ? undefined : sampleNamed(address);
    const asked = FEATURES.all.find(
      ({ addressed }) => addressed && named(location, addressed.field),
    );
    if ((asked || address) && !canFetch && !sample) return this.refuse(NO_CONNECTIONS);
    const src = canFetch ? sourceFromAddress(address, document.baseURI) : undefined;
    const { addressed } = asked ?? {};
    if (addressed && canFetch) {
      return addressed.open(this.page, named(location, addressed.field) ?? "", src);
    }
    if (src && "error" in src) return this.refuse(src.error);
    const source = src?.source ?? (sample && (await sampleSource(sample)));
    if (source && !(await this.open(source, { keepAddress: true }))) return;
    for (const each of FEATURES.all) await each.whenStarted?.(this.page, Boolean(source));
  }

  /** The names of the formats that can be read. */
  formats(): Promise<string[]> {
    return this.client.call("formats");
  }

  /** Ends its worker; nothing can be asked of it any more. */
  close(): void {
    this.opening++;
    this.client.close();
  }

  async open(source: Source, options: OpenOptions = {}): Promise<boolean> {
    const name = source.kind === "file" ? source.file.name : source.name;
    const facts = await this.opens(name, () => this.client.open(source), options);
    if (!facts) return false;
    const { awaited } = this.store.get();
    // The file that the link was made from: what else the link says holds for it.
    const isAwaited = source.kind === "file" && awaited === name;
    if (!options.keepAddress && !isAwaited) this.address.name(source, name);
    if (options.alone) this.each((feature) => feature.whenAlone?.(this.page));
    const doc = this.show(facts);
    if (facts.reading) {
      doc.growing = true;
      this.reading = doc;
      return true;
    }
    // The rows in view come first; mostly they came along.
    setTimeout(() => void this.findLoops(doc));
    return true;
  }

  /** More of the file was read that is shown already. */
  private goOn(opened: ReadingNews): void {
    const doc = this.reading;
    if (!doc || this.store.get().doc !== doc) return;
    doc.growing = !opened.last;
    if ("growth" in opened) this.grow(doc, opened.growth);
    if (!opened.last) return;
    this.reading = undefined;
    const error =
      "error" in opened ? `Only the beginning could be read. ${opened.error}` : undefined;
    this.store.set({ progress: undefined, ...(error ? { error } : {}) });
    // The place that the address names may not have been there yet.
    if (this.store.get().selected < 0) this.followLink();
    void this.findLoops(doc);
  }

  /** What `open` gives; undefined if it fails, which is shown, or if something newer was opened. */
  async opens<T>(
    name: string,
    open: () => Promise<T>,
    options: OpenOptions = {},
  ): Promise<T | undefined> {
    const turn = ++this.opening;
    this.each((feature) => feature.whenOpening?.(this.page, options));
    this.store.set({
      progress: { name, read: 0, total: 0 },
      dialog: undefined,
      error: undefined,
    });
    try {
      const opened = await open();
      return turn === this.opening ? opened : undefined;
    } catch (error) {
      if (turn === this.opening) {
        // An address that names what was open before would bring that up again.
        if (!options.keepAddress) this.address.nothing();
        this.refuse(sentence(name, error));
      }
      return undefined;
    }
  }

  /** Nothing is open any more: who asked for one transcript must not take another for it. */
  refuse(error: string): void {
    this.clear();
    this.store.set({ error });
  }

  /** Nothing is open any more. */
  clear(): void {
    this.opening++;
    this.each((feature) => feature.whenAlone?.(this.page));
    this.reading = undefined;
    if (this.hasPage) {
      dropLink();
      document.title = NAME;
    }
    this.store.set(NOTHING);
    // It frees what it holds; that it holds nothing, or cannot start, is no further news.
    this.client.call("close").catch(() => {});
  }

  /** Shows a transcript that the worker has opened. */
  show(facts: Overview): OpenDocument {
    const doc = new OpenDocument(facts, this.client);
    doc.dense = this.store.get().compact;
    if (this.hasPage) {
      dropLink();
      document.title = pageTitle(facts);
    }
    this.store.set({
      doc,
      awaited: undefined,
      ...(facts.reading ? {} : { progress: undefined }),
      selected: -1,
      current: 0,
      tab: "rendered",
      pane: "transcript",
      problemsOpen: false,
      sheet: undefined,
    });
    this.followLink();
    return doc;
  }

  /** The open transcript is another now; what was selected stays so. */
  grow(doc: OpenDocument, growth: Growth): void {
    const { doc: open, selected, current } = this.store.get();
    if (open !== doc) return;
    const key = selected < 0 ? -1 : doc.keys.of(selected);
    const { title } = doc.facts;
    doc.grow(growth);
    const row = key < 0 ? -1 : doc.keys.row(key);
    if (this.hasPage && doc.facts.title !== title) document.title = pageTitle(doc);
    this.store.set({
      selected: row < doc.map.rows ? row : -1,
      current: Math.max(0, Math.min(current, doc.map.messages - 1)),
    });
  }

  /** Names what is open in the address, so that loading the page again opens it again. */
  showAddress(field: "src" | "live", url: string): void {
    this.address.show(field, url);
  }

  /** Asks for summary and loops; without them the transcript can still be read. */
  async findLoops(doc: OpenDocument): Promise<void> {
    const summary = await this.client.call("summary").catch(() => undefined);
    if (summary && this.store.get().doc === doc) {
      doc.setSummary(summary);
      if (this.hasPage) document.title = pageTitle(doc);
    }
    const loops = await this.client.call("loops").catch(() => undefined);
    if (loops && this.store.get().doc === doc) doc.setLoops(loops, this.store.get().selected);
  }

  /** Selects a row; `reveal` scrolls to it, `focus` moves the keyboard there too. */
  select(row: number, options: SelectOptions = {}): void {
    const { doc, selected } = this.store.get();
    if (!doc || row < 0 || row >= doc.map.rows) return;
    const isInside = doc.compactions.shown.foldedAt(row) !== undefined;
    if (isInside || (options.reveal && !options.folded)) doc.compactions.open(row);
    if (isInside) doc.repeats.open(row);
    this.store.set({
      ...(row === selected ? {} : { selected: row }),
      ...(options.reveal
        ? { reveal: { focus: options.focus ?? false, failure: options.failure ?? false } }
        : {}),
    });
    this.writeLink();
  }

  /** Keeps the address up with the selection and the search. */
  writeLink(): void {
    const { doc, selected } = this.store.get();
    if (!doc || !this.hasPage) return;
    const place = selected >= 0 ? doc.map.place(selected) : readLink(location.hash).place;
    writeLink(this.linkOf(place));
  }

  /** The whole address of a place. */
  linkTo(place: Place): string {
    const { origin, pathname, search } = location;
    return `${origin}${pathname}${search}${linkHash(this.linkOf(place))}`;
  }

  private linkOf(place: Place | undefined): Link {
    const link: Link = { regex: false, caseSensitive: false };
    this.each((feature) => Object.assign(link, feature.link?.(this.page)));
    return { ...link, place };
  }

  say(sentence: string): void {
    this.links.say(sentence);
  }

  /** Does the page's address alone bring this transcript up again? */
  isAddressed(): boolean {
    return this.isShared || named(location, "src") !== undefined;
  }

  jump(row: number, options: { folded?: boolean; failure?: boolean } = {}): void {
    this.store.set({ pane: "transcript", sheet: undefined });
    this.select(row, { reveal: true, focus: true, ...options });
  }

  /** Moves the selection; from the top of what is in view where nothing is selected yet. */
  move(by: Move, direction: 1 | -1): void {
    const { doc, selected, current } = this.store.get();
    if (!doc || FEATURES.all.some((each) => each.move?.(this.page, by, direction))) return;
    const from = selected >= 0 ? selected : doc.map.header(current) - 1;
    const row =
      by === "part"
        ? doc.step(from, direction)
        : by === "turn"
          ? doc.turn(from, direction)
          : by === "mark"
            ? doc.mark(from, direction)
            : doc.compaction(from, direction);
    // Part by part, what a compaction hid is passed over.
    if (row >= 0) this.jump(row, { folded: by === "part", failure: by === "mark" });
  }

  private each(run: (feature: Feature) => void): void {
    for (const feature of FEATURES.all) run(feature);
  }

  goToSession(id: string): void {
    const hash = linkHash({ session: id, regex: false, caseSensitive: false });
    history.replaceState(history.state, "", `${location.pathname}${location.search}${hash}`);
    this.followLink();
  }

  toggleFold(row: number): void {
    this.folding.toggle(row);
  }

  toggleHidden(compaction: CompactionView): void {
    this.folding.toggleHidden(compaction);
  }

  toggleRaw(): void {
    const isRaw = this.panels.isInspecting && this.store.get().tab === "raw";
    this.panels.inspect({ tab: isRaw ? "rendered" : "raw" });
  }

  inspect(): void {
    this.panels.inspect();
  }

  /** Selects what the address points at, if anything. `quiet`: what is not there may still come. */
  followLink({ quiet = false } = {}): void {
    const { doc } = this.store.get();
    const link = readLink(location.hash);
    const { place } = link;
    if (!doc || !this.hasPage) return;
    if (FEATURES.all.some((each) => each.follow?.(this.page, link))) return;
    if (link.id !== undefined) void this.links.find(link.id);
    const says = !quiet && !doc.facts.reading && doc.map.rows > 0;
    if (link.mistake !== undefined && says) this.links.say(link.mistake);
    if (!place) return;
    let row = doc.map.row(place.message, place.part);
    if (row < 0 && says) {
      this.links.missing(doc, place);
      row = doc.map.row(place.message);
    }
    if (row >= 0 && row !== this.store.get().selected) this.select(row, { reveal: true });
  }
}

/** The name of the page where nothing is open. */
const NAME = "apex-parts viewer";
const WORKER = { startWorker, wasm, opensFiles };
const NOTHING = { doc: undefined, progress: undefined, selected: -1, current: 0 } as const;

function pageTitle({ title }: { title: string }): string {
  return `${title} · ${NAME}`;
}
