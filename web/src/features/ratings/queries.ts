import { useQuery } from "@tanstack/react-query";
import { libraryKey } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchRating } from "./api/ratings.ts";
import type { RatedText } from "./model/rating.ts";

/** The ratings of a text and the member's own. Asked for again with everything else of the library. */
export function useRating(text: RatedText) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: libraryKey(userId, "rating", text.articleId ?? text.courseId),
    queryFn: () => fetchRating(client, text),
    enabled: userId !== "",
  });
}
