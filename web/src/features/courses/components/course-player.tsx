import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { ReadingFrame } from "@/features/library/index.ts";
import { RatingSummary } from "@/features/ratings/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { lessonAt, type Course, type CourseModule } from "../model/course.ts";
import { courseStrings, courseModuleStrings } from "../strings.ts";
import { LessonEnd } from "./lesson-end.tsx";
import { ModuleList } from "./module-list.tsx";
import { ModuleVideo } from "./module-video.tsx";
import { Teacher } from "./teacher.tsx";

export interface CoursePlayerProps {
  readonly course: Course;
  readonly enrollment: NonNullable<Course["enrollment"]>;
  /** Address of the list of courses. */
  readonly list: string;
  /** Id of the module that is being saved, if any. */
  readonly completing: string | null;
  readonly onComplete: (moduleId: string) => void;
  /** What a finished course leads to, beside the list; nothing in a preview. */
  readonly finished?: ReactNode;
  /** Where the end of a finished course is read, before the way to other lessons; nothing in a preview. */
  readonly afterEnd?: ReactNode;
  /** What stands under a lesson; nothing in a preview. */
  readonly renderBelow?: (lesson: CourseModule) => ReactNode;
}

/** A course one takes: the lesson, and beside it all of them with what is done. */
export function CoursePlayer(props: CoursePlayerProps) {
  const { course, enrollment } = props;
  const [search, setSearch] = useSearchParams();
  const asked = search.get("module");
  // One begins where one stopped, and stays there: the page turns by the button or a link, never by what is loaded.
  const [begun] = useState(() => lessonAt(course, asked)?.slug ?? null);
  const lesson = lessonAt(course, asked ?? begun);
  const slug = lesson?.slug ?? null;
  useEffect(() => {
    if (slug === null || slug === asked) return;
    setSearch({ module: slug }, { replace: true, preventScrollReset: true });
  }, [slug, asked, setSearch]);
  useFocusOnTurn(lesson?.id ?? null);
  return (
    <div className="grid justify-between gap-x-8 gap-y-4 max-lg:grid-cols-1 lg:gap-y-6 lg:grid-cols-[minmax(0,39rem)_19rem]">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 lg:col-span-2">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="font-medium">{course.title}</h1>
          {enrollment.isComplete ? (
            <Badge colour="good" icon={<CircleCheck aria-hidden className="size-3.5" />}>
              {courseStrings.complete}
            </Badge>
          ) : null}
        </div>
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          <Teacher mentor={course.mentor} />
          <RatingSummary rating={course.rating} />
        </p>
      </header>
      <ModuleList course={course} enrollment={enrollment} currentId={lesson?.id ?? null} />
      {lesson === null ? (
        <EmptyState
          title={courseModuleStrings.emptyTitle}
          className="lg:col-start-1 lg:row-start-2 lg:self-start"
        >
          {courseModuleStrings.empty}
        </EmptyState>
      ) : (
        <Lesson key={lesson.id} {...props} lesson={lesson} />
      )}
    </div>
  );
}

const headingId = "lesson";

/** Turning to another lesson moves the focus to its heading; the first one leaves it alone. */
function useFocusOnTurn(lessonId: string | null): void {
  const before = useRef(lessonId);
  useEffect(() => {
    if (before.current === lessonId) return;
    before.current = lessonId;
    document.getElementById(headingId)?.focus({ preventScroll: true });
  }, [lessonId]);
}

function Lesson({
  course,
  lesson,
  enrollment,
  list,
  finished,
  completing,
  onComplete,
  afterEnd,
  renderBelow,
}: CoursePlayerProps & { readonly lesson: CourseModule }) {
  const userId = useUserId();
  const index = course.modules.indexOf(lesson);
  const wayTo = (other: CourseModule | undefined) =>
    other === undefined ? null : { title: other.title, to: `?module=${other.slug}` };
  const ahead = course.modules.slice(index + 1).find(({ isComplete }) => !isComplete);
  return (
    <section
      aria-labelledby={headingId}
      className="grid min-w-0 grid-cols-1 content-start gap-6 max-lg:mx-auto max-lg:w-full max-lg:max-w-reading lg:col-start-1 lg:row-start-2"
    >
      <div className="grid gap-2.5">
        <p className="tabular text-sm text-muted">
          {courseModuleStrings.place(index + 1, course.modules.length, lesson.minutes)}
        </p>
        <h2
          id={headingId}
          tabIndex={-1}
          className="display text-2xl focus:outline-none sm:text-3xl"
        >
          {lesson.title}
        </h2>
      </div>
      {lesson.videoUrl === null ? null : (
        <ModuleVideo address={lesson.videoUrl} title={lesson.title} />
      )}
      <ReadingFrame
        textId={`${userId}/${lesson.id}`}
        markdown={lesson.content}
        previous={wayTo(course.modules[index - 1])}
        next={wayTo(course.modules[index + 1])}
      >
        <LessonEnd
          lesson={lesson}
          courseComplete={enrollment.isComplete}
          list={list}
          finished={finished}
          completing={completing === lesson.id}
          next={wayTo(ahead)}
          open={wayTo(
            ahead ?? course.modules.slice(0, index).find(({ isComplete }) => !isComplete),
          )}
          onComplete={() => onComplete(lesson.id)}
        />
        {enrollment.isComplete ? afterEnd : null}
      </ReadingFrame>
      {renderBelow?.(lesson)}
    </section>
  );
}
