/**
 * A place in a recording at which every run waits until `open()`: what has come as far as there is at work for sure.
 *
 * @param {number} [at] the number of a delta; without it nothing waits
 */
export function gate(at = Number.POSITIVE_INFINITY) {
  let open = () => {};
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { open, pass: (seq) => (seq < at ? undefined : opened) };
}
