import { expect, it, vi } from "vitest";
import { createOwnWritesFetch } from "./own-writes.ts";

function client() {
  let now = 0;
  const send = vi.fn<typeof fetch>(async (input) => {
    const headers = input === "/write" ? { "x-database-written": "true" } : undefined;
    return await Promise.resolve(new Response("{}", headers && { headers }));
  });
  const ask = createOwnWritesFetch(send, { now: () => now });
  return {
    ask,
    at: (ms: number) => (now = ms),
    /** Whether the last request asked for rows that hold the member's writes. */
    asksForOwn: () => new Headers(send.mock.lastCall?.[1]?.headers).get("x-read-after-write"),
  };
}

it("asks for rows that hold an own write for six seconds after one", async () => {
  const { ask, at, asksForOwn } = client();
  await ask("/read");
  expect(asksForOwn()).toBeNull();
  await ask("/write");
  at(6000);
  await ask("/read", { headers: { apikey: "key" } });
  expect(asksForOwn()).toBe("true");
  at(6001);
  await ask("/read");
  expect(asksForOwn()).toBeNull();
});

it("keeps what a request has, and adds nothing for a host without a replica", async () => {
  const { ask, asksForOwn } = client();
  await ask("/other", { method: "POST", headers: { apikey: "key" } });
  await ask("/read");
  expect(asksForOwn()).toBeNull();
});
