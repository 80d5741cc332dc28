// A ZIP archive of a few entries, the same bytes for the same entries.
import { crc32, deflateRawSync } from "node:zlib";

/** 12 January 2026, 9:30, as MS-DOS tells it. */
const [TIME, DATE] = [(9 << 11) | (30 << 5), ((2026 - 1980) << 9) | (1 << 5) | 12];

/** What the local and the central header of an entry share. */
function shared({ method, crc, packed, size, name }) {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(0x0800, 2); // names are UTF-8
  head.writeUInt16LE(method, 4);
  head.writeUInt16LE(TIME, 6);
  head.writeUInt16LE(DATE, 8);
  head.writeUInt32LE(crc, 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(size, 18);
  head.writeUInt16LE(name.length, 22);
  return head;
}

const signature = (...bytes) => Buffer.from([0x50, 0x4b, ...bytes]);

/**
 * The archive.
 *
 * @param {[name: string, text: string][]} entries
 * @param {{ isStored?: boolean }} [options] stored; deflated otherwise
 */
export function archive(entries, { isStored = false } = {}) {
  const [local, central] = [[], []];
  let offset = 0;
  for (const [path, text] of entries) {
    const data = Buffer.from(text);
    const entry = {
      ...{ method: isStored ? 0 : 8, crc: crc32(data), size: data.length },
      ...{ packed: isStored ? data : deflateRawSync(data, { level: 9 }), name: Buffer.from(path) },
    };
    const head = shared(entry);
    const written = Buffer.concat([signature(3, 4), head, entry.name, entry.packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(signature(1, 2), Buffer.from([20, 0]), head, place, entry.name);
    local.push(written);
    offset += written.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, list, signature(5, 6), end]);
}
