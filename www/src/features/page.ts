/** What the page has of the features, in one list: stores, and what of them is drawn where. */
import { ExportDialog } from "./export/view";
import { LiveNotice, LostConnection, NewBelow, NothingYet } from "./live/view";
import { Damage } from "./problems/view/damage";
import { ReplayBar } from "./replay/view/bar";
import { RunsBar } from "./runs/view/list";
import { SessionBar } from "./sessions/view";

export { Compare } from "./compare/store/compare";
export { Compare as ComparePane, CompareInspector } from "./compare/view/compare";
export { Exporting } from "./export/store/exporting";
export { Inspector } from "./inspector/view";
export { Live } from "./live/store";
export { FollowField, LiveStatus } from "./live/view";
export { Outline } from "./outline/view";
export { Problems } from "./problems/view/problems";
export { REPLAY_KEYS } from "./replay/feature";
export { Replay } from "./replay/store";
export { ReplayButton } from "./replay/view/bar";
export { Events } from "./replay/view/events";
export { runOfFile } from "./runs/model/runs";
export { Runs } from "./runs/store/runs";
export { RunList } from "./runs/view/list";
export { Search } from "./search/store/search";
export { SearchBar, SearchButton, useSearch } from "./search/view/bar";
export { Results } from "./search/view/results";
export { Sessions } from "./sessions/store";
export { TIMELINE_KEYS } from "./timeline/feature";
export { TimelineState } from "./timeline/store";
export { TimelinePane } from "./timeline/view/timeline";
export { Transcript } from "./transcript/view/transcript";

/** Below the header: what is to be known of the file, and where it came from. */
export const BARS = [Damage, LiveNotice, RunsBar, SessionBar, ReplayBar];

/** Over the transcript's end. */
export const AT_THE_END = [NothingYet, LostConnection, NewBelow];

export const DIALOGS = [ExportDialog];
