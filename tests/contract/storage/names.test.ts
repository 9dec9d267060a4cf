import { statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import { serviceRole } from "../../support/clients.ts";
import { createStorageAccount, type TestAccount } from "./accounts.ts";

let ada: TestAccount;

beforeAll(async () => {
  ada = await createStorageAccount();
});

/** Puts a file under the name exactly as it is, without the client tidying it. */
async function put(name: string): Promise<Response> {
  return await fetch(
    `${inject("host").url}/storage/v1/object/drop-box/${encodeURIComponent(name)}`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "text/plain" },
      body: "x",
    },
  );
}

test.each([
  ["a NUL", "a\u0000.txt"],
  ["a way out", "../../../../etc/passwd"],
  ["a way out in the middle", "a/../../b"],
  ["a dot", "./a"],
  ["a backslash", "..\\a"],
  ["a line break", "a\r\nb"],
  ["a letter hosted Supabase does not take", "grün.txt"],
  ["a percent sign", "100%25"],
  ["no end", "a".repeat(1025)],
])("a name with %s is invalid", async (_, name) => {
  const answer = await put(name);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: "InvalidKey" });
});

test("any name is kept unchanged or refused, and never becomes a path on the disk", async () => {
  const characters = fc.constantFrom(...Array.from("ab/._-% ?#&=+\\\u0000\n\u00e9'\"<>:;,!*()$@"));
  const name = fc.string({ unit: characters, minLength: 1, maxLength: 24 });
  const box = serviceRole().storage.from("drop-box");
  const { dataDir } = inject("host");
  await fc.assert(
    fc.asyncProperty(name, async (given) => {
      const answer = await put(given);
      expect([200, 400]).toContain(answer.status);
      // A folder may be called so by chance: objects lie in folders of two letters.
      const path = join(dataDir, "data", "storage", "objects", given.replaceAll("\0", ""));
      expect(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false).toBe(false);
      if (answer.status === 400) {
        expect(["InvalidKey", "Not Found"]).toContain(
          ((await answer.json()) as { error: string }).error,
        );
        return;
      }
      const removed = await box.remove([given]);
      expect(removed.data?.map((object) => object.name)).toEqual([given]);
    }),
    { numRuns: 150 },
  );
});
