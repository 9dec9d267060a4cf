import sharp from "sharp";
import { expect, test } from "vitest";
import { hugePng } from "./huge-images.ts";

test.each([
  { side: 100, bits: 16, colour: 6, isInterlaced: true, depth: "ushort", channels: 4 },
  { side: 700, bits: 8, colour: 2, isInterlaced: false, depth: "uchar", channels: 3 },
  { side: 1500, bits: 16, colour: 0, isInterlaced: true, depth: "ushort", channels: 1 },
] as const)("makes a whole image: %o", async ({ depth, channels, ...shape }) => {
  const image = sharp(hugePng(shape), { failOn: "warning" });
  expect(await image.metadata()).toMatchObject({
    format: "png",
    width: shape.side,
    height: shape.side,
    depth,
    channels,
    isProgressive: shape.isInterlaced,
  });
  const { data, info } = await image.raw({ depth }).toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: shape.side, height: shape.side });
  expect(data.equals(Buffer.alloc(data.length))).toBe(true);
});

test("is small, whatever it promises", () => {
  const bomb = hugePng({ side: 7000, bits: 16, colour: 6, isInterlaced: true });
  expect(bomb.length).toBeLessThan(500_000);
});
