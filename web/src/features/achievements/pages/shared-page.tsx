import { SearchX } from "lucide-react";
import { useParams } from "react-router";
import { brand } from "@/domain/brand.ts";
import { levels } from "@/domain/levels.ts";
import { longDate, noonOf } from "@/lib/format-time.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { RisingLine, Wordmark } from "@/ui/rising-line.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useSharedCard } from "../queries.ts";
import { achievementStrings } from "../strings.ts";

/** `/shared/{code}`: what a member chose to show in public. Nothing but the card's words. */
export function SharedPage() {
  const { code = "" } = useParams();
  const { data, isError, isFetching, refetch } = useSharedCard(code);
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid min-h-dvh w-full max-w-column grid-cols-1 content-center px-4 py-8 focus:outline-none sm:px-8"
    >
      {data?.card ? (
        <article className="grid gap-10 rounded-card border border-line bg-raised p-6 sm:p-12">
          <Wordmark name={brand.name} />
          <div className="grid gap-3">
            <h1 className="display text-3xl break-words sm:text-4xl">
              <bdi>{data.card.title}</bdi>
            </h1>
            <p className="text-lg text-muted">{data.card.line}</p>
          </div>
          <div className="grid items-end gap-6 sm:grid-cols-2">
            <p className="min-w-0">
              <bdi className="block font-medium break-words">{data.card.name}</bdi>
              <span className="text-sm text-muted">{longDate(noonOf(data.card.day))}</span>
            </p>
            <RisingLine steps={levels} />
          </div>
        </article>
      ) : data ? (
        <div className="grid justify-items-start gap-3">
          <SearchX aria-hidden className="size-8 text-muted" />
          <h1 className="display text-2xl sm:text-3xl">{achievementStrings.unknownCard}</h1>
          <p className="text-muted">{achievementStrings.unknownCardText}</p>
        </div>
      ) : isError ? (
        <LoadFailed
          title={achievementStrings.lookUpFailed}
          busy={isFetching}
          advice={achievementStrings.lookUpAdvice}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={achievementStrings.loadingCard}>
          <Skeleton className="h-80 rounded-card" />
        </Loading>
      )}
    </main>
  );
}
