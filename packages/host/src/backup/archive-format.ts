// Layout of a backup archive: the schemas of the entries that describe it, and the version of the format.

import { z } from "zod";
import { BootError } from "../boot-error.ts";

/** Version of the layout of archives; a newer one is refused. */
export const formatVersion = 1;
const formatName = "basehost-backup";

/** Names of the entries that describe an archive: the first one and the last two. */
export const headerName = "backup.json";
export const manifestName = "manifest.json";
export const endName = "end.json";

/** The first entry: what has to fit before anything is read. */
export const archiveHeader = z.object({
  format: z.literal(formatName),
  formatVersion: z.number().int(),
  startedAt: z.iso.datetime(),
  /** Major version of PostgreSQL, and the kind of machine: a data folder fits no other. */
  postgres: z.number().int(),
  platform: z.string(),
  /** SHA-256 of each SQL file the database was built from. */
  schema: z.array(z.object({ name: z.string(), sha256: z.string() })),
});

/** See {@link archiveHeader}. */
export type ArchiveHeader = z.infer<typeof archiveHeader>;

/** The last entry but one: every entry before it, and the end mark. */
export const archiveManifest = z.object({
  /** Whatever was acknowledged before this time is in the archive. */
  endMark: z.iso.datetime(),
  entries: z.array(z.object({ path: z.string(), size: z.number().int(), sha256: z.string() })),
});

/** See {@link archiveManifest}. */
export type ArchiveManifest = z.infer<typeof archiveManifest>;

/** The last entry: without it an archive is incomplete. */
export const archiveEnd = z.object({ manifestSha256: z.string() });

/** The kind of machine a data folder fits. */
export function currentPlatform(): string {
  return `${process.platform}-${process.arch}`;
}

/** The header of an archive that is begun now. */
export function newHeader(fields: Pick<ArchiveHeader, "postgres" | "schema">): ArchiveHeader {
  const startedAt = new Date().toISOString();
  return { format: formatName, formatVersion, startedAt, platform: currentPlatform(), ...fields };
}

/** The archive cannot be used; `message` says why in one sentence. */
export class ArchiveError extends BootError {}
