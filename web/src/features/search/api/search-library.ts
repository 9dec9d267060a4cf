import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import {
  toLockedResults,
  toSearchResults,
  type LockedResult,
  type SearchResult,
} from "../model/search-results.ts";

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

/** What a higher level opens. None when it cannot be read: a search shows what else it found. */
export async function searchLocked(client: BackendClient, query: string): Promise<LockedResult[]> {
  const { data, error } = await client.rpc("search_locked", { query: searchText(query) });
  if (!error) return toLockedResults(data);
  console.error("What is locked was not searched", error);
  return [];
}
