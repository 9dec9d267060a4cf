import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { isUuid } from "@/lib/uuid.ts";
import { fetchMentionable } from "./api/fetch-mentionable.ts";
import { fetchNamedSoon } from "./api/fetch-named.ts";
import type { Mention } from "./model/mention.ts";
import type { NamedMember } from "./model/split-mentions.ts";

/** Every key has the user id, because whom one may find depends on who has blocked whom. */
const mentionKeys = {
  mentionable: (userId: string, room: string | null, typed: string) => [
    "mentions",
    userId,
    "mentionable",
    room,
    typed,
  ],
  /** Another text of the same message may name others. */
  named: (userId: string, subjectId: string, text: string) => [
    "mentions",
    userId,
    "named",
    subjectId,
    text,
  ],
} as const;

const freshMs = 60_000;
/** The author's page tells who is named right after it has sent the text. */
const stillNewMs = 20_000;
const askAgainMs = 2000;
const maxTries = 4;
const nobody: readonly NamedMember[] = [];

/** Whether a text may name members. Of others nothing is asked. */
export function mayName(text: string): boolean {
  return /(?:^|[^\p{L}\p{N}_])@\S/u.test(text);
}

/** Who may be meant by the name that is being typed: in a room, or without one in the feed. */
export function useMentionable(room: string | null, typed: string, enabled: boolean) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: mentionKeys.mentionable(userId, room, typed),
    queryFn: (): Promise<readonly Mention[]> => fetchMentionable(client, room, typed),
    enabled: enabled && userId !== "",
    retry: false,
    staleTime: freshMs,
  });
}

/** Who is named in a text. */
export function useNamed(
  subjectId: string,
  text: string,
  createdAtMs: number,
): readonly NamedMember[] {
  const { client } = useBackend();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: mentionKeys.named(userId, subjectId, text),
    queryFn: () => fetchNamedSoon(client, subjectId),
    enabled: userId !== "" && isUuid(subjectId),
    staleTime: freshMs,
    retry: 1,
    refetchInterval: ({ state }) =>
      state.data?.length === 0 &&
      state.dataUpdateCount < maxTries &&
      systemClock.now() - createdAtMs < stillNewMs
        ? askAgainMs
        : false,
  });
  return data ?? nobody;
}
