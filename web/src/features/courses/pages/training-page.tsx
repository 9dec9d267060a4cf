import { GraduationCap } from "lucide-react";
import { trainingCoursePath } from "@/domain/paths.ts";
import { Cover, ItemCard } from "@/features/library/index.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { TrainingCourse } from "../api/fetch-training.ts";
import { useTraining } from "../queries.ts";
import { courseStrings, trainingStrings } from "../strings.ts";

/** `/studio/training`: the courses about teaching, which mentors take from their first day. */
export function TrainingPage() {
  const { data, isError, isFetching, refetch } = useTraining();
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader className="pb-0" title={trainingStrings.title} intro={trainingStrings.intro} />
      {data ? (
        <TrainingList courses={data} />
      ) : isError ? (
        <LoadFailed
          title={trainingStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading
          label={trainingStrings.loading}
          className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3"
        >
          <Skeleton className="h-80 rounded-card" />
        </Loading>
      )}
    </div>
  );
}

function TrainingList({ courses }: { readonly courses: readonly TrainingCourse[] }) {
  if (courses.length === 0) {
    return (
      <EmptyState title={trainingStrings.emptyTitle} icon={<GraduationCap aria-hidden />}>
        {trainingStrings.empty}
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {courses.map((course) => (
        <li key={course.id} className="grid">
          <TrainingCard course={course} />
        </li>
      ))}
    </ul>
  );
}

function TrainingCard({ course }: { readonly course: TrainingCourse }) {
  const progress = course.enrollments[0]?.progress_percentage;
  return (
    <ItemCard
      to={trainingCoursePath(course.id)}
      title={course.title}
      text={course.description}
      done={progress === 100}
      cover={
        <Cover
          category={course.subcategory.main_category}
          topic={course.subcategory.slug}
          slug={course.slug}
          imageUrl={null}
          className="aspect-video"
        />
      }
      badges={null}
      facts={
        <>
          <span>{courseStrings.moduleCount(course.module_count)}</span>
          <span>{trainingStrings.length(course.estimated_duration)}</span>
        </>
      }
    >
      {progress === undefined ? null : (
        <div className="grid gap-1.5">
          <p className="tabular text-sm">{courseStrings.percentComplete(progress)}</p>
          <ProgressBar label={courseStrings.progressIn(course.title)} value={progress} />
        </div>
      )}
    </ItemCard>
  );
}
