import * as z from "zod/mini";
import type { RequirementKind } from "@/domain/level-progress.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/** What a new figure of a requirement would mean. */
export interface RequirementPreview {
  /** Members at the level who have not completed it. */
  readonly members: number;
  /** Of these, how many would complete the level with their next action: today, and with the new figure. */
  readonly readyBefore: number;
  readonly readyAfter: number;
}

const rows = z.array(
  z.object({ members: z.number(), ready_before: z.number(), ready_after: z.number() }),
);

/** Throws the database's error. */
export async function previewRequirement(
  client: BackendClient,
  level: number,
  kind: RequirementKind,
  needed: number,
): Promise<RequirementPreview> {
  const { data, error } = await client.rpc("preview_level_requirement", { level, kind, needed });
  if (error) throw error;
  const row = rows.parse(data)[0];
  return {
    members: row?.members ?? 0,
    readyBefore: row?.ready_before ?? 0,
    readyAfter: row?.ready_after ?? 0,
  };
}

/** Changes what a level asks for. Throws the database's error. */
export async function setRequirement(
  client: BackendClient,
  level: number,
  kind: RequirementKind,
  needed: number,
): Promise<void> {
  const { error } = await client.rpc("set_level_requirement", { level, kind, needed });
  if (error) throw error;
}
