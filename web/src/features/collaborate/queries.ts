import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchOwnPosts, fetchPosts, postPageSize } from "./api/posts.ts";
import { postQuery, type PostFilters } from "./model/post.ts";

/** Every key has the user id, because what one sees depends on who has blocked whom. */
export const postKeys = {
  all: (userId: string) => ["collaboration", userId],
  own: (userId: string) => ["collaboration", userId, "own"],
  found: (userId: string) => ["collaboration", userId, "found"],
} as const;

/** The open posts of others that match the filters, page by page. */
export function usePosts(filters: PostFilters) {
  const { client } = useBackend();
  const userId = useUserId();
  const query = postQuery(filters);
  return useInfiniteQuery({
    queryKey: [...postKeys.found(userId), query],
    queryFn: ({ pageParam }) => fetchPosts(client, query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < postPageSize ? null : (page.at(-1)?.id ?? null)),
    enabled: userId !== "",
    placeholderData: keepPreviousData,
  });
}

/** The member's own posts. */
export function useOwnPosts() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: postKeys.own(userId),
    queryFn: () => fetchOwnPosts(client),
    enabled: userId !== "",
  });
}
