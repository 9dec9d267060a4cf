import { X } from "lucide-react";
import { useEffect } from "react";
import { Link } from "react-router";
import { levels } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { RisingLine } from "@/ui/rising-line.tsx";
import { useLiveProgress } from "../use-live-progress.ts";
import { useMilestone } from "../use-milestone.ts";

/**
 * The one celebration. It stands over the page without taking the focus, for it often comes while
 * one is writing; screen readers hear it when they are done with the sentence. Mount it once.
 */
export function LevelUpBanner() {
  useLiveProgress();
  const { milestone, dismiss } = useMilestone();
  const shown = milestone !== null;
  useEffect(() => {
    if (!shown) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") dismiss();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [shown, dismiss]);
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {milestone ? `You have reached ${milestone.title}. ${milestone.text}` : null}
      </p>
      {milestone ? (
        <section
          aria-label="Level up"
          data-accent={milestone.level.accent}
          className="fixed inset-x-0 top-0 z-40 animate-[descend_480ms_var(--ease-out)] border-b-3 border-accent bg-raised shadow-float"
        >
          <div className="mx-auto grid max-w-[75rem] items-end gap-x-12 gap-y-5 px-4 pt-6 pb-7 sm:px-8 md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)] md:pt-9 md:pb-10">
            <div className="grid gap-2 pr-12 md:pr-0">
              <p className="text-sm font-medium text-accent">You have reached</p>
              <h2 className="display text-3xl sm:text-4xl">{milestone.title}</h2>
              <p className="max-w-prose text-muted">{milestone.text}</p>
              <div className="mt-3 flex flex-wrap gap-3">
                <Button asChild variant="accent">
                  <Link to={milestone.action.to} onClick={dismiss}>
                    {milestone.action.label}
                  </Link>
                </Button>
                <Button variant="quiet" onClick={dismiss}>
                  Stay on this page
                </Button>
              </div>
            </div>
            <RisingLine
              steps={levels}
              reached={milestone.level.number}
              drawing
              className="hidden md:block"
            />
          </div>
          <button
            type="button"
            aria-label="Close"
            onClick={dismiss}
            className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink sm:right-6"
          >
            <X aria-hidden className="size-5" />
          </button>
        </section>
      ) : null}
    </>
  );
}
