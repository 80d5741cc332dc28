import { named } from "../core/page/address";
import { usePage, useViewer } from "../core/page/hooks";
import { Icon } from "../ui/icons";
import { takeMany } from "./file_drop";
import { Choices } from "./open_dialog";

/**
 * The page while no transcript is open: the start page, with what the viewer is and the ways to open one; where one
 * was asked for, why there is none.
 */
export function Welcome() {
  const viewer = useViewer();
  const { progress, error, dialog, awaited, started } = usePage();
  // Until the page knows what its address names, it offers nothing else.
  const isChoosing = started || error !== undefined || awaited !== undefined;
  return (
    <main class="pane pane-transcript welcome" tabIndex={-1}>
      {progress && <p class="quiet">Reading {progress.name}…</p>}
      {!progress && isChoosing && (
        <div class="welcome-choices">
          {error && <Refused error={error} />}
          {/* The dialog has the same. */}
          {dialog !== "open" && (
            <>
              {awaited === undefined ? <Introduction /> : <Awaited name={awaited} />}
              <Choices
                open={(source) => void viewer.open(source)}
                several={(files) => takeMany(viewer, files)}
              />
            </>
          )}
        </div>
      )}
    </main>
  );
}

function Introduction() {
  return (
    <section class="introduction">
      <h2>See what an agent did</h2>
      <p>
        Open the session of a coding agent, or a stream of a language model: the viewer shows what
        was asked, each step and tool call, what failed, and what it cost.
      </p>
    </section>
  );
}

/** A link was opened that was made from a file of somebody's disk. */
function Awaited({ name }: { name: string }) {
  return (
    <section role="status">
      <h2>
        This link was made from the file <bdi>{name.slice(0, 200)}</bdi>, which is not here: open it
      </h2>
      <p class="quiet">
        A link to a file on somebody’s disk does not bring the file along. Ask for it, or for a file
        made with “Share…”, which does.
      </p>
    </section>
  );
}

/** What was asked for and could not be opened. */
function Refused({ error }: { error: string }) {
  const [what, why] = headline(error);
  const isAddressed = (["src", "live", "runs"] as const).some((field) => named(location, field));
  return (
    <div class="refused" role="alert">
      <Icon name="warning" />
      <p>
        {what && <strong>{what}</strong>} {why}
      </p>
      {isAddressed && (
        <button type="button" class="button" onClick={() => location.reload()}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The sentence that says what could not be opened, and those that say why. */
function headline(error: string): [what: string, why: string] {
  const end = error.indexOf(END);
  if (end < 0) return ["", error];
  return [error.slice(0, end + END.length - 1), error.slice(end + END.length)];
}

const END = " could not be opened. ";
