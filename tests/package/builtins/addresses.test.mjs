// Which addresses belong to the public Internet, in every spelling.
import assert from "node:assert/strict";
import { test } from "node:test";
import { imported } from "./source.mjs";

const { bareAddress, isAddress, isLocalName, isPublicAddress } = await imported(
  "tools/builtins/addresses.ts",
);

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.0.3.0",
  "192.88.98.255",
  "198.51.101.0",
  "203.0.112.255",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "[2606:4700:4700::1111]",
  "2003::1",
  "2001:4860:4860::8888",
  "64:ff9c::1",
  "fbff::1",
  "100:0:0:1::1",
  "2001:db7:ffff::1",
  "3ffe::1",
  "3fff:1000::1",
  "5eff::1",
  "5f01::1",
];

const NOT_PUBLIC = [
  ["this network", "0.0.0.0", "0.255.255.255", "0"],
  ["private", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1"],
  ["CGNAT", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1", "[::1]"],
  ["link-local", "169.254.169.254", "fe80::1", "febf::1"],
  ["for protocols and benchmarks", "192.0.0.0", "192.0.0.255", "198.18.0.0", "198.19.255.255"],
  ["for documentation", "192.0.2.1", "198.51.100.255", "203.0.113.0", "2001:db8::1", "3fff:fff::1"],
  ["discarded, and for routers", "100::1", "100::ffff", "192.88.99.1", "5f00::1", "5f00:ffff::1"],
  ["multicast and reserved", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "ff02::1"],
  ["unique local, site-local", "fc00::1", "fdff::1", "fec0::1"],
  ["IPv4 in IPv6", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::7f00:1", "::8.8.8.8"],
  ["translated IPv4", "64:ff9b::1.2.3.4", "64:ff9b:1::1", "::ffff:0:7f00:1", "2002:7f00:1::1"],
  ["Teredo", "2001::1", "2001:0:ffff::1"],
  ["unspecified", "::", "[::]", "0:0:0:0:0:0:0:0"],
  ["with a zone", "fe80::1%eth0", "2606:4700::1%1", "[fe80::1%25eth0]", "8.8.8.8%lo"],
  ["odd spellings", "127.1", "0x7f.1", "2130706433", "0x7f000001", "017700000001", "0177.0.0.1"],
  ["more of them", "127.0.1", "0X7F.0.0.1", "0xA9FEA9FE", "0300.0250.1", "127.0.0.1."],
  ["no addresses", "", ".", "1.2.3.4.5", "256.1.1.1", "1.1.1.256", "08.1.1.1", "a"],
  [
    "nor these",
    "example.com",
    "::1::",
    ":::",
    "1:2:3",
    "1:2:3:4:5:6:7:8:9",
    "12345::",
    "1.2.3.4:80",
  ],
  [
    "nor these",
    "1::2:3:4:5:6:7:8",
    "::1.2.3",
    "::1.2.3.4.5",
    "::g",
    " 8.8.8.8",
    "4294967296",
    "-1",
  ],
];

test("public addresses", () => {
  for (const address of PUBLIC) assert.ok(isPublicAddress(address), address);
});

for (const [what, ...addresses] of NOT_PUBLIC) {
  test(`not public: ${what}: ${addresses.join(" ")}`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
  });
}

test("a text of any length and kind is read in proportion to it", () => {
  for (const piece of ["1", "1.", "0x", ":", "::", "1:", "[", "%", "\0", "١", "１"]) {
    assert.equal(isPublicAddress(piece.repeat(100_000)), false);
  }
});

test("every address within a range is in it, and no other (random addresses)", () => {
  const dotted = (n) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join(".");
  const ranges = [
    [0, 8],
    [10 << 24, 8],
    [(100 << 24) | (64 << 16), 10],
    [127 << 24, 8],
    [(169 << 24) | (254 << 16), 16],
    [(172 << 24) | (16 << 16), 12],
    [192 << 24, 24],
    [(192 << 24) | (168 << 16), 16],
    [(198 << 24) | (18 << 16), 15],
    [224 << 24, 4],
    [240 << 24, 4],
  ];
  const isIn = (n) => ranges.some(([start, length]) => (n ^ start) >>> (32 - length) === 0);
  let seed = 1;
  for (let i = 0; i < 20_000; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    // Half of them near the edges.
    const [start, length] = ranges[seed % ranges.length];
    const edge = (start + (seed & 1 ? -1 : 2 ** (32 - length))) >>> 0;
    for (const n of [seed, edge, start >>> 0]) {
      assert.equal(isPublicAddress(dotted(n)), !isIn(n), dotted(n));
      const mapped = `::ffff:${dotted(n)}`;
      assert.equal(isPublicAddress(mapped), false, mapped);
      assert.equal(isPublicAddress(String(n)), !isIn(n));
      assert.equal(isPublicAddress(`0x${n.toString(16)}`), !isIn(n));
    }
  }
});

test("addresses and names of this machine", () => {
  for (const text of ["127.0.0.1", "[::1]", "fe80::1%eth0", "0x7f.1"]) assert.ok(isAddress(text));
  for (const text of ["localhost", "a.b", "::x", ""]) assert.equal(isAddress(text), false);
  for (const name of ["localhost", "LOCALHOST.", "a.localhost", "localhost.localdomain"]) {
    assert.ok(isLocalName(name), name);
  }
  for (const name of ["localhost.example.com", "notlocalhost", "local", "example.com"]) {
    assert.equal(isLocalName(name), false, name);
  }
  assert.equal(bareAddress("[::1]"), "::1");
  assert.equal(bareAddress("1.1.1.1"), "1.1.1.1");
});
