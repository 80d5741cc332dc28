// IP addresses: how they are written, and which of them lead to the public Internet.

/** What is not public: this machine, private networks, and whatever may lead there. */
const NOT_PUBLIC = [
  "0.0.0.0/8", // this network: 0.0.0.0 connects to this machine
  "10.0.0.0/8", // private
  "100.64.0.0/10", // CGNAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local: the metadata of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // for protocols
  "192.0.2.0/24", // for documentation
  "192.88.99.0/24", // relays of 6to4, which are no more
  "192.168.0.0/16", // private
  "198.18.0.0/15", // for benchmarks
  "198.51.100.0/24", // for documentation
  "203.0.113.0/24", // for documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "::/96", // unspecified, loopback, and IPv4-compatible
  "::ffff:0:0/96", // IPv4-mapped
  "::ffff:0:0:0/96", // IPv4-translated
  "64:ff9b::/96", // IPv4 behind NAT64
  "64:ff9b:1::/48", // the same, local
  "100::/64", // discarded
  "2001::/32", // IPv4 in Teredo
  "2001:db8::/32", // for documentation
  "2002::/16", // IPv4 in 6to4
  "3fff::/20", // for documentation
  "5f00::/16", // identifiers of segment routing
  "fc00::/7", // unique local (ULA)
  "fe80::/10", // link-local
  "fec0::/10", // site-local
  "ff00::/8", // multicast
];

/** A number of an IPv4 address: decimal, octal after `0`, hexadecimal after `0x`. */
function numberOf(text: string) {
  if (/^0x[\da-f]*$/i.test(text)) return text.length === 2 ? 0n : BigInt(text);
  if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text.slice(1)}`);
  return /^(?:0|[1-9]\d*)$/.test(text) ? BigInt(text) : undefined;
}

/** The value of an IPv4 address in every spelling that programs take: the last number fills what is left. */
function ipv4(text: string) {
  if (text.length > 64) return undefined;
  const numbers: bigint[] = [];
  for (const part of text.replace(/\.$/, "").split(".")) {
    const number = numberOf(part);
    if (number === undefined || numbers.length === 4) return undefined;
    numbers.push(number);
  }
  const last = numbers.pop() ?? 0n;
  if (numbers.some((number) => number > 255n)) return undefined;
  const left = BigInt(8 * (4 - numbers.length));
  if (last >> left !== 0n) return undefined;
  return (numbers.reduce((value, number) => (value << 8n) | number, 0n) << left) | last;
}

/** The groups of a part of an IPv6 address; its end may be an IPv4 address, which are two of them. */
function groupsOf(text: string) {
  if (text === "") return [];
  const groups: bigint[] = [];
  const pieces = text.split(":");
  for (const [i, piece] of pieces.entries()) {
    if (/^[\da-f]{1,4}$/i.test(piece)) {
      groups.push(BigInt(`0x${piece}`));
      continue;
    }
    const isQuad = i === pieces.length - 1 && /^\d+\.\d+\.\d+\.\d+$/.test(piece);
    const value = isQuad ? ipv4(piece) : undefined;
    if (value === undefined) return undefined;
    groups.push(value >> 16n, value & 0xffffn);
  }
  return groups;
}

/** The value of an IPv6 address. */
function ipv6(text: string) {
  if (text.length > 64) return undefined;
  const halves = text.split("::");
  const [head, tail] = [groupsOf(halves[0] ?? ""), groupsOf(halves[1] ?? "")];
  if (halves.length > 2 || head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...new Array<bigint>(missing).fill(0n), ...tail];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

/** The bits of an address, and how many they are. */
interface Address {
  value: bigint;
  bits: bigint;
}

/** The address that a string is; undefined if it is not one. */
function parsed(text: string): Address | undefined {
  const bare = /^\[.*\]$/s.test(text) ? text.slice(1, -1) : text;
  const isSix = bare.includes(":");
  const value = isSix ? ipv6(bare) : ipv4(bare);
  return value === undefined ? undefined : { value, bits: isSix ? 128n : 32n };
}

/** Addresses that begin with the same bits. */
interface Range {
  bits: bigint;
  /** How many bits come after those. */
  rest: bigint;
  prefix: bigint;
}

let ranges: Range[] | undefined;
function notPublic() {
  ranges ??= NOT_PUBLIC.map((range) => {
    const [address = "", length = ""] = range.split("/");
    const { value, bits } = parsed(address) ?? { value: 0n, bits: 0n };
    const rest = bits - BigInt(length);
    return { bits, rest, prefix: value >> rest };
  });
  return ranges;
}

/** Whether a string is an IP address, with or without the brackets of a URL. */
export const isAddress = (text: string): boolean =>
  parsed(text.replace(/%[^\]]*/, "")) !== undefined;

/**
 * Whether a string is an IP address of the public Internet. With a zone (`%eth0`) it is one of a network of this
 * machine.
 */
export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  if (address === undefined) return false;
  const { value, bits } = address;
  return !notPublic().some((range) => range.bits === bits && value >> range.rest === range.prefix);
}

/** Whether a name means this machine, whatever a resolver says. */
export const isLocalName = (name: string): boolean =>
  /^(?:.*\.)?localhost(?:\.localdomain)?\.?$|^ip6-(?:localhost|loopback)\.?$/i.test(name);

/** An address as it is connected to: without brackets. */
export const bareAddress = (text: string): string => text.replace(/^\[(.*)\]$/s, "$1");
