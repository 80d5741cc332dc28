import { CHANGED, FIRST_ONLY, SAME } from "../../../../../ts/cli/comparison/align.ts";
import { PART_CODE, PART_TYPES } from "../../../core/model/parts";
import { named, shortAddress, sourceFromAddress } from "../../../core/page/address";
import type { AppContext, Page, Reveal } from "../../../core/page/context";
import type { Feature } from "../../../core/page/feature";
import type { Source } from "../../../core/rpc";
import { Store } from "../../../ui/store";
import type { FieldChange } from "../model/fields";
import { type ComparedDocuments, Pairing } from "./pairing";
import { Stretches } from "./stretches";
import { type Verdict, verdictOf } from "./verdict";

/** The first transcript, or the one beside it. */
export type Side = 0 | 1;

export interface Comparison {
  viewer: AppContext;
  docs: ComparedDocuments;
  pairs: Pairing;
  /** Where they begin to differ, in words; empty where they say the same. */
  firstDifference: string;
  /** What is the same, folded. */
  stretches: Stretches;
  verdict: Verdict;
}

export interface CompareState {
  /** The two, once they are aligned. */
  comparison?: Comparison | undefined;
  /** The selected pair, or -1, and which side of it the inspector shows. */
  pair: number;
  side: Side;
  /** Another object whenever the selected pair should be scrolled to. */
  reveal: Reveal;
  /** Which side shows where there is room for one only. */
  shown: "both" | "first" | "second";
}

/** Parts of these types are folded where both sides say the same. */
export const FOLDED_TYPES = (["tool", "reasoning", "subtask"] as const).map(
  (type) => PART_CODE[type],
);

/** A second transcript beside the one that is open: with a viewer and a worker of its own. */
export class Compare<V extends AppContext = AppContext> {
  readonly store = new Store<CompareState>({
    pair: -1,
    side: 0,
    reveal: { focus: false },
    shown: "both",
  });
  /** The pair at the top of the list. */
  top = 0;
  private second: V | undefined;
  private source: Source | undefined;
  private stops: (() => void)[] = [];
  /** The two viewers' own selections follow the pair's, and not the other way round. */
  private isSelecting = false;
  private opening = 0;
  private aligning = 0;

  constructor(
    private readonly first: V,
    private readonly another: () => V,
  ) {}

  /** Opens what the address names beside the first. */
  async start(): Promise<void> {
    const comparison = sourceFromAddress(named(location, "beside"), document.baseURI);
    if (comparison && "error" in comparison) this.first.store.set({ error: comparison.error });
    if (comparison && "source" in comparison) await this.open(comparison.source);
  }

  /** True when it could be opened; what was beside stays otherwise. */
  async open(source: Source): Promise<boolean> {
    if (!this.first.store.get().doc) return this.first.open(source);
    const turn = ++this.opening;
    const viewer = this.another();
    this.first.store.set({ dialog: undefined, error: undefined });
    const stop = viewer.store.watch(() => {
      const { progress, error } = viewer.store.get();
      this.first.store.set({ progress, ...(error ? { error } : {}) });
    });
    const isOpen = await viewer.open(source, { keepAddress: true });
    stop();
    if (!isOpen || turn !== this.opening) {
      viewer.close();
      return false;
    }
    this.end();
    this.second = viewer;
    this.source = source;
    await this.align();
    return true;
  }

  /** Back to the one transcript, at the place that was last looked at. */
  close(): void {
    const { comparison } = this.store.get();
    if (!comparison) return;
    const { selected } = this.first.store.get();
    const row = selected >= 0 ? selected : comparison.pairs.near(0, this.top);
    this.end();
    this.writeAddress();
    if (row >= 0) this.first.select(row, { reveal: true });
  }

  /** What is beside the first, or was to be, is not any more: another comes in the place of both. */
  leave(): void {
    this.opening++;
    this.end();
  }

  /** The viewer whose transcript the selection is in. */
  get active(): V {
    const { comparison, side } = this.store.state;
    return comparison ? this.viewerOf(side) : this.first;
  }

  viewerOf(side: Side): V {
    return side === 1 && this.second ? this.second : this.first;
  }

  select(pair: number, side: Side, options: { reveal?: boolean; focus?: boolean } = {}): void {
    const { comparison } = this.store.get();
    if (!comparison || pair < 0 || pair >= comparison.pairs.count) return;
    comparison.stretches.open(pair);
    // Where one side has nothing, the other is what can be looked at.
    const here: Side = comparison.pairs.row(side, pair) >= 0 ? side : side === 0 ? 1 : 0;
    this.store.set({
      pair,
      side: here,
      ...(options.reveal ? { reveal: { focus: options.focus ?? false } } : {}),
    });
    this.unwatched(() => {
      for (const each of [0, 1] as const) {
        const row = comparison.pairs.row(each, pair);
        const viewer = this.viewerOf(each);
        if (row >= 0) viewer.select(row);
        else viewer.store.set({ selected: -1 });
      }
    });
  }

