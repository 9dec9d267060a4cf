import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchMyPacts } from "./api/fetch-my-pacts.ts";
import { fetchShownPacts } from "./api/fetch-shown-pacts.ts";
import type { ShownPact } from "./model/pact.ts";

/** Every key has the user id, because witnesses behind a block are left out. */
export const pactKeys = {
  all: (userId: string) => ["pacts", userId],
  /** Below the bell's, so that they are also read again when a notification comes. */
  mine: (userId: string) => [...bellKey(userId), "pacts"],
  shown: (userId: string, ids: readonly string[]) => ["pacts", userId, "shown", ids],
} as const;

/** The member's own pacts, and those they witness or are asked to. */
export function useMyPacts() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: pactKeys.mine(userId),
    queryFn: () => fetchMyPacts(client),
    enabled: userId !== "",
    retry: 2,
  });
}

/** How many submissions one request may name. */
const batch = 100;

/** The pact of each submission that is one or closed one. Empty while unknown: the submissions are shown without. */
export function useShownPacts(submissionIds: readonly string[]): ReadonlyMap<string, ShownPact> {
  const { client } = useBackend();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: pactKeys.shown(userId, submissionIds),
    queryFn: async () => {
      const found: ShownPact[] = [];
      for (let at = 0; at < submissionIds.length; at += batch) {
        found.push(...(await fetchShownPacts(client, submissionIds.slice(at, at + batch))));
      }
      return new Map(found.map((pact) => [pact.submission_id, pact]));
    },
    enabled: userId !== "" && submissionIds.length > 0,
    placeholderData: keepPreviousData,
    retry: 2,
  });
  return data ?? noPacts;
}

const noPacts: ReadonlyMap<string, ShownPact> = new Map();
