import type { FileView } from "../model/types";
import { Icon } from "./icons";

/** An attached file: a picture if it came along as data, otherwise its name and where it is. */
export function FileBox({ file, source }: { file: FileView; source?: string | undefined }) {
  return (
    <figure class="file">
      <figcaption>
        <Icon name="file" />
        <strong>{file.name}</strong>
        <span class="quiet">{[file.mime, source ?? file.address].filter(Boolean).join(" · ")}</span>
      </figcaption>
      {file.image && <img src={file.image} alt={file.name} />}
    </figure>
  );
}
