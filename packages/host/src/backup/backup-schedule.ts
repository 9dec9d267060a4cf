import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { BackupRunningError } from "./backup-lock.ts";
import { createBackup, partialSuffix } from "./create-backup.ts";

const hourMs = 3_600_000;
/** How soon a failed backup is tried again, unless the interval is shorter. */
const retryMs = hourMs;
const namePattern = /^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz$/;

/** When and where backups are made. */
export interface BackupSettings {
  /** Absolute folder; nothing else should be in it. */
  folder: string;
  everyHours: number;
  /** How many backups stay in the folder. */
  keep: number;
}

/** Name of a scheduled backup, which sorts by time. */
export function backupName(time: Date): string {
  return `backup-${time.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.tar.gz`;
}

/** The time in the name of a scheduled backup, in epoch milliseconds; undefined for other files. */
export function backupTime(name: string): number | undefined {
  const match = namePattern.exec(name);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** Names of the scheduled backups in a folder, oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => backupTime(name) !== undefined).toSorted();
}

/** How long to wait for the next backup: none when the newest one is older than the interval, or there is none. */
export function waitMs(names: readonly string[], everyHours: number, now: number): number {
  const newest = Math.max(...names.map((name) => backupTime(name) ?? -Infinity), -Infinity);
  // A clock that was set back must not postpone backups for longer than the interval.
  return Math.min(Math.max(newest + everyHours * hourMs - now, 0), everyHours * hourMs);
}

/** Removes all but the newest `keep` backups, and what a killed process left unfinished. */
async function prune(folder: string, keep: number): Promise<void> {
  const names = await listBackups(folder);
  for (const name of names.slice(0, -keep)) await rm(join(folder, name), { force: true });
  for (const name of await readdir(folder)) {
    const isUnfinished =
      name.endsWith(partialSuffix) &&
      backupTime(name.slice(0, -partialSuffix.length)) !== undefined;
    if (isUnfinished) await rm(join(folder, name), { force: true });
  }
}

/**
 * Makes a backup whenever the newest one in the folder is older than the interval, one at a time, and keeps the newest few. A failed
 * backup is logged as an error and tried again within the hour.
 * @param source what is backed up; see {@link createBackup}
 */
export function startBackups(
  settings: BackupSettings,
  source: { dataDir: string; url: string },
  log: Logger,
): { stop: () => Promise<void> } {
  const { folder, everyHours, keep } = settings;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const run = async (): Promise<number> => {
    const started = performance.now();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, backupName(new Date()));
      const made = await createBackup({ ...source, file, signal: stopping.signal });
      await prune(folder, keep);
      const durationMs = Math.round(performance.now() - started);
      log.info({ ...made, durationMs }, "backup made");
      return waitMs(await listBackups(folder), everyHours, Date.now());
    } catch (error) {
      if (stopping.signal.aborted) return 0;
      if (error instanceof BackupRunningError) log.warn("another backup is running");
      else log.error({ err: error }, "backup failed");
      return Math.min(retryMs, everyHours * hourMs);
    }
  };
  const scheduleIn = (ms: number) => {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = run().then(scheduleIn);
    }, ms);
  };
  running = listBackups(folder).then((names) => scheduleIn(waitMs(names, everyHours, Date.now())));
  return {
    stop: async () => {
      stopping.abort(new Error("The host stops."));
      clearTimeout(timer);
      await running;
    },
  };
}
