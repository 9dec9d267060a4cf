import { describe, expect, it } from "vitest";
import { croppedArea } from "@/lib/reencode-image.ts";

describe("the square of a picture", () => {
  it.each([
    [900, 600, 150, 0, 600],
    [600, 901, 0, 150, 600],
    [40, 40, 0, 0, 40],
    [1, 5000, 0, 2499, 1],
  ])("of %i × %i begins at %i, %i and measures %i", (width, height, left, top, side) => {
    const area = croppedArea(width, height, { ratio: 1, position: 0.5 });
    expect(area).toEqual({ left, top, width: side, height: side });
  });
});
