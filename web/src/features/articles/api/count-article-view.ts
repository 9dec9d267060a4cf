import type { ReadingSource } from "@/domain/reading-source.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * Counts an opening, and says from where the reader came. The server keeps the true count whatever is sent. Throws the database's error.
 */
export async function countArticleView(
  client: BackendClient,
  articleId: string,
  readCount: number,
  source: ReadingSource,
): Promise<void> {
  const { error } = await client
    .from("articles")
    .update({ read_count: readCount + 1, opened_from: source })
    .eq("id", articleId);
  if (error) throw error;
}
