import type { BackendClient } from "@/lib/backend-client.ts";
import { toFound, type Found } from "../model/found.ts";

const most = 20;

/** Looks through everything the member may read, best first. Throws the database's error. */
export async function searchLibrary(client: BackendClient, query: string): Promise<Found[]> {
  const { data, error } = await client.rpc("search_library", { query, max_results: most });
  if (error) throw error;
  return toFound(data);
}
