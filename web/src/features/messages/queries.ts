import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import {
  conversationPageSize,
  countUnreadConversations,
  fetchConversation,
  fetchConversations,
} from "./api/conversations.ts";
import { fetchMessageChoice } from "./api/message-choice.ts";
import type { ConversationLine } from "./model/conversation.ts";

/** Somewhere else one may have read, or the other may have closed the door. */
const refetchIntervalMs = 30_000;

/** What waits is below the bell's key, so that a new message, which is told there, brings it up to date. */
export const messageKeys = {
  conversations: (userId: string) => [...bellKey(userId), "conversations"],
  unread: (userId: string) => [...bellKey(userId), "unread-conversations"],
  conversation: (userId: string, id: string) => ["direct-conversation", userId, id],
  choice: (userId: string) => ["message-choice", userId],
} as const;

/** The member's conversations, page by page. */
export function useConversations() {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: messageKeys.conversations(userId),
    queryFn: ({ pageParam }) => fetchConversations(client, pageParam),
    initialPageParam: null as ConversationLine | null,
    getNextPageParam: (page) => (page.length < conversationPageSize ? null : (page.at(-1) ?? null)),
    enabled: userId !== "",
    refetchOnWindowFocus: true,
  });
}

/** In how many conversations something is unread; 0 until it is known. */
export function useUnreadConversations(): number {
  const { client } = useBackend();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: messageKeys.unread(userId),
    queryFn: () => countUnreadConversations(client),
    enabled: userId !== "",
    retry: false,
  });
  return data ?? 0;
}

/** The conversation with a member; `data` is null when there is no such member. */
export function useDirectConversation(id: string, enabled: boolean) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: messageKeys.conversation(userId, id),
    queryFn: async () => (isUuid(id) ? await fetchConversation(client, id) : null),
    enabled: enabled && userId !== "",
    staleTime: 0,
    refetchInterval: refetchIntervalMs,
    refetchOnWindowFocus: true,
  });
}

/** Who may write to the member. */
export function useMessageChoice() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: messageKeys.choice(userId),
    queryFn: () => fetchMessageChoice(client),
    enabled: userId !== "",
  });
}
