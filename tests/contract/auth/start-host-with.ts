import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AuthRateLimitOverrides, HostOptions } from "basehost";
import type { RunningHost } from "../../support/running.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";

/**
 * Starts a host for a project that consists of a config.toml, for settings the shared host does not have.
 * @param options.files further files of the project by path, such as e-mail templates.
 */
export async function startHostWith(
  config: string,
  options: {
    env?: Record<string, string>;
    files?: Record<string, string>;
    authRateLimits?: AuthRateLimitOverrides;
    log?: HostOptions["log"];
  } = {},
): Promise<{ running: RunningHost; stop: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), "auth-project-"));
  const files = { "supabase/config.toml": config, ...options.files };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const { running, stop } = await startFixtureHost(options.env, root, {
    authRateLimits: options.authRateLimits,
    ...(options.log !== undefined && { log: options.log }),
  });
  return {
    running,
    stop: async () => {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
