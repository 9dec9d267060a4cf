/** Reads an archive whose entries are stored without compression. Throws when one is compressed or the end is missing. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  if (end < 0) throw new Error("the archive has no end");
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt16LE(at + 10) !== 0) throw new Error("an entry is compressed");
    const size = bytes.readUInt32LE(at + 20);
    const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const header = bytes.readUInt32LE(at + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    files.set(
      bytes.subarray(at + 46, at + 46 + (name ?? 0)).toString(),
      bytes.subarray(start, start + size),
    );
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
