import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";
import { toFound, type Found } from "../model/found.ts";

const most = 20;

/** Looks through everything the member may read, best first. Throws the database's error. */
export async function searchLibrary(client: BackendClient, query: string): Promise<Found[]> {
  return toFound(await callProcedure(client, "search_library", { query, max_results: most }));
}
