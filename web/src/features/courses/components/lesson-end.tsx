import { Check, CircleCheck } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { libraryStrings, type Neighbour } from "@/features/library/index.ts";
import { systemClock } from "@/lib/clock.ts";
import { Button } from "@/ui/button.tsx";
import { DrawnTick } from "@/ui/drawn-tick.tsx";
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
  /** The lesson that completing this one leads to: the next one that is not completed; null when none follows. */
  readonly next: Neighbour | null;
  /** The same, or else the first one before it that is not completed; null when there is none. */
  readonly open: Neighbour | null;
  readonly onComplete: () => void;
}

/** Long enough to see the tick being drawn, before the page turns. */
const turnDelayMs = 700;

/** The button at the end of a lesson, or its completion. */
export function LessonEnd({
  lesson,
  courseComplete,
  list,
  finished,
  completing,
  next,
  open,
  onComplete,
}: LessonEndProps) {
  const navigate = useNavigate();
  const nextAddress = courseComplete ? null : (next?.to ?? null);
  const [drawn, setDrawn] = useState(false);
  const place = useRef<HTMLParagraphElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    // The pressed button disappears, so the focus moves to the text in its place.
    if (!lesson.isComplete || !pressed.current) return;
    pressed.current = false;
    place.current?.focus({ preventScroll: true });
    if (nextAddress === null) return;
    return systemClock.after(turnDelayMs, () => void navigate(nextAddress));
  }, [lesson.isComplete, nextAddress, navigate]);
  const Tick = drawn ? DrawnTick : CircleCheck;
  return (
    <div className="wash flex flex-wrap items-center justify-between gap-4 rounded-card border border-line p-5 sm:p-6 print:hidden">
      {lesson.isComplete ? (
        <p ref={place} tabIndex={-1} className="flex items-start gap-2 rounded-control font-medium">
          <Tick className="mt-0.5 size-5 shrink-0 text-good" />
          <span>
            <span>{libraryStrings.completed}</span>
            {courseComplete ? (
              <span className="font-normal text-muted"> {courseModuleStrings.courseFinished}</span>
            ) : null}
          </span>
        </p>
      ) : (
        <p className="text-sm text-muted">
          {courseModuleStrings.finished}
          {next === null ? null : courseModuleStrings.goesOnTo(next.title)}
        </p>
      )}
      {lesson.isComplete ? (
        courseComplete ? (
          <div className="flex flex-wrap gap-3">
            {finished}
            <Button asChild variant="secondary">
              <Link to={list}>{courseStrings.back}</Link>
            </Button>
          </div>
        ) : open !== null && !(drawn && next !== null) ? (
          <Button asChild variant="accent">
            <Link to={open.to}>{courseModuleStrings.stillOpen(open.title)}</Link>
          </Button>
        ) : null
      ) : (
        <Button
          variant="accent"
          loading={completing}
          onClick={() => {
            pressed.current = true;
            setDrawn(true);
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
