import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { createInboxApp, type Host, type HostOptions, startHost } from "basehost";
import { copyPrepared, prepareFolder, type PreparedKind } from "./prepared-folders.ts";
import type { RunningHost } from "./running.ts";
import { shareFiles } from "./shared-files.ts";

export const fixtureJwtSecret = "fixture-secret-of-at-least-thirty-two-characters";
/** The same for all fixture hosts, so that several can share the database of one. */
export const fixtureDataKey = "fixture-data-key-of-at-least-thirty-two-characters";

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

type FixtureOptions = Pick<
  HostOptions,
  "authRateLimits" | "limits" | "httpLimits" | "realtimeLimits" | "now" | "secondMs" | "log"
> & {
  /** False for a second host that has no disk in common with the first. */
  sharesFiles?: boolean;
};

async function startOver(
  folder: string,
  env: Record<string, string>,
  root: string,
  options: FixtureOptions = {},
): Promise<Host> {
  return await startHost({
    root,
    ...options,
    env: {
      ...highRequestBudgets,
      PORT: "0",
      DATA_DIR: join(folder, "data"),
      SUPABASE_JWT_SECRET: fixtureJwtSecret,
      DATA_KEY: fixtureDataKey,
      ...env,
    },
    extensions: async (context) =>
      await Promise.resolve({
        addRoutes: (app) => app.route("/dev", createInboxApp(context.mailer)),
      }),
    log: options.log ?? pino({ level: process.env["LOG_LEVEL"] ?? "silent" }),
  });
}

/**
 * Starts a host over the fixture project, on a free port and a new folder, or a copy of one that this run has prepared.
 * @param root folder that holds `supabase/`; the fixture project by default.
 * @param options limits and clock for tests of them, and for load tests, whose sockets share one address
 */
export async function startFixtureHost(
  env: Record<string, string> = {},
  root = fixtureRoot,
  options: FixtureOptions = {},
): Promise<{ host: Host; running: RunningHost; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "other-project-"));
  if (env["DATABASE_URL"] === undefined) {
    await copyPrepared(
      root === fixtureRoot ? "fixture" : "host",
      env["DATA_DIR"] ?? join(folder, "data"),
    );
  }
  if (options.sharesFiles !== false)
    await shareFiles(env["DATABASE_URL"], env["DATA_DIR"] ?? join(folder, "data"));
  const host = await startOver(folder, env, root, options);
  return {
    host,
    running: describeHost(host, folder),
    stop: async () => {
      await host.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function prepare(kind: PreparedKind, root: string): Promise<() => Promise<void>> {
  return await prepareFolder(kind, async (dataDir) => {
    const host = await startOver(dirname(dataDir), {}, root);
    return { databaseUrl: host.context.db.url, stop: host.stop };
  });
}

/** Makes the data folders whose copies the fixture hosts of this run start over; what it returns removes them. */
export async function prepareFixtureHosts(): Promise<() => Promise<void>> {
  const project = await mkdtemp(join(tmpdir(), "empty-project-"));
  await mkdir(join(project, "supabase"));
  const removals = await Promise.all([prepare("fixture", fixtureRoot), prepare("host", project)]);
  return async () => {
    for (const remove of removals) await remove();
    await rm(project, { recursive: true, force: true });
  };
}
