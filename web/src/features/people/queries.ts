import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import { fetchBlocks } from "./api/blocks.ts";
import { fetchDirectory, fetchMember, fetchWrittenTexts } from "./api/people.ts";
import { fetchProfileChoices } from "./api/profile-choices.ts";
import { directoryPageSize, directoryQuery, type DirectoryFilters } from "./model/directory.ts";
import type { ListedText, SeenMember } from "./model/member.ts";

/** Every key has the user id, because what one sees depends on who has blocked whom. */
export const peopleKeys = {
  all: (userId: string) => ["people", userId],
  member: (userId: string, id: string) => ["people", userId, "member", id],
  texts: (userId: string, author: string) => ["people", userId, "texts", author],
  directory: (userId: string) => ["people", userId, "directory"],
  blocks: (userId: string) => ["people", userId, "blocks"],
  choices: (userId: string) => ["people", userId, "choices"],
} as const;

const profileFreshMs = 60_000;

/** What the member may see of another. An id of another form is absent without a request. */
export function useMember(memberId: string, { enabled = true } = {}) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: peopleKeys.member(userId, memberId),
    queryFn: async (): Promise<SeenMember> =>
      isUuid(memberId) ? await fetchMember(client, memberId) : { kind: "absent" },
    enabled: enabled && userId !== "",
    staleTime: profileFreshMs,
  });
}

/** The members who match the filters, page by page. */
export function useDirectory(filters: DirectoryFilters) {
  const { client } = useBackend();
  const userId = useUserId();
  const query = directoryQuery(filters);
  return useInfiniteQuery({
    queryKey: [...peopleKeys.directory(userId), query],
    queryFn: ({ pageParam }) => fetchDirectory(client, query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) =>
      page.length < directoryPageSize ? null : (page.at(-1)?.id ?? null),
    enabled: userId !== "",
    placeholderData: keepPreviousData,
  });
}

/** What a member wrote after the last text their profile names, page by page, once it is asked for. */
export function useWrittenTexts(author: string, last: ListedText | undefined, enabled: boolean) {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: [...peopleKeys.texts(userId, author), last?.createdAt, last?.id],
    queryFn: async ({ pageParam }) =>
      pageParam === undefined
        ? { texts: [], last: undefined }
        : await fetchWrittenTexts(client, author, pageParam),
    initialPageParam: last,
    getNextPageParam: ({ last: end }) => end,
    enabled: enabled && userId !== "",
    staleTime: profileFreshMs,
  });
}

/** Whom the member has blocked, newest first. */
export function useBlocks() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: peopleKeys.blocks(userId),
    queryFn: () => fetchBlocks(client),
    enabled: userId !== "",
    staleTime: profileFreshMs,
  });
}

/** What the member's own profile says and shows. */
export function useProfileChoices() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: peopleKeys.choices(userId),
    queryFn: () => fetchProfileChoices(client),
    enabled: userId !== "",
  });
}
