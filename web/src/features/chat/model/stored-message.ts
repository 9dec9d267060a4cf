import * as z from "zod/mini";
import { messageDraftPrefix } from "@/lib/draft-storage.ts";
import { storedDraft } from "@/lib/stored-draft.ts";

const messageDraftSchema = z.object({
  text: z.string(),
  mentions: z.array(z.object({ id: z.nullable(z.string()), name: z.string() })),
});

/** The message that was not sent, by its room or the member it is for. */
export const storedMessage = storedDraft(messageDraftPrefix, messageDraftSchema);
