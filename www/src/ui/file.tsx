import { Icon } from "./icons";
import { remoteAddress } from "./remote";
import type { FileView } from "./values";

/** An attached file: a picture if it came along as data, otherwise its name and where it is. */
export function FileBox({ file, source }: { file: FileView; source?: string | undefined }) {
  const remote = remoteAddress(file.remote ?? "");
  return (
    <figure class="file">
      <figcaption>
        <Icon name="file" />
        <strong>{file.name}</strong>
        <span class="quiet">{[file.mime, source ?? file.address].filter(Boolean).join(" · ")}</span>
        {remote && (
          <a
            class="remote"
            href={remote.href}
            target="_blank"
            rel="noopener noreferrer"
            referrerpolicy="no-referrer"
          >
            Open {file.mime.startsWith("image/") ? "image" : "file"} from {remote.host}
          </a>
        )}
      </figcaption>
      {file.image && <img src={file.image} alt={file.name} />}
    </figure>
  );
}
