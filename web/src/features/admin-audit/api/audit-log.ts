import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import { toAuditEntries, type AuditEntry } from "../model/audit-entry.ts";

/** What the log is filtered by; an empty text does not filter. */
export interface AuditFilters {
  /** Id of an account, or `system`. */
  readonly actor: string;
  readonly action: string;
  /** Id of an account, or part of its name or address. */
  readonly about: string;
  /** First and last day, as `YYYY-MM-DD`, in UTC. */
  readonly since: string;
  readonly until: string;
}

/** What the filters offer. */
export interface AuditChoices {
  readonly actions: readonly string[];
  /** `name` is null when the account is gone. */
  readonly actors: readonly { readonly id: string; readonly name: string | null }[];
}

/** The log, or a part of it, as a file. */
export interface AuditExport {
  readonly csv: string;
  readonly rows: number;
  /** False when older entries were left out. */
  readonly isComplete: boolean;
}

export const auditPageSize = 50;

function parametersOf({ actor, action, about, since, until }: AuditFilters) {
  const wanted = searchText(about);
  return {
    ...(actor === "system" ? { by_system: true } : actor === "" ? {} : { actor }),
    ...(action === "" ? {} : { action }),
    ...(wanted === "" ? {} : { about: wanted }),
    ...(since === "" ? {} : { since }),
    ...(until === "" ? {} : { until }),
  };
}

/** Reads one page, newest first; the one after the entry with the id `after`. Throws the database's error. */
export async function fetchAuditPage(
  client: BackendClient,
  filters: AuditFilters,
  after: number | null,
): Promise<readonly AuditEntry[]> {
  const { data, error } = await client.rpc("audit_page", {
    ...parametersOf(filters),
    ...(after === null ? {} : { after_id: after }),
    page_size: auditPageSize,
  });
  if (error) throw error;
  return toAuditEntries(data);
}

const choices = z.object({
  actions: z.array(z.string()),
  actors: z.array(z.object({ id: z.string(), name: z.nullable(z.string()) })),
});

/** Throws the database's error. */
export async function fetchAuditChoices(client: BackendClient): Promise<AuditChoices> {
  const { data, error } = await client.rpc("audit_choices");
  if (error) throw error;
  return choices.parse(data);
}

const exported = z.object({ csv: z.string(), rows: z.number(), is_complete: z.boolean() });

/** The newest entries that match, as CSV. The export is recorded. Throws the database's error. */
export async function exportAuditLog(
  client: BackendClient,
  filters: AuditFilters,
): Promise<AuditExport> {
  const { data, error } = await client.rpc("export_audit_log", parametersOf(filters));
  if (error) throw error;
  const { csv, rows, is_complete } = exported.parse(data);
  return { csv, rows, isComplete: is_complete };
}
