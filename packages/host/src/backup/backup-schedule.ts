// Makes a backup at each interval (BACKUP_EVERY_HOURS), retries failed ones and deletes the oldest.

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { BackupRunningError } from "./backup-lock.ts";
import type { BackupSettings } from "./backup-settings.ts";
import { createBackup, partialSuffix } from "./create-backup.ts";

const hourMs = 3_600_000;
/** How soon a failed backup is tried again, unless the interval is shorter. */
const retryMs = hourMs;
const namePattern = /^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz$/;

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

/** Time of the newest backup in a folder, in epoch milliseconds; undefined for none. */
export async function newestBackup(folder: string, now: number): Promise<number | undefined> {
  const past = (await listBackups(folder)).filter((name) => isPast(name, now));
  return backupTime(past.at(-1) ?? "");
}

/** True for a backup whose name lies in the past. A wrong clock may have made others: they are neither counted nor deleted. */
const isPast = (name: string, now: number) => (backupTime(name) ?? Infinity) <= now;

/** How long to wait for the next backup: none when the newest one is older than the interval, or there is none. */
export function waitMs(names: readonly string[], everyHours: number, now: number): number {
  const past = names.filter((name) => isPast(name, now));
  const newest = Math.max(...past.map((name) => backupTime(name) ?? -Infinity), -Infinity);
  return Math.max(newest + everyHours * hourMs - now, 0);
}

/** Removes all but the newest `keep` backups, and what a killed process left unfinished. No backup may be running. */
export async function prune(folder: string, keep: number, now: number): Promise<void> {
  const names = (await listBackups(folder)).filter((name) => isPast(name, now));
  for (const name of names.slice(0, -keep)) await rm(join(folder, name), { force: true });
  for (const name of await readdir(folder)) {
    const isUnfinished =
      name.endsWith(partialSuffix) &&
      backupTime(name.slice(0, -partialSuffix.length)) !== undefined;
    if (isUnfinished) await rm(join(folder, name), { force: true });
  }
}

/** Scheduled backups that are running. */
export interface BackupSchedule {
  /** Failures since the last backup that was made. */
  failures: () => number;
  stop: () => Promise<void>;
}

/**
 * Makes a backup whenever the newest one in the folder is older than the interval, one at a time, and keeps the newest few. A failed
 * backup is logged as an error with the number of failures since the last one that was made, and tried again within the hour.
 * @param source what is backed up; see {@link createBackup}
 */
export function startBackups(
  settings: BackupSettings,
  source: { dataDir: string; url: string },
  log: Logger,
): BackupSchedule {
  const { folder, everyHours, keep } = settings;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let running: Promise<void> = Promise.resolve();

  const run = async (): Promise<number> => {
    const started = performance.now();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, backupName(new Date()));
      // Before as well: on a full disk an unfinished file would make every later backup fail.
      const beforeWriting = async () => await prune(folder, keep, Date.now());
      const made = await createBackup({ ...source, file, beforeWriting, signal: stopping.signal });
      failures = 0;
      await beforeWriting();
      const durationMs = Math.round(performance.now() - started);
      log.info({ ...made, durationMs }, "backup made");
      return waitMs(await listBackups(folder), everyHours, Date.now());
    } catch (error) {
      if (stopping.signal.aborted) return 0;
      if (error instanceof BackupRunningError) log.warn("another backup is running");
      else {
        failures += 1;
        log.error({ err: error, failures }, "backup failed");
      }
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
    failures: () => failures,
    stop: async () => {
      stopping.abort(new Error("The host stops."));
      clearTimeout(timer);
      await running;
    },
  };
}
