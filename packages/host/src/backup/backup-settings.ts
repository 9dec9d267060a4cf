// Reads the `BACKUP_*` environment variables and rejects combinations that would give no usable backup.

import { resolve, sep } from "node:path";
import { z } from "zod";

/** Variables of the environment that decide about scheduled backups. */
export const backupVariables = {
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY_HOURS: z.coerce.number().int().min(1).max(336).optional(),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).optional(),
};

/** What the environment says about backups, and the two settings that a backup depends on. */
type BackupValues = z.infer<z.ZodObject<typeof backupVariables>> & {
  DATA_DIR: string;
  DATABASE_URL?: string | undefined;
};

/** When and where backups are made. */
export interface BackupSettings {
  /** Absolute folder; nothing else should be in it. */
  folder: string;
  everyHours: number;
  /** How many backups stay in the folder. */
  keep: number;
}

/** Settings of scheduled backups. Adds an issue for each that would make no backup or a useless one. */
export function readBackupSettings(
  values: BackupValues,
  issues: string[],
): BackupSettings | undefined {
  const { BACKUP_DIR: dir, BACKUP_EVERY_HOURS: everyHours, BACKUP_KEEP: keep } = values;
  if (dir === undefined) {
    if (everyHours !== undefined) issues.push("BACKUP_EVERY_HOURS: needs BACKUP_DIR");
    if (keep !== undefined) issues.push("BACKUP_KEEP: needs BACKUP_DIR");
    return undefined;
  }
  const folder = resolve(dir);
  if (values.DATABASE_URL !== undefined) {
    issues.push("BACKUP_DIR: a database of DATABASE_URL is backed up by its own tools; unset one");
  }
  if (`${folder}${sep}`.startsWith(`${resolve(values.DATA_DIR)}${sep}`)) {
    issues.push("BACKUP_DIR: must be outside DATA_DIR, best on another disk");
  }
  return { folder, everyHours: everyHours ?? 24, keep: keep ?? 7 };
}
