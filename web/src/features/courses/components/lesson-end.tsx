import { Check, CircleCheck } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import { libraryStrings } from "@/features/library/index.ts";
import { Button } from "@/ui/button.tsx";
import type { CourseModule } from "../model/course.ts";
import { courseStrings, courseModuleStrings } from "../strings.ts";

export interface LessonEndProps {
  readonly lesson: CourseModule;
  readonly courseComplete: boolean;
  /** Address of the list of courses. */
  readonly list: string;
  /** What else a finished course leads to. */
  readonly finished?: ReactNode;
  readonly completing: boolean;
  readonly onComplete: () => void;
}

/** The button at the end of a lesson, or its completion. */
export function LessonEnd({
  lesson,
  courseComplete,
  list,
  finished,
  completing,
  onComplete,
}: LessonEndProps) {
  const place = useRef<HTMLParagraphElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    // The pressed button disappears, so the focus moves to the text in its place.
    if (!lesson.isComplete || !pressed.current) return;
    pressed.current = false;
    place.current?.focus({ preventScroll: true });
  }, [lesson.isComplete]);
  return (
    <div className="wash flex flex-wrap items-center justify-between gap-4 rounded-card border border-line p-5 sm:p-6 print:hidden">
      {lesson.isComplete ? (
        <p
          ref={place}
          tabIndex={-1}
          className="flex items-center gap-2 rounded-control font-medium"
        >
          <CircleCheck aria-hidden className="size-5 text-good" />
          <span>{libraryStrings.completed}</span>
          {courseComplete ? (
            <span className="font-normal text-muted">{courseModuleStrings.courseFinished}</span>
          ) : null}
        </p>
      ) : (
        <p className="text-sm text-muted">{courseModuleStrings.finished}</p>
      )}
      {lesson.isComplete ? (
        courseComplete ? (
          <div className="flex flex-wrap gap-3">
            {finished}
            <Button asChild variant="secondary">
              <Link to={list}>{courseStrings.back}</Link>
            </Button>
          </div>
        ) : null
      ) : (
        <Button
          variant="accent"
          loading={completing}
          onClick={() => {
            pressed.current = true;
            onComplete();
          }}
        >
          {completing ? null : <Check aria-hidden className="size-4" />}
          {courseModuleStrings.markComplete}
        </Button>
      )}
    </div>
  );
}
