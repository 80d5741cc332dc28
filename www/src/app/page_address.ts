import { fileQuery, shortAddress } from "../core/page/address";
import type { Source } from "../core/rpc";
import { sampleNamed } from "./samples";

/**
 * What the page's address says is open, so that loading the page again opens it again. Without a page to
 * itself the viewer keeps off it.
 */
export class PageAddress {
  constructor(
    private readonly hasPage: boolean,
    /** What stays in it while a transcript is named: the list that what is open is one of. */
    private readonly stays: () => string,
  ) {}

  /** Names what was opened; of a file that is only here its name, so that a link can ask for it. */
  name(source: Source, name: string): void {
    if (!this.hasPage) return;
    if (source.kind === "url") {
      this.show("src", source.url);
      return;
    }
    const sample = source.kind === "text" ? sampleNamed(name) : undefined;
    this.write(sample ? `?src=samples/${sample}` : fileQuery(name));
  }

  /** Names a transcript or a stream by its address. */
  show(field: "src" | "live", url: string): void {
    if (!this.hasPage) return;
    const list = field === "src" ? this.stays() : "";
    const search = `?${list && `${list}&`}${field}=${shortAddress(url)}`;
    if (field === "live" && search === location.search) return;
    this.write(search);
  }

  /** Names nothing but the list: what was open before must not come up again. */
  nothing(): void {
    const list = this.stays();
    if (this.hasPage) this.write(list && `?${list}`);
  }

  private write(search: string): void {
    history.replaceState(history.state, "", `${location.pathname}${search}`);
  }
}
