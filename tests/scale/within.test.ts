import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { within } from "./within.ts";

it("gives what it waits for", async () => {
  expect(await within(60_000, "a socket joins", sleep(5, "joined"))).toBe("joined");
});

it("says what did not come in time", async () => {
  const never = new Promise(() => undefined);
  await expect(within(20, "a socket joins", never)).rejects.toThrow(
    "a socket joins: not within 20 ms",
  );
});
