import { ChevronDown, CircleCheck, Circle } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { classNames } from "@/ui/class-names.ts";
import { DrawnTick } from "@/ui/drawn-tick.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { useRailScreen } from "@/ui/use-wide-screen.ts";
import type { Course } from "../model/course.ts";
import { courseStrings, courseModuleStrings } from "../strings.ts";

export interface ModuleListProps {
  readonly course: Course;
  readonly enrollment: NonNullable<Course["enrollment"]>;
  /** Id of the lesson that is open. */
  readonly currentId: string | null;
}

/** All modules with what is done. Beside the lesson where there is room, else folded above it in one line. */
export function ModuleList(props: ModuleListProps) {
  const beside = useRailScreen();
  const { progress } = props.enrollment;
  const head = (
    <>
      <span className="font-medium">{courseModuleStrings.title}</span>
      <span className="ml-auto">{courseStrings.percentComplete(progress)}</span>
    </>
  );
  const bar = <ProgressBar label={courseModuleStrings.progress} value={progress} />;
  return (
    <aside
      aria-label={courseModuleStrings.title}
      className="lg:sticky lg:col-start-2 lg:row-start-2 lg:top-24 lg:max-h-[calc(100dvh-8rem)] lg:self-start lg:overflow-y-auto print:hidden"
    >
      {beside ? (
        <div className="grid gap-4 rounded-card border border-line bg-raised p-4">
          <div className="grid gap-2 px-1">
            <p className="tabular flex gap-3 text-sm">{head}</p>
            {bar}
          </div>
          <Modules {...props} />
        </div>
      ) : (
        <>
          {/* Folds again with the choice of a module. */}
          <details key={props.currentId} className="group">
            <summary className="tabular flex min-h-11 list-none items-center gap-3 rounded-control text-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
              {head}
              <ChevronDown
                aria-hidden
                className="size-4 transition-transform group-open:rotate-180"
              />
            </summary>
            <Modules {...props} />
          </details>
          {bar}
        </>
      )}
    </aside>
  );
}

function Modules({ course, currentId }: ModuleListProps) {
  return (
    <ol className="grid gap-0.5">
      {course.modules.map((each, index) => {
        return (
          <li key={each.id}>
            <Link
              to={`?module=${each.slug}`}
              aria-current={each.id === currentId ? "step" : undefined}
              className="flex min-h-11 items-start gap-2.5 rounded-control px-2 py-2.5 text-sm hover:bg-hover aria-[current=step]:bg-sunken aria-[current=step]:font-medium"
            >
              <ModuleMark isComplete={each.isComplete} />
              <span className="grow">
                <span className="sr-only">{courseModuleStrings.number(index + 1)}</span>
                {each.title}
                {each.isComplete ? (
                  <span className="sr-only">{courseModuleStrings.completed}</span>
                ) : null}
              </span>
              <span className="tabular shrink-0 text-muted">
                {courseStrings.minutes(each.minutes)}
              </span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** Drawn when the module is completed while one looks on. */
function ModuleMark({ isComplete }: { readonly isComplete: boolean }) {
  const [wasComplete] = useState(isComplete);
  const Mark = isComplete ? (wasComplete ? CircleCheck : DrawnTick) : Circle;
  return (
    <Mark
      className={classNames("mt-0.5 size-4 shrink-0", isComplete ? "text-good" : "text-muted")}
    />
  );
}
