import type { Metadata } from "sharp";
import { describe, expect, test } from "vitest";
import { assertDecodable, DecodeQueue } from "./image-decoder.ts";

const photo = {
  format: "jpeg",
  width: 8000,
  height: 6000,
  depth: "uchar",
  channels: 3,
  isProgressive: false,
  chromaSubsampling: "4:2:0",
} as unknown as Metadata;

describe("an image", () => {
  test.each([
    ["a photo of a phone", {}],
    [
      "a scan of 16 bits",
      { format: "png", width: 4000, height: 4000, depth: "ushort", channels: 4 },
    ],
    ["an interlaced screenshot", { format: "png", width: 4000, height: 3000, isProgressive: true }],
    ["a short animation", { format: "webp", width: 800, height: 600 * 40, pages: 40, channels: 4 }],
  ])("that is %s is decoded", (_name, differs) => {
    expect(() => assertDecodable({ ...photo, ...differs } as Metadata)).not.toThrow();
  });

  test.each([
    ["more pixels than a photo", { width: 10_000, height: 6000 }],
    [
      "16 bits and 49 million pixels",
      { format: "png", width: 7000, height: 7000, depth: "ushort", channels: 4 },
    ],
    [
      "interlaced lines of 36 million pixels",
      { format: "png", width: 6000, height: 6000, isProgressive: true },
    ],
    ["as many scans of 48 million pixels", { isProgressive: true }],
    ["samples of eight bytes", { width: 6000, height: 5000, depth: "double" }],
    [
      "frames that are too many together",
      { format: "webp", width: 2000, height: 2000 * 13, pages: 13 },
    ],
  ])("with %s is refused by its header", (_name, differs) => {
    expect(() => assertDecodable({ ...photo, ...differs } as Metadata)).toThrow("too many pixels");
  });
});

/** Work that ends when it is told to. */
function work(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    end: resolve,
    run: async () => {
      log.push(name);
      await promise;
    },
  };
}

const limits = { concurrent: 1, queued: 3, queuedPerAccount: 2, waitMs: 600_000 };

describe("the queue of images", () => {
  test("decodes one at a time, and accounts take turns", async () => {
    const queue = new DecodeQueue(limits);
    const log: string[] = [];
    const [a1, a2, a3, b1] = ["a1", "a2", "a3", "b1"].map((name) => work(log, name));
    const all = [
      queue.run("a", a1!.run),
      queue.run("a", a2!.run),
      queue.run("a", a3!.run),
      queue.run("b", b1!.run),
    ];
    const ends = [a1, a2, b1, a3];
    for (const [index, each] of ends.entries()) {
      await expect.poll(() => log.length).toBe(index + 1);
      each?.end();
    }
    await Promise.all(all);
    expect(log).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("refuses what an account has too much of, and everybody when it is full", async () => {
    const queue = new DecodeQueue(limits);
    const log: string[] = [];
    const first = work(log, "first");
    const running = queue.run("a", first.run);
    const nothing = async () => await Promise.resolve();
    const waiting = [queue.run("a", nothing), queue.run("a", nothing), queue.run("b", nothing)];
    await expect(queue.run("a", nothing)).rejects.toMatchObject({
      httpStatus: 429,
      retryAfterS: 5,
    });
    await expect(queue.run("c", nothing)).rejects.toMatchObject({
      httpStatus: 503,
      retryAfterS: 5,
    });
    first.end();
    await Promise.all([running, ...waiting]);
    await expect(queue.run("c", nothing)).resolves.toBeUndefined();
  });

  test("takes whatever the server itself brings, in turn with the accounts", async () => {
    const queue = new DecodeQueue({ ...limits, queued: 1, waitMs: 600_000 });
    const log: string[] = [];
    const first = work(log, "first");
    const done = (name: string) => async () => await Promise.resolve(void log.push(name));
    const running = queue.run("a", first.run);
    const server = [1, 2, 3, 4].map(
      async (each) => await queue.run(undefined, done(`server ${each}`)),
    );
    const member = queue.run("b", done("b"));
    first.end();
    await Promise.all([running, ...server, member]);
    expect(log).toEqual(["first", "server 1", "b", "server 2", "server 3", "server 4"]);
  });

  test("goes on after a failure, and gives up what waits too long", async () => {
    const queue = new DecodeQueue({ ...limits, waitMs: 1 });
    const first = work([], "first");
    const running = queue.run("a", async () => {
      await first.run();
      throw new Error("broken");
    });
    await expect(queue.run("b", async () => await Promise.resolve())).rejects.toMatchObject({
      code: "SlowDown",
    });
    first.end();
    await expect(running).rejects.toThrow("broken");
    await expect(queue.run("b", async () => await Promise.resolve(1))).resolves.toBe(1);
  });
});
