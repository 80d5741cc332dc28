import { useEffect } from "preact/hooks";
import { useDialog, useViewer } from "../../core/page/hooks";
import { Dialog } from "../../ui/dialog";
import { count, one } from "../../ui/format";
import type { ExportFormat, SecretView } from "./model";

const CHOICES: [ExportFormat, string, string][] = [
  ["viewer", "Viewer", "one file with this viewer in it; links to parts work, nothing is loaded"],
  ["json", "JSON", "the session as an export of OpenCode; it opens here again"],
  ["markdown", "Markdown", "to read and to quote, without images"],
  ["html", "HTML", "a plain page with everything in it, which runs nothing and loads nothing"],
];

/** The open transcript as a file for others, without what should not be shared. */
export function ExportDialog() {
  return (
    <Dialog {...useDialog("export")} title="Share">
      <Sharing />
    </Dialog>
  );
}

function Sharing() {
  const { compare, exporting } = useViewer();
  const { making, error, looked } = exporting.store.state;
  // Where two are open it is the one that is selected.
  const { doc } = compare.active.store.state;
  useEffect(() => {
    if (doc) void exporting.look();
    return () => exporting.forget();
  }, [doc, exporting]);
  if (!doc) return null;
  const { facts } = doc;
  const lost = facts.problems.filter(
    ({ path, severity }) => path === "" && severity === "error",
  ).length;
  const isReady = looked !== undefined && looked.done >= looked.total;
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
          The file is damaged in {one(lost, "place")}: what could not be read is not in it.
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
        <>
          <Range messages={doc.map.messages} />
          <Secrets isReady={isReady} />
          <ul class="samples choices-short">
            {CHOICES.filter(([format]) => format !== "viewer" || exporting.hasShell).map(
              ([format, name, about]) => (
                <li key={format}>
                  <button
                    type="button"
                    disabled={!isReady}
                    onClick={() => void exporting.start(format)}
                  >
                    <strong>{name}</strong>
                    <span class="quiet">{about}</span>
                  </button>
                </li>
              ),
            )}
          </ul>
        </>
      )}
      {error && (
        <p class="tone-bad" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** Which messages: all, or from one to another. */
function Range({ messages }: { messages: number }) {
  const { exporting } = useViewer();
  const { range } = exporting.store.state;
  const last = Math.max(0, messages - 1);
  const field = (name: "first" | "last", label: string) => (
    <input
      type="number"
      class="share-number"
      aria-label={label}
      min={0}
      max={last}
      value={range?.[name]}
      onChange={(event) => {
        const number = event.currentTarget.valueAsNumber;
        if (range && Number.isInteger(number)) exporting.setRange({ ...range, [name]: number });
      }}
    />
  );
  return (
    <fieldset class="share-range">
      <legend class="field-label">Messages</legend>
      <label>
        <input
          type="radio"
          name="share-range"
          checked={range === undefined}
          onChange={() => exporting.setRange(undefined)}
        />
        the whole run
      </label>
      <label>
        <input
          type="radio"
          name="share-range"
          checked={range !== undefined}
          onChange={() => exporting.setRange({ first: 0, last })}
        />
        some of them
      </label>
      {range && (
        <span>
          {field("first", "First message")} to {field("last", "Last message")}
        </span>
      )}
    </fieldset>
  );
}

/** What was found that should not be shared, kind by kind: masked unless its tick is taken away. */
function Secrets({ isReady }: { isReady: boolean }) {
  const { exporting } = useViewer();
  const { looked, found } = exporting.store.state;
  const total = found.reduce((sum, { count: of }) => sum + of, 0);
  return (
    <section class="share-secrets" aria-label="Secrets and personal data">
      <h3>Secrets and personal data</h3>
      {isReady ? (
        <p role="status">
          {total === 0
            ? "No keys, passwords, mail addresses or names in home folders were found."
            : `${count(total)} found. Ticked items are masked.`}
        </p>
      ) : (
        <>
          <p role="status">Looking for keys, passwords, mail addresses and home folders…</p>
          {looked && (
            <progress
              aria-label="Messages searched"
              max={Math.max(1, looked.total)}
              value={looked.done}
            />
          )}
        </>
      )}
      {found.length > 0 && (
        <ul>
          {found.map((secret) => (
            <SecretKindRow key={secret.kind} secret={secret} />
          ))}
        </ul>
      )}
      <p class="quiet">
        Not found are secrets in pictures, a key that is cut over two parts, and what only you know
        to be secret. Look at the file before you send it.
      </p>
    </section>
  );
}

function SecretKindRow({ secret }: { secret: SecretView }) {
  const viewer = useViewer();
  const { exporting } = viewer;
  const { kind, what, count: of, distinct, spots, more } = secret;
  const jump = (id: string) => {
    viewer.store.set({ dialog: undefined });
    void viewer.compare.active.links.find(id);
  };
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={!exporting.store.state.kept.has(kind)}
          onChange={(event) => exporting.setMasked(kind, event.currentTarget.checked)}
        />
        <span>
          {what}: {count(of)}
          {distinct < of && <span class="quiet"> ({count(distinct)} different)</span>}
        </span>
      </label>
      <span class="share-spots">
        {spots.map(({ id, shown, times }, i) => (
          <span key={String(i)}>
            {id === undefined ? (
              shown
            ) : (
              <button
                type="button"
                title={times > 1 ? "Show the first place" : "Show it"}
                onClick={() => jump(id)}
              >
                {shown}
              </button>
            )}
            {times > 1 && ` ×${count(times)}${more ? "+" : ""}`}
          </span>
        ))}
      </span>
    </li>
  );
}
