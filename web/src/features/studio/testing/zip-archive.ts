import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive, written as one of the many programs that make archives would. */
export interface ArchiveEntry {
  /** As text for UTF-8, as bytes for other encodings. */
  readonly name: string | Uint8Array;
  readonly data: string | Uint8Array;
  /** Not compressed. */
  readonly isStored?: boolean;
  /** Sizes follow the data, as when the archive is written to a pipe. */
  readonly isStreamed?: boolean;
  /** Without the mark that the name is UTF-8. */
  readonly isUnflagged?: boolean;
  readonly isZip64?: boolean;
  readonly isEncrypted?: boolean;
  /** Kind and rights of the file on Unix, as its upper bits say: `0o120777` for a link, whose bytes are where it leads. */
  readonly unixMode?: number;
  /** Number of the compression that the archive claims. */
  readonly method?: number;
}

const bytesOf = (value: string | Uint8Array) =>
  typeof value === "string" ? Buffer.from(value) : Buffer.from(value);

function numbers(...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const field = Buffer.alloc(size);
      if (size === 8) field.writeBigUInt64LE(BigInt(value));
      else field.writeUIntLE(value, 0, size);
      return field;
    }),
  );
}

/** The bytes of a zip archive. */
export function zipArchive(entries: readonly ArchiveEntry[]): Uint8Array<ArrayBuffer> {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { isStreamed = false, isZip64 = false, unixMode = 0 } = entry;
    const name = bytesOf(entry.name);
    const data = bytesOf(entry.data);
    const packed = entry.isStored === true ? data : deflateRawSync(data, { level: 9 });
    const flags =
      (entry.isEncrypted === true ? 1 : 0) +
      (isStreamed ? 8 : 0) +
      (entry.isUnflagged === true ? 0 : 0x800);
    const method = entry.method ?? (entry.isStored === true ? 0 : 8);
    const size = isZip64 ? 8 : 4;
    const sum = crc32(data);
    const start = numbers([2, isZip64 ? 45 : 20], [2, flags], [2, method], [4, 0x5a21_0000]);
    const sizes = numbers([4, sum], [4, packed.length], [4, data.length]);
    const noSizes = numbers([4, isStreamed ? 0 : sum], [4, 0xffff_ffff], [4, 0xffff_ffff]);
    const extra = isZip64
      ? numbers([2, 1], [2, 16], [8, data.length], [8, packed.length])
      : Buffer.alloc(0);
    const descriptor = isStreamed
      ? numbers([4, 0x0807_4b50], [4, sum], [size, packed.length], [size, data.length])
      : Buffer.alloc(0);
    const localSizes = isZip64 ? noSizes : isStreamed ? Buffer.alloc(12) : sizes;
    const local = Buffer.concat([
      numbers([4, 0x0403_4b50]),
      start,
      localSizes,
      numbers([2, name.length], [2, extra.length]),
      name,
      extra,
      packed,
      descriptor,
    ]);
    directory.push(
      numbers([4, 0x0201_4b50], [2, unixMode === 0 ? 45 : 0x032d]),
      start,
      isZip64 ? numbers([4, sum], [4, 0xffff_ffff], [4, 0xffff_ffff]) : sizes,
      numbers([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0]),
      numbers([4, unixMode * 0x1_0000], [4, offset]),
      name,
      extra,
    );
    bodies.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const count = entries.length;
  const end = numbers(
    [4, 0x0605_4b50],
    [4, 0],
    [2, count],
    [2, count],
    [4, listed.length],
    [4, offset],
    [2, 0],
  );
  return new Uint8Array(Buffer.concat([...bodies, listed, end]));
}
