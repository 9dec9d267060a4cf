import { useEffect, useState } from "react";
import { brand } from "@/domain/brand.ts";
import { systemClock } from "@/lib/clock.ts";
import { RisingMark } from "@/ui/rising-line.tsx";

const timeoutMs = 6000;

/** Shown while it is not known yet which page is right. It names no page, so none can be wrong. */
export function LoadingPage() {
  const [late, setLate] = useState(false);
  useEffect(() => systemClock.after(timeoutMs, () => setLate(true)), []);
  return (
    <main className="grid min-h-dvh animate-[fade_400ms_ease-out] place-content-center justify-items-center gap-4 bg-paper px-6 text-center">
      <RisingMark className="size-10 animate-[breathe_1.6s_ease-in-out_infinite]" />
      <div role="status" className="max-w-sm text-sm text-muted">
        <span className="sr-only">{brand.name} is loading</span>
        {late ? (
          <p>
            Still loading. If this takes much longer, check your connection and reload the page.
          </p>
        ) : null}
      </div>
    </main>
  );
}
