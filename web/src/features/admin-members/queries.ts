import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import { fetchMemberDetail } from "./api/member-detail.ts";
import { fetchMembers, memberPageSize, type MemberFilters } from "./api/members.ts";

export const memberKeys = {
  lists: ["admin-members"],
  list: (filters: MemberFilters) => ["admin-members", filters],
  detail: (member: string) => ["admin-member", member],
} as const;

/** The members that match, page by page. */
export function useMembers(filters: MemberFilters) {
  const { client } = useBackend();
  return useInfiniteQuery({
    queryKey: memberKeys.list(filters),
    queryFn: ({ pageParam }) => fetchMembers(client, filters, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < memberPageSize ? null : (page.at(-1)?.id ?? null)),
    placeholderData: keepPreviousData,
  });
}

/** Everything about one member, read anew each time the panel opens. */
export function useMemberDetail(member: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: memberKeys.detail(member),
    queryFn: () => fetchMemberDetail(client, member),
    enabled: isUuid(member),
    staleTime: 0,
  });
}
