// Checks that an MP4 or WebM file really holds a video that browsers play, without decoding it.

import { open, type FileHandle } from "node:fs/promises";

/** Of larger files only this much of the parts that describe the tracks is read. */
const maxDescriptionBytes = 4 * 1024 ** 2;
/** Boxes or elements looked at on one level. */
const maxParts = 2000;
/** Sample entries that browsers play as video. */
const mp4Codecs = new Set(["avc1", "avc3", "hvc1", "hev1", "av01", "vp08", "vp09"]);
const webmCodecs = new Set(["V_VP8", "V_VP9", "V_AV1"]);

interface Part {
  type: string;
  /** First byte of the content, and the byte after it. */
  start: number;
  end: number;
}

/** The box at `at`; undefined when its header or its length is not possible. `length` is that of the file. */
function boxAt(header: Buffer, at: number, end: number): Part | undefined {
  if (header.length < 8) return undefined;
  const type = header.toString("latin1", 4, 8);
  const short = header.readUInt32BE(0);
  if (short === 0) return { type, start: at + 8, end };
  if (short !== 1) return short < 8 ? undefined : { type, start: at + 8, end: at + short };
  if (header.length < 16) return undefined;
  const long = header.readBigUInt64BE(8);
  if (long < 16n || long > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { type, start: at + 16, end: at + Number(long) };
}

/** The boxes between two bytes, none of which reaches beyond the end. */
function boxesIn(bytes: Buffer, { start, end }: Omit<Part, "type">): Part[] {
  const found: Part[] = [];
  for (let at = start; at < end && found.length < maxParts;) {
    const box = boxAt(bytes.subarray(at, Math.min(at + 16, end)), at, end);
    if (box === undefined || box.end > end) break;
    found.push(box);
    at = box.end;
  }
  return found;
}

/** The box that a path of types leads to. */
function boxBelow(bytes: Buffer, part: Part, path: readonly string[]): Part | undefined {
  let here: Part | undefined = part;
  for (const type of path) here = here && boxesIn(bytes, here).find((box) => box.type === type);
  return here;
}

/** True for a track of video in a codec that browsers play. */
function isVideoTrack(bytes: Buffer, track: Part): boolean {
  const handler = boxBelow(bytes, track, ["mdia", "hdlr"]);
  const entries = boxBelow(bytes, track, ["mdia", "minf", "stbl", "stsd"]);
  if (handler === undefined || entries === undefined) return false;
  if (bytes.toString("latin1", handler.start + 8, handler.start + 12) !== "vide") return false;
  // A version, flags and a count come before the entries.
  const [entry] = boxesIn(bytes, { start: entries.start + 8, end: entries.end });
  return entry !== undefined && mp4Codecs.has(entry.type);
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** True for an ISO base media file with a video track and its data. */
async function isMp4(file: FileHandle, size: number): Promise<boolean> {
  let movie: Part | undefined;
  let hasData = false;
  let count = 0;
  for (let at = 0; at < size && count < maxParts; count += 1) {
    const box = boxAt(await read(file, at, 16), at, size);
    // A first box of another kind, or one that reaches beyond the file.
    if (box === undefined || box.end > size || (count === 0 && box.type !== "ftyp")) return false;
    if (box.type === "moov") movie ??= box;
    if (box.type === "mdat" && box.end > box.start) hasData = true;
    if (movie !== undefined && hasData) break;
    at = box.end;
  }
  if (movie === undefined || !hasData) return false;
  const brand = (await read(file, 8, 4)).toString("latin1");
  if (brand.startsWith("qt")) return false;
  const length = movie.end - movie.start;
  if (length > maxDescriptionBytes) return false;
  const bytes = await read(file, movie.start, length);
  const all = boxesIn(bytes, { start: 0, end: bytes.length });
  return all.some((box) => box.type === "trak" && isVideoTrack(bytes, box));
}

const ebml = {
  header: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackType: 0x83,
  codec: 0x86,
  cluster: 0x1f43b675,
} as const;

/** A number of variable length at `at`, and how many bytes it takes; undefined when it is none. */
function variableInteger(bytes: Buffer, at: number, keepsMarker: boolean) {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.length) return undefined;
  let value = keepsMarker ? first : first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const next = bytes[at + index] ?? 0;
    value = value * 256 + next;
    isUnknown &&= next === 0xff;
  }
  return { value, length, isUnknown };
}

