import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { beginDraft, saveNewVersion, sendImport, type Imported } from "./api/drafts.ts";
import { placePictures, type PlacedPictures } from "./api/place-pictures.ts";
import type { DraftContent, DraftKind } from "./model/draft.ts";
import type { ImportItem } from "./model/import-files.ts";
import { draftsKey } from "./queries.ts";

/** Reads the list of drafts again where it is shown, and once it is shown next. */
function useDraftsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  const userId = useUserId();
  return async () => await queries.invalidateQueries({ queryKey: draftsKey(userId) });
}

/** Begins an article or a course; its id. Rejects on failure. */
export function useBeginDraft(): (kind: DraftKind) => Promise<string> {
  const { client } = useBackend();
  const draftsChanged = useDraftsChanged();
  return async (kind) => {
    const draftId = await beginDraft(client, kind);
    void draftsChanged();
    return draftId;
  };
}

/** Saves a version of a draft, made from `version`; its number. Rejects on failure. */
export function useSaveVersion(
  draftId: string,
): (content: DraftContent, version: number) => Promise<number> {
  const { client } = useBackend();
  const draftsChanged = useDraftsChanged();
  return async (content, version) => {
    const saved = await saveNewVersion(client, draftId, content, version);
    void draftsChanged();
    return saved;
  };
}

/** Makes a draft of a file, with its pictures, and reads the list of drafts again. Rejects on failure. */
export function useImportDraft(): (
  item: Pick<ImportItem, "kind" | "pictures">,
  content: DraftContent,
  again: boolean,
) => Promise<Imported> {
  const { client } = useBackend();
  const draftsChanged = useDraftsChanged();
  const userId = useUserId();
  const [placed] = useState<PlacedPictures>(() => new Map());
  return async (item, content, again) => {
    const whole = await placePictures(client, userId, item, content, placed);
    const imported = await sendImport(client, item.kind, whole, again);
    await draftsChanged();
    return imported;
  };
}
