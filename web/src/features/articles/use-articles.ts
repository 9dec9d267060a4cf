import type { Category } from "@/domain/categories.ts";
import { toShelfPage, useShelfPage, type ShelfPage } from "@/features/library/index.ts";
import { toArticleCard, type ArticleCard } from "./model/article-card.ts";

function toArticles(answer: unknown): ShelfPage<ArticleCard> {
  return toShelfPage(answer, toArticleCard);
}

/** The articles of a subcategory, in the order of the shelf. */
export function useArticles(category: Category, slug: string) {
  return useShelfPage({ category, shelf: "articles", slug }, toArticles);
}
