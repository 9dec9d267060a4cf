import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";

/** A member the caller has blocked. */
export interface BlockedMember {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}

const schema = z.array(
  z.object({
    member_id: z.string(),
    name: z.nullish(z.string()),
    avatar_url: z.nullish(z.string()),
  }),
);

/** Reads whom the caller has blocked, newest first. Throws the database's error. */
export async function fetchBlocks(client: BackendClient): Promise<readonly BlockedMember[]> {
  const { data, error } = await client.rpc("my_blocks");
  if (error) throw error;
  return schema.parse(data).map((row) => ({
    id: row.member_id,
    name: row.name || unnamedMember,
    avatarUrl: row.avatar_url ?? null,
  }));
}

/** Blocks a member, or takes the block back. Throws the database's error. */
export async function setBlock(
  client: BackendClient,
  memberId: string,
  blocked: boolean,
): Promise<void> {
  const { error } = await client.rpc(blocked ? "block_member" : "unblock_member", {
    member_id: memberId,
  });
  if (error) throw error;
}
