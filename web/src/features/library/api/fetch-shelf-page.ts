import type { Category } from "@/domain/categories.ts";
import type { Shelf } from "@/domain/library-paths.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/** Where a page of a subcategory is. */
export interface ShelfAddress {
  readonly category: Category;
  readonly shelf: Shelf;
  readonly slug: string;
}

/** Reads a subcategory with its cards at once. Throws the database's error. */
export async function fetchShelfPage(
  client: BackendClient,
  address: ShelfAddress,
): Promise<unknown> {
  const { data, error } = await client.rpc("subcategory_page", { ...address });
  if (error) throw error;
  return data;
}
