import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { closePact, useRefreshPacts } from "@/features/pacts/index.ts";
import { useProgress } from "@/features/levels/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { newId } from "@/lib/uuid.ts";
import { insertSubmission } from "./api/insert-submission.ts";
import { uploadImage } from "./api/upload-image.ts";
import type { CompleteDraft } from "./components/draft-schema.ts";
import { storedSubmission, type Draft } from "./model/draft.ts";
import { prepareImage } from "./model/validate-image.ts";
import { submissionKeys } from "./queries.ts";

/** The draft of this tab, and how to share it: on its own, or as the outcome of a pact. */
export function useNewSubmission(pactId: string | null) {
  const { client } = useBackend();
  const { refresh } = useProgress();
  const refreshPacts = useRefreshPacts();
  const queries = useQueryClient();
  const userId = useUserId();
  const place = pactId ?? undefined;
  const [storedDraft] = useState(() => storedSubmission.read(userId, place));
  // Trying the same again after a failure makes neither a second picture nor a second post.
  const id = useRef(newId());
  const stored = useRef<{ readonly file: File; readonly address: string } | null>(null);

  /** Keeps what was written, so that it survives a reload. */
  function keep(draft: Draft): void {
    id.current = newId();
    storedSubmission.keep(draft, userId, place);
  }

  async function storeImage(file: File): Promise<string> {
    if (stored.current?.file === file) return stored.current.address;
    const address = await uploadImage(client, userId, await prepareImage(file));
    stored.current = { file, address };
    return address;
  }

  /**
   * Rejects when it was not shared; everything written stays.
   * @returns the id of what was shared.
   */
  async function share(
    draft: CompleteDraft,
    image: File | null,
    mentioned: readonly string[],
  ): Promise<string> {
    const shared = id.current;
    const imageUrl = image === null ? null : await storeImage(image);
    const { type } = draft;
    if (pactId === null) {
      await insertSubmission(client, userId, { ...draft, id: shared, imageUrl, mentioned });
    } else if (type !== "before_after") {
      await closePact(client, pactId, { ...draft, type, id: shared, imageUrl, mentioned });
      refreshPacts();
    }
    storedSubmission.keep(null, userId, place);
    void refresh();
    void queries.invalidateQueries({ queryKey: submissionKeys.allFeeds(userId) });
    return shared;
  }

  return { storedDraft, keep, share };
}
