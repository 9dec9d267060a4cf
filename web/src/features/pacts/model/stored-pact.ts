import * as z from "zod/mini";
import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";

const storedPactSchema = z.object({
  title: z.string(),
  dueOn: z.string(),
  content: z.string(),
  witnesses: z.array(
    z.object({ id: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  ),
});

/** A pact being written, with the members who are going to be asked. */
export type StoredPact = z.infer<typeof storedPactSchema>;

const storageKeyOf = (userId: string): string => `pact-draft-${userId}`;

/** Reads the unsent pact of this tab; null when there is none. */
export function readStoredPact(storage: DraftStorage, userId: string): StoredPact | null {
  const parsed = storedPactSchema.safeParse(readStoredDraft(storage, storageKeyOf(userId)));
  return parsed.success ? parsed.data : null;
}

export function storePact(storage: DraftStorage, userId: string, pact: StoredPact): void {
  storeDraft(storage, storageKeyOf(userId), pact);
}

export function clearStoredPact(storage: DraftStorage, userId: string): void {
  removeStoredDraft(storage, storageKeyOf(userId));
}
