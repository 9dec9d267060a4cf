import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import { toMemberRows, type MemberRow } from "../model/member.ts";

/** What the list is filtered by; an empty text does not filter. */
export interface MemberFilters {
  /** Part of the name or address. */
  readonly search: string;
  readonly membership: string;
  readonly level: string;
  readonly role: string;
  /** First and last day of joining, as `YYYY-MM-DD`, in UTC. */
  readonly from: string;
  readonly to: string;
  readonly sort: string;
}

export const memberPageSize = 50;

/** Reads one page; the one after the member `after`. Throws the database's error. */
export async function fetchMembers(
  client: BackendClient,
  { search, membership, level, role, from, to, sort }: MemberFilters,
  after: string | null,
): Promise<readonly MemberRow[]> {
  const wanted = searchText(search);
  const { data, error } = await client.rpc("member_page", {
    ...(wanted === "" ? {} : { search: wanted }),
    ...(membership === "" ? {} : { membership }),
    ...(level === "" ? {} : { level: Number(level) }),
    ...(role === "" ? {} : { role }),
    ...(from === "" ? {} : { joined_from: from }),
    ...(to === "" ? {} : { joined_to: to }),
    ...(after === null ? {} : { after_id: after }),
    sort,
    page_size: memberPageSize,
  });
  if (error) throw error;
  return toMemberRows(data);
}
