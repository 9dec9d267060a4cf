import { useQuery } from "@tanstack/react-query";
import type { Category } from "@/domain/categories.ts";
import type { Shelf } from "@/domain/library-paths.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectShelfHome } from "./api/select-shelf-home.ts";
import { libraryKey } from "./library-key.ts";

/** A home page of the library for the signed-in member. */
export function useShelfHome(category: Category, shelf: Shelf) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: libraryKey(userId, "home", category, shelf),
    queryFn: () => selectShelfHome(client, category, shelf),
    enabled: userId !== "",
    retry: 2,
  });
}
