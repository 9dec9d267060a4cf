import { lazy, Suspense, useState } from "react";
import { RatingStars } from "@/features/ratings/index.ts";
import { formatCount } from "@/lib/format-count.ts";
import { monthName } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { takeDownSentence } from "../api/text-figures.ts";
import { percentOf } from "../model/analytics.ts";
import type { AnalysedText, TextRatings } from "../model/text-figures.ts";
import { useAnalyticsAction } from "../mutations.ts";
import { useTextRatings } from "../queries.ts";
import { analyticsStrings, explainAnalyticsError } from "../strings.ts";

const RemovalDialog = lazy(() => import("./removal-dialog.ts"));

/** How members rated a text, and what they wrote about it. */
export function TextRatingsSection({ text }: { readonly text: AnalysedText }) {
  const { data, isError, isFetching, refetch } = useTextRatings(text);
  return (
    <section aria-labelledby="ratings" className="grid grid-cols-1 gap-4">
      <h2 id="ratings" className="display text-xl">
        {analyticsStrings.ratingsTitle}
      </h2>
      {data === undefined && isError ? (
        <LoadFailed
          title={analyticsStrings.ratingsLoadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data === undefined && !isError ? (
        <Loading label={analyticsStrings.ratingsLoading}>
          <Skeleton className="h-32 rounded-card" />
        </Loading>
      ) : null}
      {data?.count === 0 ? <p className="text-muted">{analyticsStrings.noRatings}</p> : null}
      {data === undefined || data.count === 0 ? null : <Ratings ratings={data} />}
    </section>
  );
}

function Ratings({ ratings }: { readonly ratings: TextRatings }) {
  const { average, count, distribution } = ratings;
  return (
    <>
      <p className="tabular flex items-center gap-2">
        <RatingStars rating={{ average, count }} />
      </p>
      <ol aria-label={analyticsStrings.distribution} className="grid max-w-md gap-1.5">
        {distribution
          .map((members, index) => ({ stars: index + 1, members }))
          .toReversed()
          .map(({ stars, members }) => (
            <li
              key={stars}
              className="tabular grid grid-cols-[4.5rem_1fr_3rem] items-center gap-3 text-sm"
            >
              <span className="text-muted">{analyticsStrings.stars(stars)}</span>
              <div aria-hidden data-meter="" className="h-2 overflow-hidden rounded-full bg-sunken">
                <div
                  className="h-full bg-accent"
                  style={{ width: `${percentOf(members, count) ?? 0}%` }}
                />
              </div>
              <span className="text-right">{formatCount(members)}</span>
            </li>
          ))}
      </ol>
      {ratings.sentences.length === 0 ? null : <Sentences ratings={ratings} />}
    </>
  );
}

function Sentences({ ratings }: { readonly ratings: TextRatings }) {
  const act = useAnalyticsAction();
  const [asked, setAsked] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function takeDown(explanation: string): Promise<void> {
    if (asked === null) return;
    setBusy(true);
    try {
      await act((client) => takeDownSentence(client, asked, explanation));
    } catch (error) {
      console.error("The sentence was not taken down", error);
      toast.danger(analyticsStrings.takeDownFailed(explainAnalyticsError(error)));
    } finally {
      setBusy(false);
      setAsked(null);
    }
  }

  return (
    <>
      <h3 className="font-medium">{analyticsStrings.sentencesTitle}</h3>
      <ul className="grid grid-cols-1 gap-4">
        {ratings.sentences.map(({ id, stars, sentence, month }) => (
          <li key={id} className="grid grid-cols-1 gap-1 border-l-2 border-line pl-4">
            <p dir="auto" className="wrap-anywhere">
              {sentence}
            </p>
            <p className="tabular text-sm text-muted">
              {analyticsStrings.stars(stars)}, {monthName(month)}
            </p>
            {ratings.may_take_down ? (
              <Button
                variant="quiet"
                size="sm"
                className="-ml-3 justify-self-start"
                onClick={() => setAsked(id)}
              >
                {analyticsStrings.takeDown}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {asked === null ? null : (
        <Suspense>
          <RemovalDialog
            title={analyticsStrings.takeDownTitle}
            description={analyticsStrings.takeDownText}
            confirmLabel={analyticsStrings.takeDown}
            cancelLabel={analyticsStrings.keepSentence}
            busy={busy}
            onConfirm={(explanation) => void takeDown(explanation)}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </>
  );
}