  /** Goes to a pair, wherever the page is. */
  jump(pair: number): void {
    this.first.store.set({ pane: "transcript" });
    this.select(pair, this.store.get().side, { reveal: true, focus: true });
  }

  /** Moves over pairs, turns or differences; false where nothing is beside. */
  move(by: "part" | "turn" | "mark" | "compaction", direction: 1 | -1): boolean {
    const { comparison, pair: selected } = this.store.get();
    if (!comparison) return false;
    if (by === "compaction") {
      this.first.say("Close one of the two transcripts to go to the compactions of the other.");
      return true;
    }
    const { pairs, docs, stretches } = comparison;
    const from = selected >= 0 ? selected : this.top - (direction === 1 ? 1 : 0);
    const pair =
      by === "mark"
        ? pairs.difference(from, direction)
        : by === "turn"
          ? pairs.turn(from, direction, docs, stretches)
          : pairs.step(from, direction, docs, stretches);
    if (pair >= 0) this.jump(pair);
    return true;
  }

  /** Folds or unfolds both sides of the selected pair. */
  fold(): boolean {
    const { comparison, pair, side } = this.store.get();
    if (!comparison) return false;
    const { stretches } = comparison;
    const stretch = stretches.at(pair);
    if (stretch && stretches.isClosed(stretch)) stretches.toggle(stretch);
    else if (pair >= 0) this.viewerOf(side).toggleFold(comparison.pairs.row(side, pair));
    return true;
  }

  raw(): boolean {
    if (!this.store.get().comparison) return false;
    // The tab is that of the side, the inspector is the page's.
    this.active.toggleRaw();
    this.first.inspect();
    return true;
  }

  show(shown: CompareState["shown"]): void {
    this.store.set({ shown });
  }

  /** What differs inside of a pair. */
  async changes(pair: number): Promise<FieldChange[]> {
    const { comparison } = this.store.get();
    return comparison ? changesOf(comparison.pairs, comparison.docs, pair) : [];
  }

  private async align(): Promise<void> {
    const turn = ++this.aligning;
    const { second } = this;
    const docs = [this.first.store.get().doc, second?.store.get().doc] as const;
    if (!second || !docs[0] || !docs[1]) return;
    const { name } = docs[1].facts;
    this.first.store.set({ progress: { name, read: 0, total: 0 } });
    try {
      const digests = await docs[0].client.call("digests");
      const { alignment, fork } = await docs[1].client.call("align", digests);
      if (turn !== this.aligning) return;
      const both = [docs[0], docs[1]] as const;
      const pairs = new Pairing(alignment, both);
      const stretches = new Stretches(pairs, both);
      const [firstDifference, verdict] = await Promise.all([
        words(pairs, both),
        verdictOf(both, fork),
      ]);
      if (turn !== this.aligning) return;
      if (this.first.store.get().doc !== docs[0]) return void this.align();
      const compared = { pairs, firstDifference, stretches, verdict };
      this.begin({ viewer: second, docs: both, ...compared });
    } catch (error) {
      if (turn !== this.aligning) return;
      // Another file was opened in the first one's place meanwhile.
      if (this.first.store.get().doc !== docs[0]) return void this.align();
      this.end();
      const why = error instanceof Error ? error.message : String(error);
      this.first.store.set({
        progress: undefined,
        error: `The two transcripts could not be compared. ${why}`,
      });
    } finally {
      if (turn === this.aligning) this.first.store.set({ progress: undefined });
    }
  }

  private begin(comparison: Comparison): void {
    const { docs, pairs } = comparison;
    for (const stop of this.stops.splice(0)) stop();
    for (const side of [0, 1] as const) {
      const doc = docs[side];
      doc.folded = (row) =>
        FOLDED_TYPES.includes(doc.typeOf(row)) && pairs.states[pairs.of(side, row)] === SAME;
      const each = this.viewerOf(side);
      this.stops.push(this.follow(side, each, docs));
      this.stops.push(doc.watchFolds(() => this.foldAlike(comparison, side)));
    }
    const { selected, current } = this.first.store.get();
    const row = selected >= 0 ? selected : docs[0].map.header(current);
    this.top = Math.max(0, pairs.of(0, row));
    this.store.set({
      comparison,
      pair: -1,
      side: 0,
      reveal: { focus: false },
    });
    this.first.store.set({ beside: docs[1] });
    if (selected >= 0) this.select(pairs.of(0, selected), 0, { reveal: true });
    this.writeAddress();
  }

