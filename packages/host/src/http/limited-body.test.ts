import { describe, expect, test } from "vitest";
import { readLimitedBody } from "./limited-body.ts";

/** A request whose body comes in chunks of this many bytes, and how many of them were taken. */
function sending(...sizes: number[]): { request: Request; taken: () => number } {
  const waiting = [...sizes];
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const size = waiting.shift();
        if (size === undefined) controller.close();
        else controller.enqueue(new Uint8Array(size).fill(65));
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  return {
    request: new Request("http://host.test/", init),
    taken: () => sizes.length - waiting.length,
  };
}

describe("a body within a limit", () => {
  test("is read whole, up to the last byte that may be", async () => {
    expect((await readLimitedBody(sending(4, 6).request, 10))?.toString()).toBe("A".repeat(10));
    expect(await readLimitedBody(new Request("http://host.test/"), 10)).toHaveLength(0);
  });

  test("is refused one byte later, and the rest is left unread", async () => {
    const long = sending(4, 7, 100, 100);
    expect(await readLimitedBody(long.request, 10)).toBeUndefined();
    expect(long.taken()).toBe(2);
  });

  test("is received a while longer for clients that read no answer before", async () => {
    const long = sending(11, 10, 10, 10, 10);
    expect(await readLimitedBody(long.request, 10, { drainBytes: 20 })).toBeUndefined();
    expect(long.taken()).toBe(3);
  });

  test("is refused by its declared length alone", async () => {
    const request = new Request("http://host.test/", {
      method: "POST",
      body: "A".repeat(11),
      headers: { "content-length": "11" },
    });
    expect(await readLimitedBody(request, 10)).toBeUndefined();
    expect(request.bodyUsed).toBe(false);
  });
});
