import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import { toSearchResults, type SearchResult } from "../model/search-results.ts";

const maxResults = 20;

/** Searches everything the member may read, best results first. Throws the database's error. */
export async function searchLibrary(client: BackendClient, query: string): Promise<SearchResult[]> {
  const { data, error } = await client.rpc("search_library", {
    query: searchText(query),
    max_results: maxResults,
  });
  if (error) throw error;
  return toSearchResults(data);
}
