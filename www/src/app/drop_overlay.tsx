import type { ComponentChildren } from "preact";
import { usePage } from "../core/page/hooks";
import type { DropPlace, HoveringFile } from "./file_drop";

/** Over the page while a file hovers: where it would go, to what is open or in its place. */
export function DropOverlay({ hovering: { place, chosen, two } }: { hovering: HoveringFile }) {
  const { doc, beside } = usePage();
  const first = doc?.facts.name;
  if (!chosen || first === undefined) {
    const words = two ? "Drop both to open them side by side" : "Drop a transcript to open it";
    return <div class="drop-overlay drop-here">{words}</div>;
  }
  const second = beside?.facts.name;
  return (
    <div class="drop-overlay drop-zones">
      <Zone name="second" place={place} about={second && <>instead of {bdi(second)}</>}>
        Open beside {bdi(first)}
      </Zone>
      <Zone name="instead" place={place}>
        Open instead{second && " of both"}
      </Zone>
    </div>
  );
}

function Zone(props: {
  name: DropPlace;
  place: DropPlace;
  about?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class={props.name === props.place ? "drop-here" : ""}>
      <p>{props.children}</p>
      {props.about && <p class="drop-about">{props.about}</p>}
    </div>
  );
}

/** A file's name may have characters that reverse the text after them. */
const bdi = (name: string) => <bdi>{name}</bdi>;
