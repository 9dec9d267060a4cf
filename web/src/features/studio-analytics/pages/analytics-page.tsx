import { ChartColumn } from "lucide-react";
import { Link } from "react-router";
import { articleAnalyticsPath, courseAnalyticsPath } from "@/domain/paths.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { ExportFigures, FiguresTable, type FigureRow } from "../components/figures-table.tsx";
import { Lately } from "../components/lately.tsx";
import { percentOf, type ContentFigures } from "../model/analytics.ts";
import { useContentFigures } from "../queries.ts";
import { analyticsPageStrings, categoryNames, figureNames } from "../strings.ts";

/** `/studio/analytics`: the figures of a mentor's articles and courses. Administrators see everyone's. */
export function AnalyticsPage() {
  const { data, isError, isFetching, refetch } = useContentFigures();
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={analyticsPageStrings.title}
        intro={analyticsPageStrings.intro}
      />
      {data?.length === 0 ? (
        <EmptyState title={analyticsPageStrings.emptyTitle} icon={<ChartColumn aria-hidden />}>
          {analyticsPageStrings.empty}
        </EmptyState>
      ) : data ? (
        <Lately openQuestions={data.reduce((sum, each) => sum + each.open_questions, 0)}>
          <Figures contents={data} />
        </Lately>
      ) : isError ? (
        <LoadFailed
          title={analyticsPageStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={analyticsPageStrings.loading}>
          <Skeleton className="h-64 rounded-card" />
        </Loading>
      )}
    </div>
  );
}

const articleHeadings = [
  figureNames.article,
  figureNames.readers,
  figureNames.reads,
  figureNames.share,
  figureNames.questions,
  figureNames.openQuestions,
  figureNames.category,
];
const courseHeadings = [
  figureNames.course,
  figureNames.enrolments,
  figureNames.completed,
  figureNames.share,
  figureNames.questions,
  figureNames.openQuestions,
  figureNames.category,
];

function share(part: number, whole: number): string | null {
  const percent = percentOf(part, whole);
  return percent === null ? null : `${percent}%`;
}

function titleOf({ title, is_published: isPublished }: ContentFigures): string {
  return isPublished ? title : analyticsPageStrings.notPublished(title);
}

/** Whether anything happened to a text. */
const isTouched = (each: ContentFigures) =>
  each.readers + each.reads + each.enrolments + each.completions + each.questions > 0;

function Figures({ contents }: { readonly contents: readonly ContentFigures[] }) {
  const courses = contents
    .filter(({ kind }) => kind === "course")
    .toSorted((one, other) => other.enrolments - one.enrolments)
    .map((each) => ({
      id: each.content_id,
      isTouched: isTouched(each),
      cells: [
        titleOf(each),
        each.enrolments,
        each.completions,
        share(each.completions, each.enrolments),
        each.questions,
        each.open_questions,
        categoryNames[each.category],
      ],
      name: (
        <Link to={courseAnalyticsPath(each.content_id)} className="underline underline-offset-4">
          {titleOf(each)}
        </Link>
      ),
    }));
  const articles = contents
    .filter(({ kind }) => kind === "article")
    .toSorted((one, other) => other.readers - one.readers)
    .map((each) => ({
      id: each.content_id,
      isTouched: isTouched(each),
      cells: [
        titleOf(each),
        each.readers,
        each.reads,
        share(each.reads, each.readers),
        each.questions,
        each.open_questions,
        categoryNames[each.category],
      ],
      name: (
        <Link to={articleAnalyticsPath(each.content_id)} className="underline underline-offset-4">
          {titleOf(each)}
        </Link>
      ),
    }));
  return [
    [analyticsPageStrings.courses, "courses", courseHeadings, courses] as const,
    [analyticsPageStrings.articles, "articles", articleHeadings, articles] as const,
  ].map(([title, id, headings, rows]) =>
    rows.length === 0 ? null : (
      <section key={id} aria-labelledby={id} className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id={id} className="display text-xl">
            {title}
          </h2>
          <ExportFigures file={`fourfold-${id}`} headings={headings} rows={rows} />
        </div>
        <SortedTable title={title} headings={headings} rows={rows} />
      </section>
    ),
  );
}

/** Those that were opened, the most read first; the others are folded away. */
function SortedTable({
  title,
  headings,
  rows,
}: {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (FigureRow & { readonly isTouched: boolean })[];
}) {
  const touched = rows.filter((row) => row.isTouched);
  const untouched = rows.filter((row) => !row.isTouched);
  return (
    <>
      {touched.length === 0 ? null : (
        <FiguresTable label={title} headings={headings} rows={touched} />
      )}
      {untouched.length === 0 ? null : (
        <details open={touched.length === 0}>
          <summary className="min-h-11 py-2.5 text-sm font-medium">
            {analyticsPageStrings.untouched(untouched.length)}
          </summary>
          <FiguresTable
            label={`${title}: ${analyticsPageStrings.untouched(untouched.length)}`}
            headings={headings}
            rows={untouched}
          />
        </details>
      )}
    </>
  );
}
