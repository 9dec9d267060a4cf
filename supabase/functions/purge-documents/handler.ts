import { z } from "zod";
import {
  callRpc,
  type DatabaseClient,
  type ProcedureName,
} from "../_shared/database/database-client.ts";
import { handlePost, errorForLog, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "purge-documents", failureMessage: "The scheduled run failed." };
const requestBody = z.object({ batch: z.number().int().min(1).max(1000).default(100) });

/** A bucket with files that expire. */
interface FileKind {
  readonly bucket: string;
  /** RPC that lists expired files by name, after a given name. */
  readonly due: Extract<ProcedureName, `${string}_to_purge`>;
  /** RPC that records deleted files, if they are recorded. */
  readonly record?: "record_deleted_documents" | "record_deleted_guarantee_documents";
}

const fileKinds: readonly FileKind[] = [
  {
    bucket: "verification-documents",
    due: "verification_documents_to_purge",
    record: "record_deleted_documents",
  },
  {
    bucket: "guarantee-documents",
    due: "guarantee_documents_to_purge",
    record: "record_deleted_guarantee_documents",
  },
  { bucket: "learning-images", due: "learning_images_to_purge" },
  { bucket: "profile-pictures", due: "profile_pictures_to_purge" },
  { bucket: "message-pictures", due: "message_pictures_to_purge" },
  { bucket: "course-films", due: "course_films_to_purge" },
  { bucket: "content-pictures", due: "content_pictures_to_purge" },
];

interface PurgeResult {
  deleted: number;
  failed: number;
}

/**
 * Deletes identity documents thirty days after the decision, documents of baselines when the guarantee's time is over, and pictures and films that nothing uses. Called by the
 * scheduler with a server key.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const { batch } = await parseBody(request, requestBody, "{}");
    const round = { deleted: 0, failed: 0 };
    for (const kind of fileKinds) await purge(serviceClient(deps), kind, batch, round);
    return jsonResponse(200, { ...round });
  });
}

/** Goes through all expired files in batches; files that cannot be removed do not block later ones. */
async function purge(
  service: DatabaseClient,
  kind: FileKind,
  batch: number,
  round: PurgeResult,
): Promise<void> {
  let due: string[] = [];
  do {
    due = await filesDue(service, kind, due.at(-1) ?? "", batch);
    const removed = due.length === 0 ? [] : await remove(service, kind, due);
    round.deleted += removed.length;
    round.failed += due.length - removed.length;
    if (removed.length > 0) await record(service, kind, removed);
  } while (due.length === batch);
}

async function filesDue(
  service: DatabaseClient,
  kind: FileKind,
  after: string,
  batch: number,
): Promise<string[]> {
  return await callRpc(service, kind.due, { after, batch });
}

/** @returns the names that were removed; the next round tries the others again. */
async function remove(
  service: DatabaseClient,
  kind: FileKind,
  due: readonly string[],
): Promise<string[]> {
  const { data, error } = await service.storage.from(kind.bucket).remove([...due]);
  if (error === null) return data.map(({ name }) => name);
  console.error(`${options.name}: ${due.length} of ${kind.bucket}: ${errorForLog(error)}`);
  return [];
}

/** Records removed files in the database, or in the log when that fails. */
async function record(
  service: DatabaseClient,
  kind: FileKind,
  documents: readonly string[],
): Promise<void> {
  if (kind.record === undefined) return;
  const { error } = await service.rpc(kind.record, { documents });
  if (error) {
    console.error(`${options.name}: deleted ${documents.join(", ")}: ${errorForLog(error)}`);
  }
}
