import { levelByNumber } from "@/domain/levels.ts";
import type { Role } from "@/domain/roles.ts";
import { searchText } from "@/lib/search-text.ts";

/** A line of the directory. */
export interface ListedMember {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Empty when none was given. */
  readonly occupation: string;
  readonly avatarUrl: string | null;
  readonly level: number;
  readonly topics: readonly string[];
  /** Its beginning; empty when there is none. */
  readonly bio: string;
}

/** The filters as they stand in the address; empty when not chosen. */
export const noFilters = { search: "", level: "", role: "", occupation: "", topic: "" };
export type DirectoryFilters = Readonly<typeof noFilters>;

export const directoryPageSize = 24;

const limits = { search: 200, occupation: 150, topic: 40 } as const;

/** What is asked of the database: filters that do not exist are left out, because anyone can edit an address. */
export function directoryQuery({ search, level, role, occupation, topic }: DirectoryFilters) {
  const said = (text: string, limit: number) => searchText(text, limit) || undefined;
  return {
    search: said(search, limits.search),
    occupation: said(occupation, limits.occupation),
    topic: said(topic, limits.topic),
    level: levelByNumber(Number(level))?.number,
    role: role === "student" || role === "mentor" ? role : undefined,
  };
}
export type DirectoryQuery = ReturnType<typeof directoryQuery>;

/** Whether anything is searched or filtered. */
export function isFiltered(query: DirectoryQuery): boolean {
  return Object.values(query).some((value) => value !== undefined);
}
