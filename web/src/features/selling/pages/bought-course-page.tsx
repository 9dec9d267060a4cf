import { useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { CoursePlayer, CourseSkeleton, NewerVersion } from "@/features/courses/index.ts";
import { BackLink, NotFoundMessage } from "@/features/library/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PublicPage } from "../components/public-page.tsx";
import { useBoughtCourse, useCompleteLesson, useTakeNewestBoughtVersion } from "../queries.ts";
import { boughtCourseStrings, sellingStrings } from "../strings.ts";

/** `/your-courses/:courseId`: the lessons of a course that was bought. */
export function BoughtCoursePage() {
  const { courseId = "" } = useParams();
  const { data, isError, isFetching, refetch } = useBoughtCourse(courseId);
  const completing = useCompleteLesson(courseId);
  const moving = useTakeNewestBoughtVersion(courseId);
  usePageDetail(data?.title ?? null);
  return (
    <PublicPage>
      {data?.enrollment ? (
        <div className="grid grid-cols-1 gap-6">
          <BackLink to={paths.yourCourses}>{sellingStrings.yourCourses}</BackLink>
          {data.enrollment.isBehind ? (
            <NewerVersion
              moving={moving.isPending}
              onMove={() => moving.mutateAsync().catch(() => {})}
            />
          ) : null}
          <CoursePlayer
            key={data.id}
            course={data}
            enrollment={data.enrollment}
            list={paths.yourCourses}
            completing={completing.isPending ? completing.variables : null}
            onComplete={(moduleId) => completing.mutate(moduleId)}
          />
        </div>
      ) : data === null ? (
        <NotFoundMessage
          title={boughtCourseStrings.closedTitle}
          to={paths.yourCourses}
          back={sellingStrings.backToYourCourses}
        >
          {boughtCourseStrings.closed}
        </NotFoundMessage>
      ) : isError ? (
        <LoadFailed
          title={boughtCourseStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <CourseSkeleton />
      )}
    </PublicPage>
  );
}
