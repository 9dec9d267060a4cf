import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { toReadingSource } from "@/domain/reading-source.ts";
import { useInvalidateLibrary } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { pageBefore } from "@/lib/previous-page.ts";
import { countArticleView } from "./api/count-article-view.ts";
import { markArticleRead } from "./api/mark-article-read.ts";
import type { ArticleAddress } from "./api/fetch-article.ts";
import type { Article } from "./model/article.ts";
import { articleKey } from "./queries.ts";

/** Counts a view of the article, and marks it as read on request. Failures are logged. */
export function useArticleActions(address: ArticleAddress, article: Article | null) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const invalidateLibrary = useInvalidateLibrary();
  const userId = useUserId();
  const ensureViewCounted = useCountedView(article);
  const marking = useMutation({
    mutationFn: async (articleId: string) => {
      await ensureViewCounted();
      await markArticleRead(client, userId, articleId);
    },
    onSuccess: (_nothing, articleId) => {
      queries.setQueryData<Article | null>(
        articleKey(userId, { ...address, articleId }),
        (known) => (known ? { ...known, isRead: true } : known),
      );
      // Not awaited: the page is already correct, and the next action must not wait.
      void invalidateLibrary();
    },
    onError: (error) => console.error("The article was not marked as read", error),
  });
  return {
    markAsRead: () => marking.mutate(address.articleId),
    marking: marking.isPending && marking.variables === address.articleId,
  };
}

/**
 * Counts one view per visit. The returned function resolves when the view is counted, after a
 * second attempt when the first one failed.
 */
function useCountedView(article: Article | null): () => Promise<void> {
  const { client } = useBackend();
  const { pathname, state } = useLocation();
  const visit = useRef<{ id: string; counted: Promise<boolean> } | null>(null);
  const count = useCallback(
    async (id: string, readCount: number) => {
      try {
        const source = toReadingSource(state, pageBefore(pathname));
        await countArticleView(client, id, readCount, source);
        return true;
      } catch (error) {
        console.error("The view of the article was not counted", error);
        return false;
      }
    },
    [client, pathname, state],
  );
  useEffect(() => {
    if (article === null || visit.current?.id === article.id) return;
    visit.current = { id: article.id, counted: count(article.id, article.readCount) };
  }, [article, count]);
  return async () => {
    if (article === null || (await visit.current?.counted) === true) return;
    visit.current = { id: article.id, counted: count(article.id, article.readCount) };
    await visit.current.counted;
  };
}
