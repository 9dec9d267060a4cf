import { useDeferredValue, useEffect, useRef } from "react";
import { ReadingText } from "@/features/library/index.ts";
import { draftActionsStrings } from "../strings/actions.ts";

/** How much of a text lies above the window, where 1 is all that can. */
function shareAbove(text: DOMRect, pane: DOMRect): number {
  const way = text.height - pane.height;
  return way <= 0 ? 0 : Math.min(1, Math.max(0, (pane.top - text.top) / way));
}

/** Scrolls the preview to about what is in sight of the text beside it. */
function follow(pane: HTMLElement | null): void {
  const both = pane?.parentElement;
  if (!pane || !both) return;
  const share = shareAbove(both.getBoundingClientRect(), pane.getBoundingClientRect());
  pane.scrollTop = share * (pane.scrollHeight - pane.clientHeight);
}

export interface PreviewBesideProps {
  readonly title: string;
  readonly markdown: string;
}

/** A text as members will read it, beside the one that is written. It goes along when the page is scrolled, and can be scrolled by itself. */
export function PreviewBeside({ title, markdown }: PreviewBesideProps) {
  const shown = useDeferredValue(markdown);
  const pane = useRef<HTMLElement>(null);
  // A text that grows has moved on as well.
  useEffect(() => follow(pane.current));
  useEffect(() => {
    const onScroll = () => follow(pane.current);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);
  return (
    <section
      ref={pane}
      data-beside=""
      aria-label={draftActionsStrings.previewRegion}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so the keyboard must reach it.
      tabIndex={0}
      className="sticky top-20 grid max-h-[calc(100dvh-6rem)] min-w-0 grid-cols-1 content-start gap-5 overflow-y-auto overscroll-contain rounded-card border border-line bg-raised p-6"
    >
      <p className="display text-2xl wrap-anywhere sm:text-3xl">{title}</p>
      <ReadingText markdown={shown} isBeingWritten />
    </section>
  );
}
