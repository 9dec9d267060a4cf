import { useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { BackLink, NotFoundMessage } from "@/features/library/index.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";
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

/** `/studio/analytics/{courseId}`: how members take a course, for its mentor and administrators. */
export function CourseAnalyticsPage() {
  const { courseId = "" } = useParams();
  const { data, isError, isFetching, refetch } = useCourseAnalytics(courseId);
  usePageDetail(data?.title ?? null);
  if (data === null) {
    return (
      <NotFoundMessage title="Course not found" to={paths.studioAnalytics} back="Back to analytics">
        The link may be wrong, or it is someone else&apos;s course.
      </NotFoundMessage>
    );
  }
  if (data === undefined) {
    return isError ? (
      <LoadFailed
        title="We couldn't load this course's figures"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label="Loading the figures" className="grid gap-4">
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="h-96 rounded-card" />
      </Loading>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-10">
      <div className="grid gap-4">
        <BackLink to={paths.studioAnalytics}>Analytics</BackLink>
        <PageHeader
          className="pb-0"
          title={data.title}
          actions={
            <ExportFigures
              file={`fourfold-course-${data.today}`}
              headings={["Day", "Enrolments", "Lessons completed", "Courses completed"]}
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
      <TextSourcesSection text={{ courseId: data.id }} members="Enrolled" finished="Completed" />
      <TextRatingsSection text={{ courseId: data.id }} />
      <StudentList courseId={data.id} />
    </div>
  );
}

function Summary({ course }: { readonly course: CourseAnalytics }) {
  const { median_days: days, comparison } = course;
  return (
    <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-6">
      <StatFigure label="Enrolments" value={formatCount(course.enrolments)} />
      <StatFigure
        label="Completed"
        value={formatCount(course.completions)}
        note={`${percentText(percentOf(course.completions, course.enrolments))} of all enrolled`}
      />
      <StatFigure
        label="Time to complete"
        value={days === null ? "–" : days < 1 ? "Under a day" : pluralise(days, "day")}
        note="median"
      />
      <StatFigure
        label="Questions"
        value={formatCount(course.questions)}
        note={`${formatCount(course.open_questions)} without an answer`}
      />
      <ComparedFigures
        label="Your other courses"
        finished="completed"
        noun="courses"
        ownCount={comparison.own_courses}
        ownRate={comparison.own_rate}
        categoryRate={comparison.category_rate}
      />
    </dl>
  );
}
