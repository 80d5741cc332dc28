// What the tools over one host share.

/** A function that gives each host its own, made when it is first asked for. */
export function perHost(make) {
  const made = new WeakMap();
  return (host) => {
    const known = made.get(host);
    if (known !== undefined) return known;
    const own = make();
    made.set(host, own);
    return own;
  };
}