interface EbmlElement {
  id: number;
  start: number;
  end: number;
}

/** The element whose header is at the start of `bytes`, which stand at `at` of a part that ends at `end`. */
function elementAt(bytes: Buffer, at: number, end: number): EbmlElement | undefined {
  const id = variableInteger(bytes, 0, true);
  const size = id && variableInteger(bytes, id.length, false);
  if (id === undefined || size === undefined) return undefined;
  const start = at + id.length + size.length;
  // Live recorders do not know the length of a segment or cluster.
  return { id: id.value, start, end: size.isUnknown ? end : start + size.value };
}

function elementsIn(bytes: Buffer): Map<number, Buffer[]> {
  const found = new Map<number, Buffer[]>();
  let count = 0;
  for (let at = 0; at < bytes.length && count < maxParts; count += 1) {
    const element = elementAt(bytes.subarray(at, at + 12), at, bytes.length);
    if (element === undefined || element.end > bytes.length) break;
    const content = bytes.subarray(element.start, element.end);
    found.set(element.id, [...(found.get(element.id) ?? []), content]);
    at = element.end;
  }
  return found;
}

/** Text of an element, which zero bytes may end. */
function textOf(bytes: Buffer | undefined): string {
  let end = bytes?.length ?? 0;
  while (end > 0 && bytes?.[end - 1] === 0) end -= 1;
  return bytes?.toString("latin1", 0, end) ?? "";
}

function isWebmVideo(entry: Buffer): boolean {
  const parts = elementsIn(entry);
  const type = parts.get(ebml.trackType)?.[0];
  return type?.at(-1) === 1 && webmCodecs.has(textOf(parts.get(ebml.codec)?.[0]));
}

/** True for a WebM file with a video track and its data. */
async function isWebm(file: FileHandle, size: number): Promise<boolean> {
  const header = elementAt(await read(file, 0, 12), 0, size);
  if (header?.id !== ebml.header || header.end > Math.min(size, 1024)) return false;
  const description = elementsIn(await read(file, header.start, header.end - header.start));
  if (textOf(description.get(ebml.docType)?.[0]) !== "webm") return false;
  const segment = elementAt(await read(file, header.end, 12), header.end, size);
  if (segment?.id !== ebml.segment || segment.end > size) return false;
  let hasVideo = false;
  let hasData = false;
  let count = 0;
  for (let at = segment.start; at < segment.end && count < maxParts; count += 1) {
    const element = elementAt(await read(file, at, 12), at, segment.end);
    if (element === undefined || element.end > segment.end) return false;
    if (element.id === ebml.tracks) {
      const length = element.end - element.start;
      if (length > maxDescriptionBytes) return false;
      const tracks = elementsIn(await read(file, element.start, length));
      hasVideo ||= (tracks.get(ebml.trackEntry) ?? []).some(isWebmVideo);
    }
    hasData ||= element.id === ebml.cluster;
    if (hasVideo && hasData) return true;
    at = element.end;
  }
  return false;
}

/**
 * The type of a film that browsers play, by its container, its tracks and their codecs; undefined for other files. Reads
 * the description of the tracks alone, with bounds on all that it follows.
 */
export async function playableFilmType(
  path: string,
): Promise<"video/mp4" | "video/webm" | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (await isMp4(file, size)) return "video/mp4";
    return (await isWebm(file, size)) ? "video/webm" : undefined;
  } finally {
    await file.close();
  }
}
