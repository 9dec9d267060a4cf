import { useEffect, useState } from "react";
import { brand } from "@/domain/brand.ts";
import { isInBrowser } from "@/lib/browser-storage.ts";
import { systemClock } from "@/lib/clock.ts";
import { RisingMark, Wordmark } from "@/ui/rising-line.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { shellStrings } from "./strings.ts";

const timeoutMs = 6000;

/** The frame that the document itself has drawn, and the address it was drawn for. */
let paintedFrame: { readonly element: Element; readonly pathname: string } | null = null;

/** Keeps the frame that the document has drawn (`show-frame.ts`), so that the app goes on with it while it has no page. */
export function keepPaintedFrame(within: Element, pathname: string): void {
  const element = within.querySelector("[data-members-frame]");
  paintedFrame = element === null ? null : { element, pathname };
}

/** Whatever is shown from now on is no longer what the document has drawn. */
export function dropPaintedFrame(): void {
  paintedFrame = null;
}

/** The very elements that the document has drawn: nothing moves, and nothing is drawn twice. */
function PaintedFrame({ element }: { readonly element: Element }) {
  return (
    <div data-loading-page>
      <LoadingStatus className="fixed inset-x-0 top-16 z-30 mx-auto max-w-sm px-4 text-center" />
      <div ref={(place) => place?.append(element)} />
    </div>
  );
}

const paintedHere = () =>
  paintedFrame !== null && paintedFrame.pathname === window.location.pathname
    ? paintedFrame.element
    : null;

/** Shown while it is not known yet which page is right. It names no page, so none can be wrong. */
export function LoadingPage() {
  const frame = isInBrowser ? paintedHere() : null;
  if (frame !== null) return <PaintedFrame element={frame} />;
  return (
    <main
      data-loading-page
      className="grid min-h-dvh place-content-center justify-items-center gap-4 bg-paper px-6 text-center"
    >
      <RisingMark className="size-10 animate-[breathe_1.6s_ease-in-out_500ms_infinite]" />
      <LoadingStatus className="max-w-sm" />
    </main>
  );
}

/** The shape of the members' area, for a signed-in visitor whose page is still being decided. */
export function LoadingShell() {
  const frame = paintedHere();
  if (frame !== null) return <PaintedFrame element={frame} />;
  return (
    <div
      data-loading-page
      className="min-h-dvh bg-paper lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]"
    >
      <aside className="hidden h-dvh border-r border-line bg-sunken px-6 py-6 lg:block">
        <Wordmark name={brand.name} />
        <div className="mt-10 grid gap-6">
          {["w-16", "w-20", "w-16", "w-20", "w-20", "w-24"].map((width, index) => (
            <Skeleton key={`${index}-${width}`} className={`h-5 ${width}`} />
          ))}
        </div>
      </aside>
      <div>
        <div className="flex h-14 items-center border-b border-line px-4 sm:px-8 lg:h-16">
          <Skeleton className="h-5 w-28" />
        </div>
        <main className="mx-auto grid w-full max-w-page gap-6 px-4 py-6 sm:px-8 sm:py-8">
          <LoadingStatus />
          <Skeleton className="h-10 w-64 max-w-full" />
          <Skeleton className="h-40 rounded-card" />
          <Skeleton className="h-56 rounded-card" />
        </main>
      </div>
    </div>
  );
}

function LoadingStatus({ className = "" }: { readonly className?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => systemClock.after(timeoutMs, () => setLate(true)), []);
  return (
    <div role="status" className={`text-sm text-muted ${className}`}>
      <span className="sr-only">{shellStrings.loading}</span>
      {late ? <p>{shellStrings.stillLoading}</p> : null}
    </div>
  );
}
