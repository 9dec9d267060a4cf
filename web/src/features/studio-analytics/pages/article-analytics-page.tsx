import { useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { BackLink, NotFoundMessage } from "@/features/library/index.ts";
import { formatChange } from "@/lib/format-change.ts";
import { formatCount } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { BarChart } from "@/ui/bar-chart.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { ComparedFigures } from "../components/compared-figures.tsx";
import { ExportFigures, FiguresTable } from "../components/figures-table.tsx";
import { TextRatingsSection } from "../components/text-ratings.tsx";
import { TextSourcesSection } from "../components/text-sources.tsx";
import { lastDays, percentOf, totalsByPeriod, trendDays } from "../model/analytics.ts";
import type { ArticleAnalytics } from "../model/text-figures.ts";
import { useArticleAnalytics } from "../queries.ts";
import { analyticsStrings, articleAnalyticsStrings, figureNames } from "../strings.ts";

/** `/studio/analytics/articles/{articleId}`: how members read an article, for its mentor and administrators. */
export function ArticleAnalyticsPage() {
  const { articleId = "" } = useParams();
  const { data, isError, isFetching, refetch } = useArticleAnalytics(articleId);
  usePageDetail(data?.title ?? null);
  if (data === null) {
    return (
      <NotFoundMessage
        title={articleAnalyticsStrings.notFoundTitle}
        to={paths.studioAnalytics}
        back={analyticsStrings.backToAnalytics}
      >
        {articleAnalyticsStrings.notFound}
      </NotFoundMessage>
    );
  }
  if (data === undefined) {
    return isError ? (
      <LoadFailed
        title={articleAnalyticsStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label={analyticsStrings.loadingFigures} className="grid gap-4">
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="h-96 rounded-card" />
      </Loading>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-10">
      <div className="grid gap-4">
        <BackLink to={paths.studioAnalytics}>{analyticsStrings.backLink}</BackLink>
        <PageHeader
          className="pb-0"
          title={data.title}
          actions={
            <ExportFigures
              file={`fourfold-article-${data.today}`}
              headings={[figureNames.day, figureNames.reads]}
              rows={data.days.map(({ day, reads }) => ({ id: day, cells: [day, reads] }))}
            />
          }
        />
      </div>
      <Summary article={data} />
      <Trend article={data} />
      <TextSourcesSection
        text={{ articleId: data.id }}
        members={figureNames.readers}
        finished={figureNames.reads}
      />
      <TextRatingsSection text={{ articleId: data.id }} />
    </div>
  );
}

function Summary({ article }: { readonly article: ArticleAnalytics }) {
  const share = percentOf(article.reads, article.readers);
  const { comparison } = article;
  return (
    <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-5">
      <StatFigure label={figureNames.readers} value={formatCount(article.readers)} />
      <StatFigure
        label={figureNames.reads}
        value={formatCount(article.reads)}
        note={share === null ? undefined : articleAnalyticsStrings.shareOfReaders(share)}
      />
      <StatFigure
        label={figureNames.questions}
        value={formatCount(article.questions)}
        note={analyticsStrings.withoutAnswer(article.open_questions)}
      />
      <ComparedFigures
        label={articleAnalyticsStrings.others}
        finished={articleAnalyticsStrings.othersFinished}
        noun={articleAnalyticsStrings.othersNoun}
        ownCount={comparison.own_articles}
        ownRate={comparison.own_rate}
        categoryRate={comparison.category_rate}
      />
    </dl>
  );
}

function Trend({ article }: { readonly article: ArticleAnalytics }) {
  const days = lastDays(article.today).map((day) => ({
    day,
    reads: article.days.find((each) => each.day === day)?.reads ?? 0,
  }));
  const totals = totalsByPeriod(article.days, article.today, ({ reads }) => reads);
  // At noon, so that it is the same day nearly everywhere.
  const dateOf = (day: string) => longDate(Date.parse(`${day}T12:00:00Z`));
  return (
    <section aria-labelledby="trend" className="grid grid-cols-1 gap-4">
      <div className="grid gap-1">
        <h2 id="trend" className="display text-xl">
          {articleAnalyticsStrings.trendTitle(trendDays, totals.now)}
        </h2>
        <p className="tabular text-sm text-muted">{formatChange(totals, trendDays)}</p>
      </div>
      <BarChart
        label={analyticsStrings.chartLabel(figureNames.reads, totals.now, trendDays)}
        bars={days.map(({ day, reads }) => ({ label: dateOf(day), value: reads }))}
      />
      <details>
        <summary className="min-h-11 py-2.5 text-sm font-medium">
          {analyticsStrings.daysTable}
        </summary>
        <FiguresTable
          label={analyticsStrings.daysTable}
          headings={[figureNames.day, figureNames.reads]}
          rows={days
            .toReversed()
            .map(({ day, reads }) => ({ id: day, cells: [dateOf(day), reads] }))}
        />
      </details>
    </section>
  );
}
