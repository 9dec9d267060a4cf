import { Star } from "lucide-react";
import { isFairRating, type AverageRating } from "@/domain/rating.ts";
import { formatCount } from "@/lib/format-count.ts";
import { ratingStrings } from "../strings.ts";

/** The average of all ratings, in the line of facts about a text; nothing while there are too few to be fair. */
export function RatingSummary({ rating }: { readonly rating: AverageRating }) {
  return isFairRating(rating) ? <RatingStars rating={rating} /> : null;
}

/** The same from the first rating on, for the author. */
export function RatingStars({ rating: { average, count } }: { readonly rating: AverageRating }) {
  if (average === null) return null;
  return (
    <span className="inline-flex items-center gap-1">
      <Star aria-hidden className="size-3.5 fill-current text-warn" />
      <span className="sr-only">{ratingStrings.rated(average, count)}</span>
      <span aria-hidden>
        {average.toFixed(1)} ({formatCount(count)})
      </span>
    </span>
  );
}
