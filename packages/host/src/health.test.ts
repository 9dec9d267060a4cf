import { afterEach, expect, it, vi } from "vitest";
import type { HostContext } from "./context.ts";
import { health } from "./health.ts";

afterEach(() => vi.useRealTimers());

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

it("is not ready while the database gives no answer, and asks it once alone", async () => {
  vi.useFakeTimers();
  const answer = Promise.withResolvers<object>();
  const query = vi.fn(async () => await answer.promise);
  const app = health({ db: { lookups: { query } } } as unknown as HostContext, {
    outage: () => undefined,
    failedBackups: () => 0,
  });
  const ask = async () => (await app.request("/readyz")).status;
  const asked = [ask(), ask()];
  await vi.advanceTimersByTimeAsync(5000);
  expect(await Promise.all(asked)).toEqual([503, 503]);
  expect(query).toHaveBeenCalledOnce();
  answer.resolve({});
  expect(await ask()).toBe(200);
});
