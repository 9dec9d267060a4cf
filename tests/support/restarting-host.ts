import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningHost } from "./running.ts";
import { startFixtureHost } from "./start-fixture-host.ts";

/** A host over one data folder and on one port, stopped and started again with other settings. */
export interface RestartingHost {
  /** A folder for files of the test; the data folder is below it. */
  folder: string;
  dataDir: string;
  /** Starts it, or stops it and starts it again. */
  start: (env: Record<string, string>) => Promise<RunningHost>;
  /** Milliseconds by which its clock is ahead, so that a second factor gives a code that was not used. */
  ahead: () => number;
  stop: () => Promise<void>;
}

const stepMs = 60_000;

/** Opens a folder for a host that a test starts and restarts. */
export async function openRestartingHost(): Promise<RestartingHost> {
  const folder = await mkdtemp(join(tmpdir(), "restarting-host-"));
  const dataDir = join(folder, "data");
  let port = "0";
  let starts = 0;
  let running: Awaited<ReturnType<typeof startFixtureHost>> | undefined;
  const ahead = () => starts * stepMs;
  const halt = async () => {
    const host = running;
    running = undefined;
    await host?.stop();
  };
  return {
    folder,
    dataDir,
    ahead,
    start: async (env) => {
      await halt();
      starts += 1;
      const offset = ahead();
      running = await startFixtureHost({ ...env, PORT: port, DATA_DIR: dataDir }, undefined, {
        now: () => Date.now() + offset,
      });
      port = new URL(running.running.url).port;
      return running.running;
    },
    stop: async () => {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
