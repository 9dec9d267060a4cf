import { useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { closePost, savePost, type PostDraft } from "./api/posts.ts";
import { postKeys } from "./queries.ts";

/** What a member does with posts. Each rejects with the database's error; the lists are refetched in any case. */
export function usePostActions() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();

  async function thenRefetch(work: Promise<void>): Promise<void> {
    try {
      await work;
    } finally {
      await queries.invalidateQueries({ queryKey: postKeys.all(userId) });
    }
  }

  return {
    save: (draft: PostDraft) => thenRefetch(savePost(client, draft)),
    close: (postId: string) => thenRefetch(closePost(client, postId)),
  };
}
