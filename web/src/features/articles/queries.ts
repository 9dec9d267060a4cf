import { useQuery } from "@tanstack/react-query";
import type { Category } from "@/domain/categories.ts";
import { libraryKey, toShelfPage, useShelfPage, type ShelfPage } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import { fetchArticle, type ArticleAddress } from "./api/fetch-article.ts";
import { toArticleSummary, type ArticleSummary } from "./model/article-summary.ts";

export function articleKey(userId: string, { category, slug, articleId }: ArticleAddress) {
  return libraryKey(userId, "article", category, slug, articleId);
}

function toArticles(answer: unknown): ShelfPage<ArticleSummary> {
  return toShelfPage(answer, toArticleSummary);
}

/** The articles of a subcategory in display order. */
export function useArticles(category: Category, slug: string) {
  return useShelfPage({ category, shelf: "articles", slug }, toArticles);
}

/** The article at an address. */
export function useArticle(address: ArticleAddress) {
  const { client } = useBackend();
  const userId = useUserId();
  const isPossible = isUuid(address.articleId);
  const query = useQuery({
    queryKey: articleKey(userId, address),
    queryFn: () => fetchArticle(client, address),
    enabled: userId !== "" && isPossible,
    retry: 2,
  });
  return {
    /** Undefined while it is loading, null when there is none. */
    article: isPossible ? query.data : null,
    failed: isPossible && query.isError && query.data === undefined,
  };
}
