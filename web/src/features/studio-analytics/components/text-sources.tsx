import { formatCount } from "@/lib/format-count.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { percentOf } from "../model/analytics.ts";
import type { AnalysedText } from "../model/text-figures.ts";
import { useTextSources } from "../queries.ts";
import { analyticsStrings, sourceNames } from "../strings.ts";
import { FiguresTable } from "./figures-table.tsx";

export interface TextSourcesProps {
  readonly text: AnalysedText;
  /** What members of a text are called, such as `Readers`. */
  readonly members: string;
  /** What they finished, such as `Read to the end`. */
  readonly finished: string;
}

/** From where the readers or students of a text came, as bars and as a table. */
export function TextSourcesSection({ text, members, finished }: TextSourcesProps) {
  const { data, isError, isFetching, refetch } = useTextSources(text);
  const total = data?.reduce((sum, each) => sum + each.members, 0) ?? 0;
  return (
    <section aria-labelledby="sources" className="grid grid-cols-1 gap-4">
      <div className="grid gap-1">
        <h2 id="sources" className="display text-xl">
          {analyticsStrings.sourcesTitle}
        </h2>
        <p className="max-w-prose text-sm text-muted">{analyticsStrings.sourcesIntro}</p>
      </div>
      {data === undefined && isError ? (
        <LoadFailed
          title={analyticsStrings.sourcesLoadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data === undefined && !isError ? (
        <Loading label={analyticsStrings.sourcesLoading}>
          <Skeleton className="h-32 rounded-card" />
        </Loading>
      ) : null}
      {data?.length === 0 ? <p className="text-muted">{analyticsStrings.noSources}</p> : null}
      {data === undefined || data.length === 0 ? null : (
        <>
          <ol className="grid gap-3">
            {data.map((each) => {
              const share = percentOf(each.members, total) ?? 0;
              return (
                <li key={each.source} className="grid gap-1">
                  <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                    <span>{sourceNames[each.source]}</span>
                    <span className="tabular text-sm text-muted">
                      {formatCount(each.members)} · {share}%
                    </span>
                  </p>
                  <div
                    aria-hidden
                    data-meter=""
                    className="h-2 overflow-hidden rounded-full bg-sunken"
                  >
                    <div className="h-full bg-accent" style={{ width: `${share}%` }} />
                  </div>
                </li>
              );
            })}
          </ol>
          <details>
            <summary className="min-h-11 py-2.5 text-sm font-medium">
              {analyticsStrings.sourcesTable}
            </summary>
            <FiguresTable
              label={analyticsStrings.sourcesTable}
              headings={[
                analyticsStrings.source,
                members,
                finished,
                analyticsStrings.shareFinished,
              ]}
              rows={data.map((each) => ({
                id: each.source,
                cells: [
                  sourceNames[each.source],
                  each.members,
                  each.finished,
                  `${percentOf(each.finished, each.members) ?? 0}%`,
                ],
              }))}
            />
          </details>
        </>
      )}
    </section>
  );
}
