import { describe, expect, it } from "vitest";
import { captionOf, messagePictureName, pictureBox, withKnownFile } from "./message-picture.ts";

const picture = { name: "a.jpg", file: null, width: 40, height: 20, alt: "" };

describe("the place of a picture in the list", () => {
  it.each([
    [1600, 800, 420, 2],
    [800, 1600, 160, 0.5],
    [1600, 1600, 320, 1],
    [200, 100, 200, 2],
    [20, 20, 64, 1],
    // Cut at its ends.
    [1600, 100, 420, 3],
    [100, 1600, 100, 0.5],
  ])("of %i × %i is %i wide", (width, height, wide, ratio) => {
    expect(pictureBox({ width, height })).toEqual({ width: wide, ratio });
  });
});

describe("the picture of a message", () => {
  it("stands without the word that the database writes in place of a text", () => {
    expect(captionOf({ content: "Picture", picture })).toBe("");
    expect(captionOf({ content: "Picture", picture: null })).toBe("Picture");
    expect(captionOf({ content: "My picture", picture })).toBe("My picture");
  });

  it("is named after author, message and what it is", () => {
    const file = (type: string) => new File([], "holiday.webp", { type });
    expect(messagePictureName("ada", "m1", file("image/jpeg"))).toBe("ada-m1.jpg");
    expect(messagePictureName("ada", "m1", file("image/png"))).toBe("ada-m1.png");
  });

  it("keeps the file this page has sent, unless it is gone or another one", () => {
    const sent = { ...picture, file: new File([], "a.jpg") };
    expect(withKnownFile({ ...picture, alt: "New" }, sent)).toEqual({ ...sent, alt: "New" });
    expect(withKnownFile(undefined, sent)).toBe(sent);
    expect(withKnownFile(null, sent)).toBeNull();
    expect(withKnownFile({ ...picture, name: "b.jpg" }, sent)?.file).toBeNull();
  });
});
