import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Shelf } from "@/domain/library-paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchContentSale } from "./api/course-sales.ts";
import { fetchSupply } from "./api/fetch-supply.ts";
import { fetchContentItems, itemPageSize, type ItemFilters } from "./api/items.ts";
import { fetchContentRooms } from "./api/rooms.ts";
import { fetchContentSubcategories } from "./api/subcategories.ts";

/** Everything below it is about content. */
const contentKey = ["content"] as const;

/** All chat rooms. */
export function useContentRooms() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...contentKey, "rooms"],
    queryFn: () => fetchContentRooms(client),
    retry: 2,
  });
}

/** All subcategories. */
export function useContentSubcategories() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...contentKey, "subcategories"],
    queryFn: () => fetchContentSubcategories(client),
    retry: 2,
  });
}

/** Articles or courses, page by page. */
export function useContentItems(shelf: Shelf, filters: ItemFilters) {
  const { client } = useBackend();
  return useInfiniteQuery({
    queryKey: [...contentKey, "items", shelf, filters],
    queryFn: ({ pageParam }) => fetchContentItems(client, shelf, filters, pageParam),
    initialPageParam: 0,
    getNextPageParam: (last, _pages, skip) =>
      last.length < itemPageSize ? undefined : skip + itemPageSize,
    placeholderData: keepPreviousData,
    retry: 2,
  });
}

/** The sale of a course; null when it was never offered. */
export function useContentSale(courseId: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...contentKey, "sale", courseId],
    queryFn: () => fetchContentSale(client, courseId),
    retry: 2,
  });
}

/** What each level asks for, and how much of it there is. */
export function useContentSupply() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...contentKey, "supply"],
    queryFn: () => fetchSupply(client),
    retry: 2,
  });
}
