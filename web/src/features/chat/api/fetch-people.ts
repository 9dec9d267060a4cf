import type { BackendClient } from "@/lib/backend-client.ts";
import type { Person } from "../model/people.ts";
import { authorFrom } from "./message-row.ts";

/** Names, roles and pictures of these accounts, as far as they may be seen. Throws the database's error. */
export async function fetchPeople(
  client: BackendClient,
  ids: readonly string[],
): Promise<Person[]> {
  const { data, error } = await client
    .from("profiles")
    .select("id, first_name, last_name, role, avatar_url")
    .in("id", ids);
  if (error) throw error;
  return data.map((profile) => authorFrom(profile.id, profile));
}
