import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import { answer, describe, json } from "../_shared/answers.ts";
import { requireScheduler } from "../_shared/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { readBody } from "../_shared/request-body.ts";
import { serviceClient } from "../_shared/service-client.ts";

const manner = { name: "purge-documents", failed: "The round could not be finished." };
const wish = z.object({ batch: z.number().int().min(1).max(1000).default(100) });
const names = z.array(z.string());

/** Files of one kind whose time may be over. */
interface Kind {
  readonly bucket: string;
  /** RPC that says which, by name, beyond the given one. */
  readonly due: string;
  /** RPC that writes down what was deleted, where that is asked for. */
  readonly record?: string;
}

const KINDS: readonly Kind[] = [
  {
    bucket: "verification-documents",
    due: "verification_documents_due",
    record: "record_deleted_documents",
  },
  { bucket: "learning-images", due: "learning_images_due" },
];

interface Round {
  deleted: number;
  failed: number;
}

/**
 * Deletes identity documents thirty days after their decision, and pictures no submission shows. For the
 * scheduler, with the service key.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await answer(request, manner, async () => {
    requireScheduler(request, deps);
    const { batch } = await readBody(request, wish, "{}");
    const round = { deleted: 0, failed: 0 };
    for (const kind of KINDS) await purge(serviceClient(deps), kind, batch, round);
    return json(200, { ...round });
  });
}

/** Batch by batch and always onwards, so that what cannot be removed keeps nothing behind it from being tried. */
async function purge(
  service: SupabaseClient,
  kind: Kind,
  batch: number,
  round: Round,
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
  service: SupabaseClient,
  kind: Kind,
  after: string,
  batch: number,
): Promise<string[]> {
  const { data, error } = await service.rpc(kind.due, { after, batch });
  if (error) throw new Error(kind.due, { cause: error });
  return names.parse(data);
}

/** @returns the names that were removed; the others are for the next round. */
async function remove(
  service: SupabaseClient,
  kind: Kind,
  due: readonly string[],
): Promise<string[]> {
  const { data, error } = await service.storage.from(kind.bucket).remove([...due]);
  if (error === null) return data.map(({ name }) => name);
  console.error(`${manner.name}: ${due.length} of ${kind.bucket}: ${describe(error)}`);
  return [];
}

/** The files are gone by now, so what the database cannot record the log has to. */
async function record(
  service: SupabaseClient,
  kind: Kind,
  documents: readonly string[],
): Promise<void> {
  if (kind.record === undefined) return;
  const { error } = await service.rpc(kind.record, { documents });
  if (error) {
    console.error(`${manner.name}: deleted ${documents.join(", ")}: ${describe(error)}`);
  }
}
