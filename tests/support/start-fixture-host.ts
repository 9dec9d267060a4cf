import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { startHost, type Host } from "../../host/src/host.ts";
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

/** A host over the fixture project, which has nothing to do with the product, on a free port and a new folder. */
export async function startFixtureHost(
  env: Record<string, string> = {},
): Promise<{ host: Host; running: RunningHost; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "other-project-"));
  const host = await startHost({
    root: fileURLToPath(new URL("../fixtures/other-project", import.meta.url)),
    env: {
      PORT: "0",
      DATA_DIR: join(dataDir, "data"),
      SUPABASE_JWT_SECRET: FIXTURE_SECRET,
      ...env,
    },
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
