import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId } from "@/app/testing/test-app.tsx";
import { contentPictureAddress } from "@/domain/content-pictures.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { placePictures, type PlacedPictures } from "./api/place-pictures.ts";

beforeEach(() => {
  const context = { drawImage: vi.fn(), fillRect: vi.fn() } as unknown as GPUCanvasContext;
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context);
});
afterEach(() => vi.restoreAllMocks());

/** A storage with these pictures of the caller, which remembers what is sent to it. */
function storageWith(...names: readonly string[]) {
  const sent: string[] = [];
  const bucket = {
    list: async (_folder: string, { search }: { search: string }) =>
      await Promise.resolve({ data: names.filter((n) => n === search).map((name) => ({ name })) }),
    upload: async (path: string) => {
      sent.push(path);
      return await Promise.resolve({
        data: { path: `${adaId}-${sent.length}00.png` },
        error: null,
      });
    },
  };
  const client = { storage: { from: () => bucket } } as unknown as BackendClient;
  return { client, sent };
}

const own = `${adaId}-1.png`;
const others = "22222222-2222-4222-8222-222222222222-1.png";

function contentWith(text: string, cover: string | null) {
  const lesson = { slug: "begin", title: "Begin", content: text, minutes: null, videoUrl: null };
  return {
    title: "Study",
    subcategoryId: null,
    slug: "study",
    excerpt: "",
    tags: [],
    content: text,
    difficulty: "beginner",
    price: 0,
    modules: [lesson],
    cover,
  } as const;
}

describe("the pictures of an import", () => {
  it("are stored among the mentor's own, and named by the texts and the cover", async () => {
    const { client, sent } = storageWith();
    const pictures = new Map(
      ["boats.png", others].map((name) => [`pictures/${name}`, new Blob(["x"])]),
    );
    const text = `![Boats](pictures/boats.png) ![Rope](pictures/${others}#1600x900)`;
    const content = contentWith(text, "pictures/boats.png");
    const placed: PlacedPictures = new Map();
    const whole = await placePictures(client, adaId, { pictures }, content, placed);
    const [boats, rope] = [100, 200].map((n) => contentPictureAddress(`${adaId}-${n}.png`));
    // 40 × 20 pixels is what was drawn.
    const written = `![Boats](${boats}#40x20) ![Rope](${rope}#40x20)`;
    expect(whole).toMatchObject({ content: written, cover: boats });
    expect(whole.modules[0]?.content).toBe(written);
    // A second try sends none again.
    expect(await placePictures(client, adaId, { pictures }, content, placed)).toEqual(whole);
    expect(sent).toHaveLength(2);
  });

  it("keep their names when they were exported here and are still stored", async () => {
    const { client, sent } = storageWith(own);
    const pictures = new Map([[`pictures/${own}`, new Blob(["x"])]]);
    const content = contentWith(`![Boats](pictures/${own}#16x9)`, `pictures/${own}`);
    const whole = await placePictures(client, adaId, { pictures }, content, new Map());
    const address = contentPictureAddress(own);
    expect(whole).toMatchObject({ content: `![Boats](${address}#16x9)`, cover: address });
    expect(sent).toEqual([]);
    const gone = await placePictures(storageWith().client, adaId, { pictures }, content, new Map());
    expect(gone.cover).toBe(contentPictureAddress(`${adaId}-100.png`));
  });
});