  /** What is selected, jumped to, folded or opened in one of the two is followed in the pairs. */
  private follow(side: Side, viewer: V, docs: ComparedDocuments): () => void {
    let before = viewer.store.get();
    return viewer.store.watch(() => {
      const now = viewer.store.get();
      const was = before;
      before = now;
      if (now.doc !== docs[side]) {
        // The pairs are those of a transcript that its worker has no more.
        this.letGo();
        void this.align();
        return;
      }
      const { comparison } = this.store.get();
      if (!comparison || this.isSelecting) return;
      const revealed = now.reveal !== was.reveal;
      if (now.selected < 0 || (!revealed && now.selected === was.selected)) return;
      const options = revealed ? { reveal: true, focus: now.reveal.focus } : {};
      this.select(comparison.pairs.of(side, now.selected), side, options);
    });
  }

  private unwatched(run: () => void): void {
    this.isSelecting = true;
    try {
      run();
    } finally {
      this.isSelecting = false;
    }
  }

  /** Folds the other side likewise; its own report of that changes nothing here. */
  private foldAlike(comparison: Comparison, side: Side): void {
    const { pair } = this.store.get();
    const other: Side = side === 0 ? 1 : 0;
    const own = comparison.pairs.row(side, pair);
    if (own < 0) return;
    const { message, part } = comparison.docs[side].map.place(own);
    // A message folds with all its parts.
    const count = part < 0 ? comparison.docs[side].map.parts(message) : 0;
    const folds: [row: number, folded: boolean][] = [];
    for (let row = own; row <= own + count; row++) {
      const against = comparison.pairs.row(other, comparison.pairs.of(side, row));
      if (against >= 0) folds.push([against, comparison.docs[side].isFolded(row)]);
    }
    comparison.docs[other].setFolded(folds);
  }

  /** Closes the second transcript and its worker. */
  private end(): void {
    this.aligning++;
    this.letGo();
    this.second?.close();
    this.second = undefined;
    this.source = undefined;
  }

  /** Drops the pairs. */
  private letGo(): void {
    for (const stop of this.stops.splice(0)) stop();
    const { comparison } = this.store.get();
    if (comparison) for (const doc of comparison.docs) doc.folded = undefined;
    this.store.set({ comparison: undefined, pair: -1, side: 0 });
    if (comparison) this.first.store.set({ beside: undefined });
  }

  /** Writes the address of a second transcript of this origin into the page's, as that of the first. */
  private writeAddress(): void {
    const { search, pathname, hash } = location;
    const fields = search.replace(/^\?/, "").split("&");
    const kept = fields.filter((field) => field !== "" && !field.startsWith("beside="));
    if (this.source?.kind === "url") kept.push(`beside=${shortAddress(this.source.url)}`);
    const query = kept.length > 0 ? `?${kept.join("&")}` : "";
    history.replaceState(history.state, "", `${pathname}${query}${hash}`);
  }
}

async function changesOf(
  pairs: Pairing,
  [first, second]: ComparedDocuments,
  pair: number,
): Promise<FieldChange[]> {
  if (pairs.states[pair] !== CHANGED) return [];
  const before = await first.client.call("comparableFields", pairs.row(0, pair));
  return second.client.call("changes", pairs.row(1, pair), before);
}

/** Where two transcripts begin to differ: `message 7, tool edit: input differs`. */
async function words(pairs: Pairing, docs: ComparedDocuments): Promise<string> {
  const pair = pairs.difference(-1, 1);
  if (pair < 0) return "";
  const side: Side = pairs.row(0, pair) >= 0 ? 0 : 1;
  const doc = docs[side];
  const row = pairs.row(side, pair);
  const { message, part } = doc.map.place(row);
  const type = part < 0 ? "header" : (PART_TYPES[doc.typeOf(row)] ?? "custom part");
  const said = type === "tool" ? await doc.client.call("comparableFields", row) : [];
  const tool = said.find(([name]) => name === "tool")?.[1];
  const place = `message ${message}, ${[type, tool].filter(Boolean).join(" ")}`;
  const state = pairs.states[pair];
  if (state !== CHANGED)
    return `${place}: only in the ${state === FIRST_ONLY ? "first" : "second"}`;
  const changes = await changesOf(pairs, docs, pair);
  const names = [...new Set(changes.map(({ name }) => name.split(" ", 1)[0] ?? name))];
  if (names.length === 0) return `${place} differs`;
  return `${place}: ${listed(names)} ${names.length === 1 ? "differs" : "differ"}`;
}

/** `input, state and output` */
function listed(names: string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export const stores = {
  compare: (page, { anotherPage }) => new Compare<Page>(page, anotherPage),
} satisfies Feature["stores"];
