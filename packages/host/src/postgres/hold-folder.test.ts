import { expect, it } from "vitest";
import type { Queryable } from "./database.ts";
import { FolderInUseError, holdFolder } from "./open-postgres.ts";

/** A database whose folder is held for so many questions, by a host or not. */
function database(heldFor: number, isHost: boolean): { owner: Queryable; asked: () => number } {
  let asked = 0;
  const query = async (sql: string) => {
    const isLock = sql.includes("pg_try_advisory_lock");
    if (isLock) asked += 1;
    return await Promise.resolve({
      rows: [isLock ? { held: asked > heldFor } : { held: isHost }],
    });
  };
  return { owner: { query } as unknown as Queryable, asked: () => asked };
}

it("a command that can work beside a host does not wait for one that serves", async () => {
  const { owner, asked } = database(Infinity, true);
  await expect(holdFolder(owner, "/data", "beside-host")).rejects.toThrow(FolderInUseError);
  expect(asked()).toBe(1);
});

it("a command waits for a host that has been killed, and for another command", async () => {
  const { owner, asked } = database(2, false);
  await holdFolder(owner, "/data", "beside-host");
  expect(asked()).toBe(3);
});

it("a host waits for the one before it, which is stopping", async () => {
  const { owner, asked } = database(2, true);
  await holdFolder(owner, "/data", "host");
  expect(asked()).toBe(3);
});
