import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { isItemId, libraryKey, useLibraryChange } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { markArticleRead } from "./api/mark-article-read.ts";
import { countArticleView } from "./api/count-article-view.ts";
import { selectArticle, type ArticleAddress } from "./api/select-article.ts";
import type { Article } from "./model/article.ts";

/** The article under an address, and the deed of having read it. */
export function useArticle(address: ArticleAddress) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const announceChange = useLibraryChange();
  const userId = useUserId();
  const { category, slug, articleId } = address;
  const key = libraryKey(userId, "article", category, slug, articleId);
  const possible = isItemId(articleId);
  const query = useQuery({
    queryKey: key,
    queryFn: () => selectArticle(client, address),
    enabled: userId !== "" && possible,
    retry: 2,
  });
  const article = possible ? query.data : null;
  const opened = useOpening(article ?? null);
  const marking = useMutation({
    mutationFn: async (id: string) => {
      await opened();
      await markArticleRead(client, userId, id);
    },
    onSuccess: (_nothing, id) => {
      const marked = libraryKey(userId, "article", category, slug, id);
      queries.setQueryData<Article | null>(marked, (known) =>
        known ? { ...known, isRead: true } : known,
      );
      /* Not waited for: the page is right already, and the next deed must not be held up. */
      void announceChange();
    },
    onError: (error) => console.error("The article was not marked as read", error),
  });
  return {
    /** Undefined while it is on its way, null when there is none. */
    article,
    failed: possible && query.isError && query.data === undefined,
    markAsRead: () => marking.mutate(articleId),
    marking: marking.isPending && marking.variables === articleId,
  };
}

/**
 * Tells the server once a visit that an article was opened; a failure is logged. The function
 * returned resolves when the server knows, and asks it again when it did not listen the first time.
 */
function useOpening(article: Article | null): () => Promise<void> {
  const { client } = useBackend();
  const visit = useRef<{ id: string; told: Promise<boolean> } | null>(null);
  const tell = useCallback(
    async (id: string, readCount: number) => {
      try {
        await countArticleView(client, id, readCount);
        return true;
      } catch (error) {
        console.error("The opening of the article was not counted", error);
        return false;
      }
    },
    [client],
  );
  useEffect(() => {
    if (article === null || visit.current?.id === article.id) return;
    visit.current = { id: article.id, told: tell(article.id, article.readCount) };
  }, [article, tell]);
  return async () => {
    if (article === null || (await visit.current?.told) === true) return;
    visit.current = { id: article.id, told: tell(article.id, article.readCount) };
    await visit.current.told;
  };
}
