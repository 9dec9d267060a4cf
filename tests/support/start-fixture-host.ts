import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { createInboxApp, type Host, type HostOptions, startHost } from "basehost";
import type { RunningHost } from "./running.ts";

export const fixtureJwtSecret = "fixture-secret-of-at-least-thirty-two-characters";

/** What tests need to reach a host. */
export function describeHost(host: Host, dataDir: string): RunningHost {
  return {
    url: host.url,
    ...host.context.keys.api,
    jwtSecret: fixtureJwtSecret,
    databaseUrl: host.context.db.url,
    dataDir,
  };
}

const fixtureRoot = fileURLToPath(new URL("../fixtures/other-project", import.meta.url));

/** Request budgets for tests, which send many requests from one address and few accounts. */
export const highRequestBudgets = {
  MEMBER_REQUESTS_PER_SECOND: "100000",
  ANONYMOUS_REQUESTS_PER_SECOND: "100000",
};

/**
 * Starts a host over the fixture project, on a free port and a new folder.
 * @param root folder that holds `supabase/`; the fixture project by default.
 * @param options limits and clock for tests of them, and for load tests, whose sockets share one address
 */
export async function startFixtureHost(
  env: Record<string, string> = {},
  root = fixtureRoot,
  options: Pick<
    HostOptions,
    "authRateLimits" | "limits" | "httpLimits" | "realtimeLimits" | "now" | "log"
  > = {},
): Promise<{ host: Host; running: RunningHost; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "other-project-"));
  const host = await startHost({
    root,
    ...options,
    env: {
      ...highRequestBudgets,
      PORT: "0",
      DATA_DIR: join(dataDir, "data"),
      SUPABASE_JWT_SECRET: fixtureJwtSecret,
      ...env,
    },
    extensions: async (context) =>
      await Promise.resolve({
        addRoutes: (app) => app.route("/dev", createInboxApp(context.mailer)),
      }),
    log: options.log ?? pino({ level: process.env["LOG_LEVEL"] ?? "silent" }),
  });
  return {
    host,
    running: describeHost(host, dataDir),
    stop: async () => {
      await host.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
