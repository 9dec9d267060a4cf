import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * Counts an opening. The server keeps the true count whatever is sent. Throws the database's error.
 */
export async function countArticleView(
  client: BackendClient,
  articleId: string,
  readCount: number,
): Promise<void> {
  const { error } = await client
    .from("articles")
    .update({ read_count: readCount + 1 })
    .eq("id", articleId);
  if (error) throw error;
}
