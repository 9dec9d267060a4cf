import { useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { BackLink, NotFoundMessage } from "@/features/library/index.ts";
import { formatCount } from "@/lib/format-count.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { ComparedFigures, percentText } from "../components/compared-figures.tsx";
import { CourseFunnel } from "../components/course-funnel.tsx";
import { CourseCohorts, CourseTrend } from "../components/course-trend.tsx";
import { ExportFigures } from "../components/figures-table.tsx";
import { StudentList } from "../components/student-list.tsx";
import { TextRatingsSection } from "../components/text-ratings.tsx";
import { TextSourcesSection } from "../components/text-sources.tsx";
import { percentOf, type CourseAnalytics } from "../model/analytics.ts";
import { useCourseAnalytics } from "../queries.ts";
import { analyticsStrings, courseAnalyticsStrings, figureNames } from "../strings.ts";

/** `/studio/analytics/{courseId}`: how members take a course, for its mentor and administrators. */
export function CourseAnalyticsPage() {
  const { courseId = "" } = useParams();
  const { data, isError, isFetching, refetch } = useCourseAnalytics(courseId);
  usePageDetail(data?.title ?? null);
  if (data === null) {
    return (
      <NotFoundMessage
        title={courseAnalyticsStrings.notFoundTitle}
        to={paths.studioAnalytics}
        back={analyticsStrings.backToAnalytics}
      >
        {courseAnalyticsStrings.notFound}
      </NotFoundMessage>
    );
  }
  if (data === undefined) {
    return isError ? (
      <LoadFailed
        title={courseAnalyticsStrings.loadFailed}
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
              file={`fourfold-course-${data.today}`}
              headings={[
                figureNames.day,
                figureNames.enrolments,
                figureNames.lessonsCompleted,
                figureNames.coursesCompleted,
              ]}
              rows={data.days.map(({ day, enrolments, lessons, completions }) => ({
                id: day,
                cells: [day, enrolments, lessons, completions],
              }))}
            />
          }
        />
      </div>
      <Summary course={data} />
      <CourseFunnel course={data} />
      <CourseTrend course={data} />
      <CourseCohorts cohorts={data.cohorts} />
      <TextSourcesSection
        text={{ courseId: data.id }}
        members={courseAnalyticsStrings.sourcesMembers}
        finished={figureNames.completed}
      />
      <TextRatingsSection text={{ courseId: data.id }} />
      <StudentList courseId={data.id} />
    </div>
  );
}

function Summary({ course }: { readonly course: CourseAnalytics }) {
  const { median_days: days, comparison } = course;
  return (
    <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-6">
      <StatFigure label={figureNames.enrolments} value={formatCount(course.enrolments)} />
      <StatFigure
        label={figureNames.completed}
        value={formatCount(course.completions)}
        note={courseAnalyticsStrings.shareOfEnrolled(
          percentText(percentOf(course.completions, course.enrolments)),
        )}
      />
      <StatFigure
        label={courseAnalyticsStrings.completionTime}
        value={days === null ? "–" : courseAnalyticsStrings.completionDays(days)}
        note={courseAnalyticsStrings.completionNote}
      />
      <StatFigure
        label={figureNames.questions}
        value={formatCount(course.questions)}
        note={analyticsStrings.withoutAnswer(course.open_questions)}
      />
      <ComparedFigures
        label={courseAnalyticsStrings.others}
        finished={courseAnalyticsStrings.othersFinished}
        noun={courseAnalyticsStrings.othersNoun}
        ownCount={comparison.own_courses}
        ownRate={comparison.own_rate}
        categoryRate={comparison.category_rate}
      />
    </dl>
  );
}
