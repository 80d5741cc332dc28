// Valid ids that ascend with time.

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HEX = "0123456789abcdef";

/** Generates ids in the form of OpenCode (`msg_` …), or UUIDs of version 7. */
export function idSource(rng, style) {
  let last = 0;
  let counter = 0;
  return (prefix, time) => {
    const ms = Math.max(last, Math.floor(time));
    counter = ms === last ? counter + 1 : 1;
    last = ms;
    if (style === "opencode") {
      // 48 bits: the time, and a counter within the millisecond.
      const bits = (BigInt(ms) * 4096n + BigInt(counter)) & 0xffffffffffffn;
      const place = prefix === "ses" ? 0xffffffffffffn - bits : bits; // the newest session first
      return `${prefix}_${place.toString(16).padStart(12, "0")}${rng.text(LETTERS, 14)}`;
    }
    const hex = ms.toString(16).padStart(12, "0");
    const order = counter.toString(16).padStart(3, "0").slice(-3);
    const rest = `${rng.text("89ab", 1)}${rng.text(HEX, 3)}-${rng.text(HEX, 12)}`;
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${order}-${rest}`;
  };
}
