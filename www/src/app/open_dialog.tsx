import { useRef, useState } from "preact/hooks";
import { useDialog, useViewer } from "../core/page/hooks";
import { Slot } from "../core/page/slot";
import type { Source } from "../core/rpc";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { openBeside, pasted, takeMany } from "./file_drop";
import { Formats } from "./formats";
import { SAMPLES, sampleSource } from "./samples";

/** The ways to open a transcript, in one place. */
export function OpenDialog() {
  const viewer = useViewer();
  return (
    <>
      <Dialog {...useDialog("open")} title="Open a transcript">
        <Choices
          open={(source) => void viewer.open(source)}
          several={(files) => takeMany(viewer, files)}
        />
      </Dialog>
      <Dialog {...useDialog("second")} title="Open a second transcript beside">
        <Choices open={(source) => openBeside(viewer, source)} />
      </Dialog>
    </>
  );
}

/** A file, a text or a sample. */
interface ChoicesProps {
  open: (source: Source) => void;
  /** Takes many files; without it one is chosen. */
  several?: (files: readonly File[]) => void;
}

export function Choices({ open, several }: ChoicesProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState("");
  const pick = () => {
    const files = Array.from(picker.current?.files ?? []);
    const [file, second] = files;
    if (second && several) several(files);
    else if (file) open({ kind: "file", file });
  };
  return (
    <div class="choices">
      <div class="choices">
        <section class="drop-target">
          <Icon name="open" />
          <p>
            <strong>{several ? "Drop a file or a folder here" : "Drop a file here"}</strong>
            <span class="quiet">
              The session of an agent, or a recorded stream. It stays in this browser.
            </span>
          </p>
          <label class="button button-main">
            Choose a file
            <input
              class="hidden"
              type="file"
              multiple={several !== undefined}
              ref={picker}
              onChange={pick}
            />
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
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button
            type="button"
            class="button"
            disabled={words.trim() === ""}
            onClick={() => open(pasted(words))}
          >
            Open pasted text
          </button>
        </section>
        <Slot name="opening" />
      </div>
      <div class="choices">
        <section>
          <h3>Samples</h3>
          <p class="quiet">Recorded sessions to try the viewer with</p>
          <ul class="samples">
            {SAMPLES.map(({ file, title, about }) => (
              <li key={file}>
                <button type="button" onClick={() => void sampleSource(file).then(open)}>
                  <strong>{title}</strong>
                  <span class="quiet">{about}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
        <Formats />
      </div>
    </div>
  );
}
