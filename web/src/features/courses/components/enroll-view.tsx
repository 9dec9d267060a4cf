import { BookOpenText, Clock, Gauge, Lock, Users } from "lucide-react";
import type { ReactNode } from "react";
import type { Category } from "@/domain/categories.ts";
import { isFairRating } from "@/domain/rating.ts";
import { Cover, libraryStrings } from "@/features/library/index.ts";
import { RatingSummary } from "@/features/ratings/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import type { Course } from "../model/course.ts";
import { courseStrings, courseModuleStrings } from "../strings.ts";
import { Teacher } from "./teacher.tsx";
import { Syllabus } from "./syllabus.tsx";
import { formatPrice } from "./format-price.ts";

export interface EnrollViewProps {
  readonly course: Course;
  readonly category: Category;
  readonly enrolling: boolean;
  readonly onEnroll: () => void;
}

/** A course before one takes it: what it is, what it asks, and the button. */
export function EnrollView({ course, category, enrolling, onEnroll }: EnrollViewProps) {
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid content-start gap-6">
        <Cover
          category={category}
          topic={course.subcategory.slug}
          slug={course.slug}
          imageUrl={course.imageUrl}
          className={classNames(
            "rounded-card",
            course.imageUrl === null ? "h-36 sm:h-60" : "aspect-video",
          )}
        />
        <header className="grid gap-3">
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Teacher mentor={course.mentor} />
          </p>
          <h1 className="display text-3xl sm:text-4xl">{course.title}</h1>
          <p className="max-w-prose text-lg text-muted">{course.description}</p>
        </header>
        <ul className="tabular flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
          <Fact icon={<BookOpenText aria-hidden />}>
            {courseStrings.moduleCount(course.moduleCount)}
          </Fact>
          <Fact icon={<Clock aria-hidden />}>{courseStrings.minutes(course.minutes)}</Fact>
          <Fact icon={<Gauge aria-hidden />}>{course.difficulty}</Fact>
          <Fact icon={<Users aria-hidden />}>{courseStrings.enrolled(course.enrolled)}</Fact>
          {!isFairRating(course.rating) ? null : (
            <li>
              <RatingSummary rating={course.rating} />
            </li>
          )}
        </ul>
        <div className="flex flex-wrap items-center gap-4 border-t border-line pt-6">
          <Button variant="accent" size="lg" loading={enrolling} onClick={onEnroll}>
            {courseStrings.enroll}
          </Button>
          <p className="flex items-center gap-2 text-sm text-muted">
            <Badge className="tabular">{formatPrice(course.price)}</Badge>
            {course.price === null ? null : courseStrings.included}
          </p>
        </div>
      </div>
      <aside
        aria-label={courseModuleStrings.title}
        className="grid content-start gap-3 self-start rounded-card border border-dashed border-line p-5"
      >
        <h2 className="font-medium">{courseModuleStrings.title}</h2>
        <p className="flex items-start gap-2 text-sm text-muted">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
          {libraryStrings.enrollFirst}
        </p>
        <Syllabus courseId={course.id} />
      </aside>
    </div>
  );
}

function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-1.5 [&_svg]:size-4">
      {icon}
      {children}
    </li>
  );
}
