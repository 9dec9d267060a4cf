import { useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { sendImport, type Imported } from "./api/drafts.ts";
import type { DraftContent, DraftKind } from "./model/draft.ts";
import { studioKey } from "./queries.ts";

/** Makes a draft of a file and reads the list of drafts again. Rejects on failure. */
export function useImportDraft(): (
  kind: DraftKind,
  content: DraftContent,
  again: boolean,
) => Promise<Imported> {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return async (kind, content, again) => {
    const imported = await sendImport(client, kind, content, again);
    await queries.invalidateQueries({ queryKey: [...studioKey, userId, "drafts"] });
    return imported;
  };
}
