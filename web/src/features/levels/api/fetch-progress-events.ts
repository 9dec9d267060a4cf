import * as z from "zod/mini";
import { paths } from "@/domain/paths.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import {
  progressEventPageSize,
  type ProgressEvent,
  type ProgressEventFilter,
} from "../model/progress-event.ts";

const answer = z.array(
  z.object({
    id: z.number(),
    kind: z.string(),
    reference: z.string(),
    label: z.nullable(z.string()),
    path: z.nullable(z.string()),
    happened_at: z.string(),
  }),
);

/** Reads a page of the progress events behind a counter, newest first. Throws the database's error. */
export async function fetchProgressEvents(
  client: BackendClient,
  { kind, category }: ProgressEventFilter,
  beforeId: number | null,
): Promise<readonly ProgressEvent[]> {
  const { data, error } = await client.rpc("progress_evidence", {
    kind,
    ...(category !== null && { category }),
    ...(beforeId !== null && { before_id: beforeId }),
    page_size: progressEventPageSize,
  });
  if (error) throw error;
  const found = answer.parse(data);
  return found.map((row) => ({
    id: row.id,
    event: row.kind,
    label: row.label,
    path: pathOf(row.path, row.reference),
    happenedAt: row.happened_at,
  }));
}

/** A submission has an address of its own in the feed. */
function pathOf(path: string | null, reference: string): string | null {
  if (path === paths.submissions) return `${path}?submission=${reference}`;
  // Only addresses within the app become links.
  return path?.startsWith("/") === true && !path.startsWith("//") ? path : null;
}
