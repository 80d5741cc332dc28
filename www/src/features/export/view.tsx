import { useDialog, useViewer } from "../../app/hooks";
import { Dialog } from "../../ui/dialog";
import { one } from "../../ui/format";
import type { ExportFormat } from "./model";

const CHOICES: [ExportFormat, string, string][] = [
  ["json", "JSON", "the session as an export of OpenCode; it opens here again"],
  ["markdown", "Markdown", "to read and to quote, without images"],
  ["html", "HTML", "one page with everything in it, which runs nothing and loads nothing"],
];

/** The open transcript as a file of another kind. */
export function ExportDialog() {
  return (
    <Dialog {...useDialog("export")} title="Export">
      <Choices />
    </Dialog>
  );
}

function Choices() {
  const { compare, exporting } = useViewer();
  const { making, error } = exporting.store.state;
  // Where two are open it is the one that is selected.
  const facts = compare.active.store.state.doc?.facts;
  if (!facts) return null;
  const lost = facts.problems.filter(
    ({ path, severity }) => path === "" && severity === "error",
  ).length;
  return (
    <>
      <p>
        <strong>{facts.title}</strong>
        <br />
        <span class="quiet">
          {one(facts.layout.roles.length, "message")}. It is made in this browser and sent nowhere.
        </span>
      </p>
      {lost > 0 && (
        <p class="tone-busy">
          The file is damaged in {one(lost, "place")}: what could not be read is not in the export.
        </p>
      )}
      {making ? (
        <section class="export-progress">
          <p>Writing {CHOICES.find(([format]) => format === making.format)?.[1]}…</p>
          <progress
            aria-label="Messages written"
            max={Math.max(1, making.total)}
            value={making.done}
          />
          <button type="button" class="button" onClick={() => exporting.cancel()}>
            Cancel
          </button>
        </section>
      ) : (
        <ul class="samples choices-short">
          {CHOICES.map(([format, name, about]) => (
            <li key={format}>
              <button type="button" onClick={() => void exporting.start(format)}>
                <strong>{name}</strong>
                <span class="quiet">{about}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p class="tone-bad" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
