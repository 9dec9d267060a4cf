import { expect, it } from "vitest";
import type { HostContext } from "./context.ts";
import { health } from "./health.ts";

const context = { db: { lookups: { query: async () => await Promise.resolve({}) } } };

it("says why the database server is away, and that it is back", async () => {
  let reason: string | undefined;
  const app = health(context as unknown as HostContext, {
    outage: () => reason,
    failedBackups: () => 0,
  });
  const answers = async (path: string) => {
    const answer = await app.request(path);
    return [answer.status, await answer.json()];
  };
  expect(await answers("/healthz")).toEqual([200, { status: "ok" }]);
  reason = "PostgreSQL has ended";
  const away = [503, { status: "database unavailable", reason }];
  expect([await answers("/healthz"), await answers("/readyz")]).toEqual([away, away]);
  reason = undefined;
  expect(await answers("/healthz")).toEqual([200, { status: "ok" }]);
  expect(await answers("/readyz")).toEqual([200, { status: "ready" }]);
});
