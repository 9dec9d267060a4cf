import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { sendImport, type Imported } from "./api/drafts.ts";
import { placePictures, type PlacedPictures } from "./api/place-pictures.ts";
import type { DraftContent } from "./model/draft.ts";
import type { ImportItem } from "./model/import-files.ts";
import { studioKey } from "./queries.ts";

/** Makes a draft of a file, with its pictures, and reads the list of drafts again. Rejects on failure. */
export function useImportDraft(): (
  item: Pick<ImportItem, "kind" | "pictures">,
  content: DraftContent,
  again: boolean,
) => Promise<Imported> {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const [placed] = useState<PlacedPictures>(() => new Map());
  return async (item, content, again) => {
    const whole = await placePictures(client, userId, item, content, placed);
    const imported = await sendImport(client, item.kind, whole, again);
    await queries.invalidateQueries({ queryKey: [...studioKey, userId, "drafts"] });
    return imported;
  };
}
