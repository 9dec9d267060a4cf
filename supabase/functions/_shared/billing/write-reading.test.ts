import { describe, expect, it } from "vitest";
import { writeReading } from "./write-reading.ts";

const event = { id: "evt_1", type: "customer.subscription.updated" };

/** A database that gives the versions 1, 2, 3 and so on, and knows the events that were applied. */
function database(...applied: string[]) {
  let version = 0;
  return {
    nextVersion: async (asked?: string) => {
      version += 1;
      return await Promise.resolve(applied.includes(asked ?? "") ? null : version);
    },
  };
}

describe("a reading", () => {
  it("that another one overlapped is read again under a new version", async () => {
    const outcomes = ["overlapping", "overlapping", "applied", "applied"];
    const written = await writeReading(database(), event, async (version) => {
      return await Promise.resolve({ version, outcome: outcomes[version - 1] ?? "" });
    });
    expect(written).toEqual({ version: 3, outcome: "applied" });
  });

  it.each(["stale", "duplicate", "unknown_customer"])(
    "that is %s stays as it is",
    async (outcome) => {
      const written = await writeReading(database(), event, async (version) => {
        return await Promise.resolve({ version, outcome });
      });
      expect(written).toEqual({ version: 1, outcome });
    },
  );

  it("for an event that was applied is not made", async () => {
    const read = async () => await Promise.reject(new Error("read"));
    expect(await writeReading(database(event.id), event, read)).toBeNull();
  });

  it("of what never stands still ends", async () => {
    const read = async () => await Promise.resolve({ outcome: "overlapping" });
    await expect(writeReading(database(), undefined, read)).rejects.toThrow("ten readings");
  });
});
