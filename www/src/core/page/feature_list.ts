import type { FunctionComponent } from "preact";
import type { Cards, Feature, Slots } from "./feature";

/** All features, sorted by what they have. */
export class FeatureList {
  readonly cards: Cards | undefined;
  private readonly slots = new Map<keyof Slots, FunctionComponent<never>[]>();

  constructor(readonly all: readonly Feature[]) {
    this.cards = all.find(({ cards }) => cards)?.cards;
    for (const { slots = {} } of all) {
      for (const [name, View] of Object.entries(slots) as [keyof Slots, FunctionComponent][]) {
        this.slots.set(name, [...this.fillersOf(name), View]);
      }
    }
  }

  fillersOf<S extends keyof Slots>(name: S): readonly FunctionComponent<Slots[S]>[] {
    return (this.slots.get(name) ?? NONE) as unknown as readonly FunctionComponent<Slots[S]>[];
  }
}

const NONE: FunctionComponent<never>[] = [];
