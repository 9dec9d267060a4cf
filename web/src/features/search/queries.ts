import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { findMembers } from "@/features/people/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { searchText } from "@/lib/search-text.ts";
import { searchLibrary, searchLocked } from "./api/search-library.ts";
import { minQueryLength } from "./model/search-results.ts";

/** Pause in typing before the server is asked. */
const debounceMs = 200;
/** As many characters as the database searches for. */
const maxQueryLength = 100;

/** Searches for the typed text. Results are cached in memory only. */
export function useSearch(typed: string) {
  const { client } = useBackend();
  const userId = useUserId();
  const wanted = searchText(typed.trim().replace(/\s+/g, " "), maxQueryLength);
  const [asked, setAsked] = useState("");
  useEffect(() => systemClock.after(debounceMs, () => setAsked(wanted)), [wanted]);
  const enabled =
    userId !== "" && wanted.length >= minQueryLength && asked.length >= minQueryLength;
  const query = useQuery({
    queryKey: ["search", userId, asked],
    queryFn: async () => {
      const [found, members, locked] = await Promise.all([
        searchLibrary(client, asked),
        findMembers(client, asked),
        searchLocked(client, asked),
      ]);
      return { found, members, locked };
    },
    enabled,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const searching = wanted.length >= minQueryLength && (asked !== wanted || query.isFetching);
  return {
    /** Too short to be looked for. */
    idle: wanted.length < minQueryLength,
    searching,
    failed: enabled && query.isError && !searching,
    found: enabled ? (query.data?.found ?? []) : [],
    members: enabled ? (query.data?.members ?? []) : [],
    locked: enabled ? (query.data?.locked ?? []) : [],
    retry: () => void query.refetch(),
  };
}
