import { X } from "lucide-react";
import { useEffect, useRef, type MouseEvent } from "react";
import { Link } from "react-router";
import type { Requirement } from "@/domain/level-progress.ts";
import { levels } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { useCloseOnBack } from "@/ui/close-on-back.ts";
import { RisingLine } from "@/ui/rising-line.tsx";
import { useLiveProgress } from "../use-live-progress.ts";
import { useMilestone } from "../use-milestone.ts";
import type { Milestone } from "./milestone.ts";
import { levelUpStrings, requirementMet } from "../strings.ts";

/**
 * The one celebration, over the whole screen. It doesn't take the focus, because it often comes while one is writing: what is
 * typed still arrives, and waits to be sent. The first Tab goes into it, and the focus returns to where it was. Mount it once.
 */
export function LevelUpMoment() {
  useLiveProgress();
  const { milestone, met, dismiss } = useMilestone();
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {milestone ? levelUpStrings.announced(milestone.title, milestone.text) : null}
      </p>
      {milestone ? <Celebration milestone={milestone} met={met} onDismiss={dismiss} /> : null}
    </>
  );
}

interface CelebrationProps {
  readonly milestone: Milestone;
  /** What the member did for it. */
  readonly met: readonly Requirement[];
  readonly onDismiss: () => void;
}

function Celebration({ milestone, met, onDismiss }: CelebrationProps) {
  const place = useRef<HTMLElement>(null);
  useCloseOnBack(true, onDismiss);
  useEffect(() => {
    const before = document.activeElement;
    function onKey(event: KeyboardEvent) {
      if (event.key === "Escape") {
        // The page below has uses of its own for this key.
        event.stopPropagation();
        onDismiss();
      }
      if (event.key === "Tab") moveFocus(event, place.current);
      // What is typed below stays there, but nobody may send what they can't see.
      const isBelow = place.current?.contains(document.activeElement) !== true;
      if (event.key === "Enter" && !event.isComposing && isBelow) {
        event.preventDefault();
        event.stopPropagation();
      }
    }
    document.addEventListener("keydown", onKey, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
      const wasLost = document.activeElement === document.body;
      if (wasLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [onDismiss]);

  function onClick(event: MouseEvent) {
    if (event.target instanceof Element && event.target.closest("a")) return;
    onDismiss();
  }

  const { level, title, text, action } = milestone;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape and the button do the same.
    <section
      ref={place}
      aria-label={levelUpStrings.label}
      data-accent={level.accent}
      data-covers-page
      onClick={onClick}
      className="pointer-events-auto fixed inset-0 z-60 grid animate-[fade_240ms_ease-out] grid-rows-[auto_minmax(0,1fr)] overflow-y-auto overscroll-contain bg-paper motion-reduce:animate-none print:hidden"
    >
      <div className="flex justify-end p-3 sm:p-5">
        <Button variant="quiet" onClick={onDismiss}>
          {levelUpStrings.stay}
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <div className="mx-auto grid w-full max-w-page grid-cols-1 content-center gap-10 px-5 pb-[calc(2.5rem+env(safe-area-inset-bottom))] sm:gap-14 sm:px-12">
        <div className="grid animate-[rise_480ms_var(--ease-out)_both] justify-items-start gap-3 motion-reduce:animate-none">
          <p className="font-medium text-accent">{levelUpStrings.reached}</p>
          <h2 className="display text-4xl sm:text-5xl">{title}</h2>
          {met.length === 0 ? null : (
            <p className="tabular max-w-prose">{levelUpStrings.counted(met.map(requirementMet))}</p>
          )}
          <p className="max-w-prose text-lg text-muted">{text}</p>
          <Button asChild variant="accent" size="lg" className="mt-4">
            <Link to={action.to} onClick={onDismiss}>
              {action.label}
            </Link>
          </Button>
        </div>
        <RisingLine
          steps={levels}
          reached={level.number}
          drawing
          className="[animation-duration:2s] motion-reduce:animate-none"
        />
      </div>
    </section>
  );
}

/** Keeps Tab among the controls of the celebration. The one that leads on comes first. */
function moveFocus(event: KeyboardEvent, place: HTMLElement | null): void {
  const controls = [place?.querySelector("a"), place?.querySelector("button")].filter(
    (each) => each instanceof HTMLElement,
  );
  if (controls.length === 0) return;
  event.preventDefault();
  const at = controls.findIndex((each) => each === document.activeElement);
  const step = event.shiftKey ? -1 : 1;
  const next = at < 0 ? 0 : (at + step + controls.length) % controls.length;
  controls[next]?.focus();
}
