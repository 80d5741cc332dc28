// What the tools over one host share.
import type { Host } from "./types.ts";

/** A function that gives each host its own, made when it is first asked for. */
export function perHost<Own>(create: () => Own): (host: Host) => Own {
  const all = new WeakMap<Host, Own>();
  return (host) => {
    const known = all.get(host);
    if (known !== undefined) return known;
    const own = create();
    all.set(host, own);
    return own;
  };
}
