import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";

/** A document that waits for a decision. */
export interface PendingReview {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  /** Empty when onboarding has not asked yet. */
  readonly name: string;
  readonly documentType: string;
  /** Name of the file in its bucket. */
  readonly document: string;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
  /** How many documents of this member were rejected before. */
  readonly rejections: number;
  /** Names the stored bytes; null for what the storage gave none. */
  readonly version: string | null;
  /** Whether the file that was handed in is still the one under its name. */
  readonly state: "unchanged" | "changed" | "missing";
}

const text = z.optional(z.nullable(z.string()));
const rows = knownItems(
  z.object({
    id: z.string(),
    user_id: z.string(),
    email: text,
    first_name: text,
    last_name: text,
    document_type: z.string(),
    document_url: z.string(),
    submitted_at: z.string(),
    rejections: z.number(),
    document_version: text,
    document_state: z.enum(["unchanged", "changed", "missing"]),
  }),
);

/** Reads what waits, oldest first. Administrators only. Throws the database's error. */
export async function fetchQueue(client: BackendClient): Promise<readonly PendingReview[]> {
  const { data, error } = await client.rpc("verification_queue");
  if (error) throw error;
  const found = rows.parse(data);
  return found
    .map((row) => ({
      id: row.id,
      userId: row.user_id,
      email: row.email ?? "",
      name: [row.first_name, row.last_name].filter(Boolean).join(" "),
      documentType: row.document_type,
      document: row.document_url,
      submittedAt: Date.parse(row.submitted_at),
      rejections: row.rejections,
      version: row.document_version ?? null,
      state: row.document_state,
    }))
    .sort((one, other) => one.submittedAt - other.submittedAt);
}
