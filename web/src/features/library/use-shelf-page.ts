import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectShelfPage, type ShelfAddress } from "./api/select-shelf-page.ts";
import { libraryKey } from "./library-key.ts";

/** A subcategory's page; `read` turns the answer into what the page shows, and throws on another shape. */
export function useShelfPage<T>(address: ShelfAddress, read: (answer: unknown) => T) {
  const { client } = useBackend();
  const userId = useUserId();
  const { category, shelf, slug } = address;
  return useQuery({
    queryKey: libraryKey(userId, "shelf", category, shelf, slug),
    queryFn: async () => read(await selectShelfPage(client, address)),
    enabled: userId !== "" && slug !== "",
    retry: 2,
  });
}
