/** A frame as the encoder made it. A key frame can be shown without the frames before it. */
export interface EncodedFrame {
  readonly timeMs: number;
  readonly isKey: boolean;
  readonly bytes: Uint8Array;
}

const id = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  cues: 0x1c53bb6b,
  cluster: 0x1f43b675,
} as const;

/** An element of Matroska: its id, the length in eight bytes, its content. */
function element(elementId: number, ...content: readonly Uint8Array[]): Buffer {
  const digits = elementId.toString(16);
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 0x01;
  return Buffer.concat([Buffer.from(digits, "hex"), size, body]);
}

function integer(elementId: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(Math.round(value)));
  return element(elementId, bytes);
}

function words(elementId: number, value: string): Buffer {
  return element(elementId, Buffer.from(value));
}

function float(elementId: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(elementId, bytes);
}

function block({ timeMs, isKey, bytes }: EncodedFrame, clusterMs: number): Buffer {
  const head = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0]);
  head.writeInt16BE(timeMs - clusterMs, 1);
  return element(0xa3, head, bytes);
}

/** One cluster from each key frame to the next, so that a player finds them by the cues. */
function toClusters(frames: readonly EncodedFrame[]): { timeMs: number; bytes: Buffer }[] {
  const groups: EncodedFrame[][] = [];
  for (const frame of frames) {
    if (frame.isKey) groups.push([]);
    groups.at(-1)?.push(frame);
  }
  return groups.map((group) => {
    const timeMs = group[0]?.timeMs ?? 0;
    const blocks = group.map((frame) => block(frame, timeMs));
    return { timeMs, bytes: element(id.cluster, integer(0xe7, timeMs), ...blocks) };
  });
}

function toCues(places: readonly { timeMs: number; position: number }[]): Buffer {
  return element(
    id.cues,
    ...places.map(({ timeMs, position }) =>
      element(
        0xbb,
        integer(0xb3, timeMs),
        element(0xb7, integer(0xf7, 1), integer(0xf1, position)),
      ),
    ),
  );
}

export interface WebmTrack {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
}

/** A WebM file with one VP9 track, in the colours of BT.709, that can be sought without reading it all. */
export function toWebm(track: WebmTrack, frames: readonly EncodedFrame[]): Buffer {
  const header = element(
    id.header,
    integer(0x4286, 1),
    integer(0x42f7, 1),
    integer(0x42f2, 4),
    integer(0x42f3, 8),
    words(0x4282, "webm"),
    integer(0x4287, 4),
    integer(0x4285, 2),
  );
  const info = element(
    id.info,
    integer(0x2ad7b1, 1_000_000),
    float(id.duration, track.durationMs),
    words(0x4d80, "fourfold films"),
    words(0x5741, "fourfold films"),
  );
  const colour = element(
    0x55b0,
    integer(0x55b1, 1),
    integer(0x55b9, 1),
    integer(0x55ba, 1),
    integer(0x55bb, 1),
  );
  const video = element(0xe0, integer(0xb0, track.width), integer(0xba, track.height), colour);
  const entry = element(
    0xae,
    integer(0xd7, 1),
    integer(0x73c5, 1),
    integer(0x83, 1),
    integer(0x9c, 0),
    words(0x86, "V_VP9"),
    video,
  );
  const tracks = element(id.tracks, entry);
  const clusters = toClusters(frames);
  // Positions have a fixed length, so the cues are as long with the right ones as without.
  const before = info.length + tracks.length + toCues(clusters.map(withPosition(0))).length;
  let position = before;
  const places = clusters.map(({ timeMs, bytes }) => {
    const place = { timeMs, position };
    position += bytes.length;
    return place;
  });
  const bodies = clusters.map(({ bytes }) => bytes);
  return Buffer.concat([header, element(id.segment, info, tracks, toCues(places), ...bodies)]);
}

function withPosition(position: number) {
  return ({ timeMs }: { timeMs: number }) => ({ timeMs, position });
}

/** Seconds that a file of `toWebm` says it lasts. Throws when it says nothing. */
export function webmSeconds(file: Buffer): number {
  const mark = Buffer.from(id.duration.toString(16), "hex");
  const at = file.subarray(0, 1024).indexOf(mark);
  if (file.readUInt32BE(0) !== id.header || at < 0) throw new Error("The film has no duration.");
  return file.readDoubleBE(at + mark.length + 8) / 1000;
}
