import * as z from "zod/mini";
import {
  messageDraftPrefix,
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  tabStorage,
} from "@/lib/draft-storage.ts";

const messageDraftSchema = z.object({
  text: z.string(),
  mentions: z.array(z.object({ id: z.nullable(z.string()), name: z.string() })),
});

/** A message that is being written, and the members picked in it. */
export type MessageDraft = z.infer<typeof messageDraftSchema>;

const storageKeyOf = (userId: string, placeId: string): string =>
  `${messageDraftPrefix}${userId}-${placeId}`;

/** Reads the message to a room, or to a member, that was not sent in this tab; null when there is none. */
export function readMessageDraft(userId: string, placeId: string): MessageDraft | null {
  const stored = readStoredDraft(tabStorage, storageKeyOf(userId, placeId));
  const parsed = messageDraftSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

/** Keeps a message that is being written; an empty one is forgotten. */
export function keepMessageDraft(userId: string, placeId: string, draft: MessageDraft): void {
  const key = storageKeyOf(userId, placeId);
  if (draft.text === "") removeStoredDraft(tabStorage, key);
  else storeDraft(tabStorage, key, draft);
}
