/** All features of the page, in one list: bars, buttons and keys of several come in its order. */
import type { WithAllStores } from "../core/page/feature";
import { FeatureList } from "../core/page/feature_list";
import { breakdown } from "./breakdown/feature";
import { cards } from "./cards/feature";
import { compare } from "./compare/feature";
import { exporting } from "./export/feature";
import { inspector } from "./inspector/feature";
import { live } from "./live/feature";
import { loops } from "./loops/feature";
import { outline } from "./outline/feature";
import { problems } from "./problems/feature";
import { replay } from "./replay/feature";
import { runs } from "./runs/feature";
import { search } from "./search/feature";
import { sessions } from "./sessions/feature";
import { summary } from "./summary/feature";
import { timeline } from "./timeline/feature";
import { transcript } from "./transcript/feature";

const ALL = [
  problems,
  live,
  runs,
  sessions,
  outline,
  timeline,
  replay,
  search,
  compare,
  exporting,
  inspector,
  transcript,
  summary,
  breakdown,
  loops,
  cards,
] as const;

const complete: WithAllStores<typeof ALL> = ALL;

export const FEATURES = new FeatureList(complete);
