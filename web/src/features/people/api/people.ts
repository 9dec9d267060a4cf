import * as z from "zod/mini";
import { toRole } from "@/domain/roles.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import {
  directoryPageSize,
  directoryQuery,
  noFilters,
  type DirectoryQuery,
  type ListedMember,
} from "../model/directory.ts";
import { toListedTexts, toSeenMember, type ListedText, type SeenMember } from "../model/member.ts";

/** Reads what the caller may see of a member. Throws the database's error. */
export async function fetchMember(client: BackendClient, memberId: string): Promise<SeenMember> {
  const { data, error } = await client.rpc("member_profile", { member_id: memberId });
  if (error) throw error;
  return toSeenMember(data);
}

const writtenTextsPageSize = 24;

interface WrittenTextsPage {
  readonly texts: readonly ListedText[];
  /** After which the next page begins; undefined when there is none. */
  readonly last: ListedText | undefined;
}

/** What a member wrote after a text of theirs, as far as the caller may open or buy it. Throws the database's error. */
export async function fetchWrittenTexts(
  client: BackendClient,
  author: string,
  { createdAt, id }: Pick<ListedText, "createdAt" | "id">,
): Promise<WrittenTextsPage> {
  const { data, error } = await client.rpc("written_texts_page", {
    author,
    before: createdAt,
    after_id: id,
    page_size: writtenTextsPageSize,
  });
  if (error) throw error;
  const texts = toListedTexts(data);
  // Texts of an unknown kind are left out, so the length of the answer tells whether there is more.
  const isLast = !Array.isArray(data) || data.length < writtenTextsPageSize;
  return { texts, last: isLast ? undefined : texts.at(-1) };
}

/** How many members the search of the whole product shows. */
const foundAtMost = 5;

/** The best matches of the directory. Throws the database's error. */
export async function searchMembers(
  client: BackendClient,
  search: string,
): Promise<readonly ListedMember[]> {
  return await fetchDirectory(client, directoryQuery({ ...noFilters, search }), null, foundAtMost);
}

/** The best matches of the directory. None when they cannot be read: a search shows what else it found. */
export async function findMembers(
  client: BackendClient,
  search: string,
): Promise<readonly ListedMember[]> {
  try {
    return await searchMembers(client, search);
  } catch (error) {
    console.error("Members were not searched", error);
    return [];
  }
}

const text = z.nullish(z.string());
const pageSchema = z.array(
  z.object({
    user_id: z.string(),
    name: z.string(),
    role_name: z.string(),
    occupation_name: text,
    avatar_url: text,
    member_level: z.number(),
    topics: z.array(z.string()),
    bio: text,
  }),
);

/** Reads the page of the directory after a member. Throws the database's error. */
export async function fetchDirectory(
  client: BackendClient,
  query: DirectoryQuery,
  after: string | null,
  pageSize = directoryPageSize,
): Promise<readonly ListedMember[]> {
  const asked = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined),
  );
  const { data, error } = await client.rpc("people_page", {
    ...asked,
    ...(after === null ? {} : { after_id: after }),
    page_size: pageSize,
  });
  if (error) throw error;
  return pageSchema.parse(data).map((row) => ({
    id: row.user_id,
    name: row.name || unnamedMember,
    role: toRole(row.role_name),
    occupation: row.occupation_name ?? "",
    avatarUrl: row.avatar_url ?? null,
    level: row.member_level,
    topics: row.topics,
    bio: row.bio ?? "",
  }));
}
