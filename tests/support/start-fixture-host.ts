import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { startHost, type Host, type HostOptions } from "../../packages/host/src/host.ts";
import { createInboxApp } from "../../packages/host/src/mail/inbox.ts";
import type { RunningHost } from "./running.ts";

export const FIXTURE_SECRET = "fixture-secret-of-at-least-thirty-two-characters";

/** What tests need to know of a host. */
export function describeHost(host: Host, dataDir: string): RunningHost {
  return {
    url: host.url,
    ...host.context.keys.api,
    jwtSecret: FIXTURE_SECRET,
    databaseUrl: host.context.db.url,
    dataDir,
  };
}

const FIXTURE_ROOT = fileURLToPath(new URL("../fixtures/other-project", import.meta.url));

/** Tests are one address and few members that ask more in a second than people do in an hour. */
export const UNHURRIED = {
  MEMBER_REQUESTS_PER_SECOND: "100000",
  ANONYMOUS_REQUESTS_PER_SECOND: "100000",
};

/**
 * A host over a project that has nothing to do with the product, on a free port and a new folder.
 * @param root folder that holds `supabase/`; the fixture project when left out.
 * @param options limits and clock of tests about them, and of load tests, whose sockets all come from one address
 */
export async function startFixtureHost(
  env: Record<string, string> = {},
  root = FIXTURE_ROOT,
  options: Pick<HostOptions, "limits" | "httpLimits" | "realtimeLimits" | "now"> = {},
): Promise<{ host: Host; running: RunningHost; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "other-project-"));
  const host = await startHost({
    root,
    ...options,
    env: {
      ...UNHURRIED,
      PORT: "0",
      DATA_DIR: join(dataDir, "data"),
      SUPABASE_JWT_SECRET: FIXTURE_SECRET,
      ...env,
    },
    extensions: async (context) =>
      await Promise.resolve({
        addRoutes: (app) => app.route("/dev", createInboxApp(context.mailer)),
      }),
    log: pino({ level: process.env["LOG_LEVEL"] ?? "silent" }),
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
