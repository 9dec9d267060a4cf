import { constants, crc32, deflateRawSync } from "node:zlib";

/** Samples of a pixel by PNG's colour type: grey, RGB, RGBA. */
const samplesOf = { 0: 1, 2: 3, 6: 4 } as const;

/** A shape of a PNG's pixels. */
export interface ImageShape {
  side: number;
  /** Bits of a sample. */
  bits: 8 | 16;
  colour: keyof typeof samplesOf;
  isInterlaced: boolean;
}

const blockBytes = 1024 ** 2;
/** Where the passes of an interlaced image start, and their steps. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Bytes of an image's rows, each with its filter. */
function rowBytes({ side, bits, colour, isInterlaced }: ImageShape): number {
  const pixelBytes = (bits / 8) * samplesOf[colour];
  const steps = isInterlaced ? passes : ([[0, 0, 1, 1]] as const);
  return steps.reduce((sum, [x, y, stepX, stepY]) => {
    const [width, height] = [Math.ceil((side - x) / stepX), Math.ceil((side - y) / stepY)];
    return sum + height * (1 + width * pixelBytes);
  }, 0);
}

/** So many zeros as zlib writes them; a block is packed once, however many there are. */
function packedZeros(count: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(blockBytes), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const blocks = Array.from({ length: Math.floor(count / blockBytes) }, () => block);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE((count % 65_521) * 65_536 + 1);
  const rest = deflateRawSync(Buffer.alloc(count % blockBytes), { level: 9 });
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, rest, sum]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A whole PNG of black pixels, of a few hundred kilobytes however many they are. */
export function hugePng(shape: ImageShape): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(shape.side, 0);
  header.writeUInt32BE(shape.side, 4);
  header.set([shape.bits, shape.colour, 0, 0, shape.isInterlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", packedZeros(rowBytes(shape))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
