import type { Category } from "@/domain/categories.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toArticle, type Article } from "../model/article.ts";

/** Which article, and where its address says it stands. */
export interface ArticleAddress {
  readonly category: Category;
  readonly slug: string;
  readonly articleId: string;
}

/**
 * Reads one published article with its subcategory, its author and whether the member has read it. Null
 * when there is none under this address. Throws the database's error.
 */
export async function fetchArticle(
  client: BackendClient,
  { category, slug, articleId }: ArticleAddress,
): Promise<Article | null> {
  const { data, error } = await client
    .from("articles")
    .select(
      "*, subcategory:subcategories!inner(slug, name), author:profiles(id, first_name, last_name, role), reads:article_reads(article_id)",
    )
    .eq("id", articleId)
    .eq("is_published", true)
    .eq("subcategory.main_category", category)
    .eq("subcategory.slug", slug)
    .maybeSingle();
  if (error) throw error;
  return data === null ? null : toArticle(data);
}
