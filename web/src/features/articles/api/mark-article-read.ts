import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/** Records that the member has read an article. A second time is as good as the first. */
export async function markArticleRead(
  client: BackendClient,
  userId: string,
  articleId: string,
): Promise<void> {
  const { error } = await client
    .from("article_reads")
    .insert({ user_id: userId, article_id: articleId });
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
