import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useProgress } from "@/features/levels/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { newId } from "@/lib/uuid.ts";
import { insertSubmission } from "./api/insert-submission.ts";
import { uploadImage } from "./api/upload-image.ts";
import {
  clearSubmissionDraft,
  readSubmissionDraft,
  writeSubmissionDraft,
  type CompleteDraft,
  type Draft,
} from "./model/draft.ts";
import { prepareImage } from "./model/validate-image.ts";
import { submissionKeys } from "./queries.ts";

/** The draft of this tab, and how to share it. */
export function useNewSubmission() {
  const { client } = useBackend();
  const { refresh } = useProgress();
  const queries = useQueryClient();
  const userId = useUserId();
  const [storedDraft] = useState(() => readSubmissionDraft(sessionStorage, userId));
  /* Trying the same again after a failure makes neither a second picture nor a second post. */
  const id = useRef(newId());
  const stored = useRef<{ readonly file: File; readonly address: string } | null>(null);

  /** Keeps what was written, so that it survives a reload. */
  function keep(draft: Draft): void {
    id.current = newId();
    writeSubmissionDraft(sessionStorage, userId, draft);
  }

  async function storeImage(file: File): Promise<string> {
    if (stored.current?.file === file) return stored.current.address;
    const address = await uploadImage(client, userId, await prepareImage(file));
    stored.current = { file, address };
    return address;
  }

  /** Rejects when it was not shared; everything written stays. */
  async function share(draft: CompleteDraft, image: File | null): Promise<void> {
    const imageUrl = image === null ? null : await storeImage(image);
    await insertSubmission(client, userId, { ...draft, id: id.current, imageUrl });
    clearSubmissionDraft(sessionStorage, userId);
    void refresh();
    void queries.invalidateQueries({ queryKey: submissionKeys.allFeeds(userId) });
  }

  return { storedDraft, keep, share };
}
