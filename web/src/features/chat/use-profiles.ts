import { useEffect, useRef, useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { fetchPeople } from "./api/fetch-people.ts";
import type { Person } from "./model/people.ts";

/** Limit of one request. */
const maxProfilesPerRequest = 100;

/** Names and roles of members from their profiles, each fetched once. */
export function useProfiles(ids: readonly string[]): ReadonlyMap<string, Person> {
  const { client } = useBackend();
  const [known, setKnown] = useState<ReadonlyMap<string, Person>>(new Map());
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const wanted = ids.filter((id) => !asked.current.has(id));
    for (let from = 0; from < wanted.length; from += maxProfilesPerRequest) {
      const some = wanted.slice(from, from + maxProfilesPerRequest);
      for (const id of some) asked.current.add(id);
      fetchPeople(client, some).then(
        (people) =>
          setKnown(
            (before) => new Map([...before, ...people.map((each) => [each.id, each] as const)]),
          ),
        (error: unknown) => {
          console.error("The names of those who are here could not be read", error);
          for (const id of some) asked.current.delete(id);
        },
      );
    }
  }, [client, ids]);
  return known;
}
