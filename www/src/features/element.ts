/**
 * What `<apex-transcript>` takes of the features: it stands in for `page.ts` when the element is built
 * (scripts/build/viewer.mjs). The element draws a transcript and no more, so of the features that draw beside one it
 * has what they keep, which the others ask for, and none of their views.
 */
import type { WithAllStores } from "../core/page/feature";
import { FeatureList } from "../core/page/feature_list";
import { breakdown } from "./breakdown/feature";
import { cards } from "./cards/feature";
import { stores as compare } from "./compare/store/compare";
import { stores as exporting } from "./export/store/exporting";
import { live } from "./live/feature";
import { loops } from "./loops/feature";
import { problems } from "./problems/feature";
import { stores as replay } from "./replay/store";
import { stores as runs } from "./runs/store/runs";
import { stores as search } from "./search/store/search";
import { sessions } from "./sessions/feature";
import { summary } from "./summary/feature";
import { stores as timeline } from "./timeline/store";
import { transcript } from "./transcript/feature";

const ALL = [
  problems,
  live,
  sessions,
  { stores: compare },
  { stores: exporting },
  { stores: replay },
  { stores: runs },
  { stores: search },
  { stores: timeline },
  transcript,
  summary,
  breakdown,
  loops,
  cards,
] as const;

const complete: WithAllStores<typeof ALL> = ALL;

export const FEATURES = new FeatureList(complete);
