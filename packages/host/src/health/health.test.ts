import { afterEach, describe, expect, it, vi } from "vitest";
import type { HostContext } from "../context.ts";
import type { HealthCheck } from "./health-check.ts";
import { createHealth, healthRoutes, type HealthReport } from "./health.ts";

afterEach(() => vi.useRealTimers());

const fine: HealthCheck = { state: "ok" };
const report: HealthReport = {
  outage: () => undefined,
  isLeaving: () => false,
  failedBackups: () => undefined,
  disk: async () => await Promise.resolve(fine),
  jobs: () => fine,
  realtime: () => ({}),
  failedMails: () => 0,
  programChecks: async () => await Promise.resolve({}),
};

/** A host's routes, with what it finds out replaced. */
function routes(
  changes: Partial<HealthReport> = {},
  query: () => Promise<object> = async () => await Promise.resolve({}),
) {
  const context = { db: { lookups: { query } } } as unknown as HostContext;
  const mayAsk = (request: Request) => request.headers.has("authorization");
  return healthRoutes(createHealth(context, { ...report, ...changes }), mayAsk);
}

const trusted = { headers: { authorization: "Bearer x" } };

async function ask(app: ReturnType<typeof routes>, path: string, init: RequestInit = {}) {
  const answer = await app.request(path, init);
  return [answer.status, await answer.json()];
}

it("says why the database server is away, and that it is back", async () => {
  let reason: string | undefined;
  const app = routes({ outage: () => reason });
  expect(await ask(app, "/healthz")).toEqual([200, { status: "ok" }]);
  reason = "PostgreSQL has ended";
  const away = [503, { status: "database unavailable", reason }];
  expect([await ask(app, "/healthz"), await ask(app, "/readyz")]).toEqual([away, away]);
  reason = undefined;
  expect(await ask(app, "/healthz")).toEqual([200, { status: "ok" }]);
  expect(await ask(app, "/readyz")).toEqual([200, { status: "ready" }]);
});

it("is not ready once it leaves its requests to other hosts, while it goes on answering", async () => {
  let isLeaving = false;
  const app = routes({ isLeaving: () => isLeaving });
  expect(await ask(app, "/readyz")).toEqual([200, { status: "ready" }]);
  isLeaving = true;
  expect(await ask(app, "/readyz")).toEqual([503, { status: "stopping" }]);
  expect(await ask(app, "/healthz")).toEqual([200, { status: "ok" }]);
});

it("is not ready while the database gives no answer, and asks it once alone", async () => {
  vi.useFakeTimers();
  const answer = Promise.withResolvers<object>();
  const query = vi.fn(async () => await answer.promise);
  const app = routes({}, query);
  const status = async () => (await app.request("/readyz")).status;
  const asked = [status(), status()];
  await vi.advanceTimersByTimeAsync(5000);
  expect(await Promise.all(asked)).toEqual([503, 503]);
  expect(query).toHaveBeenCalledOnce();
  answer.resolve({});
  expect(await status()).toBe(200);
});

it("is not ready while the disk takes no writes, and is alive meanwhile", async () => {
  let disk: HealthCheck = { state: "failing", detail: "the disk is full" };
  const app = routes({ disk: async () => await Promise.resolve(disk) });
  const full = [503, { status: "disk unavailable", reason: "the disk is full" }];
  expect(await ask(app, "/readyz")).toEqual(full);
  expect(await ask(app, "/healthz")).toEqual([200, { status: "ok" }]);
  disk = { state: "warning", detail: "less than a tenth of the disk is free" };
  expect(await ask(app, "/readyz")).toEqual([200, { status: "ready" }]);
});

describe("/readyz?verbose", () => {
  const troubled: Partial<HealthReport> = {
    failedBackups: () => 2,
    jobs: () => ({ state: "warning", detail: "send-emails failed last time" }),
    failedMails: () => 4,
    programChecks: async () =>
      await Promise.resolve({
        mail: { state: "warning", detail: "3 e-mails are tried again" },
        "card provider": { state: "failing", detail: "2 events could not be applied" },
      }),
  };

  it("names the state of every part, and is ready all the same", async () => {
    expect(await ask(routes(troubled), "/readyz?verbose", trusted)).toEqual([
      200,
      {
        status: "ready",
        backups: "failing",
        checks: {
          database: { state: "ok" },
          disk: { state: "ok" },
          jobs: { state: "warning", detail: "send-emails failed last time" },
          mail: {
            state: "failing",
            detail: "sending e-mail failed 4 times in a row; 3 e-mails are tried again",
          },
          backups: { state: "failing", detail: "a backup failed 2 times in a row" },
          "card provider": { state: "failing", detail: "2 events could not be applied" },
        },
      },
    ]);
  });

  it("is the short answer for those who may not know", async () => {
    expect(await ask(routes(troubled), "/readyz?verbose")).toEqual([
      200,
      { status: "ready", backups: "failing" },
    ]);
  });

  it("tells of the other parts while the database is away", async () => {
    const away = async () => await Promise.reject(new Error("gone"));
    const app = routes({ programChecks: away }, away);
    expect(await ask(app, "/readyz?verbose", trusted)).toMatchObject([
      503,
      { checks: { database: { state: "failing" }, disk: { state: "ok" }, mail: { state: "ok" } } },
    ]);
  });
});
