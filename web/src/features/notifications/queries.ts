import { useInfiniteQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchBell } from "./api/fetch-bell.ts";
import { bellPageSize } from "./model/bell-page.ts";

export const bellKey = (userId: string) => ["bell", userId];

/** The lines of the bell, newest first; the first page also says how many are unread. */
export function useBell() {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: bellKey(userId),
    queryFn: ({ pageParam }) => fetchBell(client, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ items }) =>
      items.length < bellPageSize ? null : (items.at(-1)?.created_at ?? null),
    enabled: userId !== "",
    retry: 2,
  });
}
