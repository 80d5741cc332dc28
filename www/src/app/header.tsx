import type { Overview } from "../core/model/overview";
import { usePage, useViewer } from "../core/page/hooks";
import { Slot } from "../core/page/slot";
import { FEATURES } from "../features/page";
import { formatTitle } from "../ui/agents";
import { bytes, one } from "../ui/format";
import { Icon, type IconName } from "../ui/icons";
import { NARROW, useMedia } from "../ui/media";
import { Facts } from "./facts";
import { FileProblems } from "./trouble";

const DIALOGS = FEATURES.all.flatMap(({ dialogButton }) => dialogButton ?? []);

export function Header() {
  const viewer = useViewer();
  const { doc, beside, compact } = usePage();
  // There they are in the sheet.
  const isNarrow = useMedia(NARROW);
  return (
    <header class="header">
      <div class="header-title">
        <h1>{doc?.title ?? "apex-parts viewer"}</h1>
        {doc && (beside ? <p>beside {beside.title}</p> : <FileLine facts={doc.facts} />)}
      </div>
      {doc && !beside && !isNarrow && <Facts doc={doc} />}
      {doc && beside && !isNarrow && (
        <span class="trouble">
          <FileProblems doc={doc} />
        </span>
      )}
      <div class="header-actions">
        {doc && !beside && <Slot name="button" doc={doc} />}
        <Action name="Open" icon="open" onClick={() => viewer.store.set({ dialog: "open" })} />
        {doc && (
          <>
            {!beside && (
              <button
                type="button"
                class="button button-icon button-compact"
                aria-label="Compact view"
                aria-pressed={compact}
                title="Compact view (d)"
                onClick={() => viewer.panels.toggleCompact()}
              >
                <Icon name="compact" />
              </button>
            )}
            {DIALOGS.map(({ name, icon, dialog }) => (
              <Action
                key={name}
                name={name}
                icon={icon}
                brief
                onClick={() => viewer.store.set({ dialog })}
              />
            ))}
          </>
        )}
        <button
          type="button"
          class="button button-icon"
          aria-label="Help and keys"
          title="Help and keys (?)"
          onClick={() => viewer.store.set({ dialog: "help" })}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

/**
 * A button with an icon and, where there is room, its name beside it. `brief`: only the icon, also on a wide
 * screen, for less used ones.
 */
function Action(props: { name: string; icon: IconName; brief?: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      class={`button button-action ${props.brief ? "button-brief" : ""}`}
      aria-label={props.name}
      title={props.name}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
      <span class="button-name">{props.name}</span>
    </button>
  );
}

/** The name is isolated (`bdi`): it may have characters that reverse the text after them. */
export function FileLine({ facts }: { facts: Overview }) {
  const { name, format, layout } = facts;
  const more = [formatTitle(format), one(layout.roles.length, "message"), bytes(facts.bytes)];
  return (
    <p>
      <bdi>{name}</bdi>
      {` · ${more.join(" · ")}`}
    </p>
  );
}
