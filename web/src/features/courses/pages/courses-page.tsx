import { CircleCheck, Clock, Star, Users } from "lucide-react";
import { libraryPath } from "@/domain/library-paths.ts";
import {
  AuthorName,
  Cover,
  ItemCard,
  ShelfFrame,
  useLibraryAddress,
  type ShelfAddress,
} from "@/features/library/index.ts";
import { RatingSummary } from "@/features/ratings/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import type { CourseSummary } from "../model/course-summary.ts";
import { useCourses } from "../queries.ts";
import { courseStrings } from "../strings.ts";
import { formatPrice } from "../components/format-price.ts";

/** `/{category}/courses/{subcategory}`. */
export function CoursesPage() {
  const { category, slug } = useLibraryAddress();
  const query = useCourses(category, slug);
  return (
    <ShelfFrame address={{ category, shelf: "courses", slug }} query={query} card={CourseCard} />
  );
}

function CourseCard({
  item: course,
  address: { category, slug },
}: {
  readonly item: CourseSummary;
  readonly address: ShelfAddress;
}) {
  return (
    <ItemCard
      to={libraryPath(category, "courses", slug, course.id)}
      title={course.title}
      text={course.description}
      done={course.isComplete}
      cover={
        <Cover
          category={category}
          topic={slug}
          slug={course.slug}
          imageUrl={course.imageUrl}
          className="aspect-video"
        />
      }
      badges={<Badges course={course} />}
      facts={<Facts course={course} />}
    >
      {course.progress === null ? null : (
        <div className="grid gap-1.5">
          <p className="tabular text-sm">{courseStrings.percentComplete(course.progress)}</p>
          <ProgressBar label={courseStrings.progressIn(course.title)} value={course.progress} />
        </div>
      )}
    </ItemCard>
  );
}

function Badges({ course }: { readonly course: CourseSummary }) {
  return (
    <>
      {course.isFeatured ? (
        <Badge colour="warn" icon={<Star aria-hidden className="size-3.5" />}>
          {courseStrings.featured}
        </Badge>
      ) : null}
      <Badge className="tabular">
        {formatPrice(course.price)}
        {/* The shelf opens to members only, and a membership holds every course. */}
        {course.price === null ? null : <span>· {courseStrings.includedShort}</span>}
      </Badge>
      {course.isComplete ? (
        <Badge colour="good" icon={<CircleCheck aria-hidden className="size-3.5" />}>
          {courseStrings.complete}
        </Badge>
      ) : null}
    </>
  );
}

function Facts({ course }: { readonly course: CourseSummary }) {
  return (
    <>
      <AuthorName id={course.mentorId} name={course.mentorFirstName} className="relative z-10" />
      <span className="inline-flex items-center gap-1">
        <Clock aria-hidden className="size-3.5" />
        {courseStrings.minutes(course.minutes)}
      </span>
      <span>{course.difficulty}</span>
      <span className="inline-flex items-center gap-1">
        <Users aria-hidden className="size-3.5" />
        {courseStrings.enrolled(course.enrolled)}
      </span>
      <RatingSummary rating={course.rating} />
    </>
  );
}
