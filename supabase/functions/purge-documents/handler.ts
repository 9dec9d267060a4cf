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

/** Deletes identity documents thirty days after their verdict. For the scheduler, with the service key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await answer(request, manner, async () => {
    requireScheduler(request, deps);
    const { batch } = await readBody(request, wish, "{}");
    return json(200, { ...(await purge(serviceClient(deps), batch)) });
  });
}

/** Batch by batch and always onwards, so that what cannot be removed keeps nothing behind it from being tried. */
async function purge(
  service: SupabaseClient,
  batch: number,
): Promise<{ deleted: number; failed: number }> {
  const round = { deleted: 0, failed: 0 };
  let due: string[] = [];
  do {
    due = await documentsDue(service, due.at(-1) ?? "", batch);
    const removed = due.length === 0 ? [] : await remove(service, due);
    round.deleted += removed.length;
    round.failed += due.length - removed.length;
    if (removed.length > 0) await record(service, removed);
  } while (due.length === batch);
  return round;
}

async function documentsDue(
  service: SupabaseClient,
  after: string,
  batch: number,
): Promise<string[]> {
  const { data, error } = await service.rpc("verification_documents_due", { after, batch });
  if (error) throw new Error("verification_documents_due", { cause: error });
  return names.parse(data);
}

/** @returns the names that were removed; the others are for the next round. */
async function remove(service: SupabaseClient, due: readonly string[]): Promise<string[]> {
  const { data, error } = await service.storage.from("verification-documents").remove([...due]);
  if (error === null) return data.map(({ name }) => name);
  console.error(`${manner.name}: ${due.length} documents: ${describe(error)}`);
  return [];
}

/** The files are gone by now, so what the database cannot record the log has to. */
async function record(service: SupabaseClient, documents: readonly string[]): Promise<void> {
  const { error } = await service.rpc("record_deleted_documents", { documents });
  if (error) {
    console.error(`${manner.name}: deleted ${documents.join(", ")}: ${describe(error)}`);
  }
}
