import { randomUUID } from "node:crypto";
import type { Row, World } from "./world.ts";

/** What `member_profile` answers about a member. */
export async function profileOf(
  world: World,
  reader: string,
  member: unknown,
): Promise<Row | null> {
  const sql = "select public.member_profile($1) as profile";
  return (await world.one(reader, sql, [member]))["profile"] as Row | null;
}

/** The filters of the directory. */
export interface PageFilters {
  readonly search?: string;
  readonly level?: number;
  readonly role?: string;
  readonly occupation?: string;
  readonly topic?: string;
  readonly after_id?: string;
  readonly page_size?: number;
}

/** The arguments of `people_page`, in order. */
export const directoryArguments = [
  "search",
  "level",
  "role",
  "occupation",
  "topic",
  "after_id",
  "page_size",
] as const;
export const directorySql = `select user_id from public.people_page(${directoryArguments.map((name, at) => `${name} => $${at + 1}`).join(", ")})`;

/** The ids of one page of the directory, in its order. */
export async function directoryPage(
  world: World,
  reader: string,
  filters: PageFilters,
): Promise<unknown[]> {
  const values = directoryArguments.map((name) => filters[name] ?? null);
  return (await world.run(reader, directorySql, values)).map((row) => row["user_id"]);
}

/** A word of 20 letters that no other account has in its name or topics, long enough to be found with two letters swapped. */
export function newMark(): string {
  const digits = randomUUID().replaceAll("-", "").slice(0, 16);
  const letters = Array.from(digits, (digit) =>
    String.fromCodePoint(97 + Number.parseInt(digit, 16)),
  );
  return `qx${letters.join("")}zx`;
}

/** A member with this name and occupation. */
export async function namedMember(
  world: World,
  first_name: string,
  last_name: string,
  occupation: string,
) {
  const id = await world.member();
  await world.run(
    "owner",
    "update public.profiles set first_name = $2, last_name = $3, occupation = $4 where id = $1",
    [id, first_name, last_name, occupation],
  );
  return id;
}
