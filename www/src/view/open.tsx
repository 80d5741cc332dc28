import { useRef, useState } from "preact/hooks";
import { openText } from "../state/intake";
import { SAMPLES } from "../state/samples";
import { useViewer } from "./context";
import { Dialog } from "./dialog";

/** The ways to open a transcript, in one place. */
export function OpenDialog() {
  return (
    <Dialog name="open" title="Open a transcript">
      <Choices />
    </Dialog>
  );
}

function Choices() {
  const viewer = useViewer();
  const picker = useRef<HTMLInputElement>(null);
  const [pasted, setPasted] = useState("");
  const pick = () => {
    const file = picker.current?.files?.[0];
    if (file) void viewer.open({ kind: "file", file });
  };
  return (
    <>
      <section>
        <p>
          Drop a file anywhere on the page, or choose one: an exported session, messages with their
          parts, or a recorded stream of deltas or of a provider. It stays in this browser.
        </p>
        <label class="button button-main">
          Choose a file
          <input class="hidden" type="file" ref={picker} onChange={pick} />
        </label>
      </section>
      <section>
        <label class="field-label" for="paste">
          Or paste its text
        </label>
        <textarea
          id="paste"
          rows={4}
          spellcheck={false}
          value={pasted}
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
        <button
          type="button"
          class="button"
          disabled={pasted.trim() === ""}
          onClick={() => openText(viewer, pasted)}
        >
          Open pasted text
        </button>
      </section>
      <section>
        <h3>Or look at a recorded session</h3>
        <ul class="samples">
          {SAMPLES.map(({ file, title, about }) => (
            <li key={file}>
              <button type="button" onClick={() => viewer.openSample(file)}>
                <strong>{title}</strong>
                <span class="quiet">{about}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
