import type { Category } from "@/domain/categories.ts";
import type { Shelf } from "@/domain/library-paths.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toShelfHome, type ShelfHome } from "../model/shelf-home.ts";

/** Reads a whole home page at once. Throws the database's error. */
export async function fetchShelfHome(
  client: BackendClient,
  category: Category,
  shelf: Shelf,
): Promise<ShelfHome> {
  const { data, error } = await client.rpc("category_home", { category, shelf });
  if (error) throw error;
  return toShelfHome(data);
}
