import { useInvalidateLibrary } from "@/features/library/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { rateText } from "./api/ratings.ts";
import type { RatedText } from "./model/rating.ts";

/** Rates a text and reads the library's averages again. Rejects on failure. */
export function useRateText(text: RatedText) {
  const { client } = useBackend();
  const invalidateLibrary = useInvalidateLibrary();
  return async (stars: number, sentence: string, mayQuote: boolean): Promise<void> => {
    await rateText(client, text, stars, sentence, mayQuote);
    await invalidateLibrary();
  };
}
