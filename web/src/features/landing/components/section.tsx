import type { ReactNode } from "react";
import { classNames } from "@/ui/class-names.ts";

/** The page's measure. */
export function Measure({
  className,
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={classNames("mx-auto w-full max-w-[75rem] px-5 sm:px-8", className)}>
      {children}
    </div>
  );
}

export interface LandingSectionProps {
  readonly title: ReactNode;
  readonly intro?: ReactNode;
  /** `split` sets the heading beside the body, `stacked` above it. */
  readonly layout?: "split" | "stacked";
  readonly children: ReactNode;
}

/** One section of the sales body, ruled off from the one before. */
export function LandingSection({
  title,
  intro,
  layout = "stacked",
  children,
}: LandingSectionProps) {
  return (
    <section className="border-t border-line py-16 sm:py-24">
      <Measure
        className={
          layout === "split" ? "grid gap-8 lg:grid-cols-12 lg:gap-12" : "grid gap-10 sm:gap-14"
        }
      >
        <div
          className={classNames(
            "grid content-start gap-4",
            layout === "split" ? "lg:col-span-5" : "max-w-3xl",
          )}
        >
          <h2 className="display text-3xl sm:text-4xl">{title}</h2>
          {intro ? <p className="max-w-prose text-lg text-muted">{intro}</p> : null}
        </div>
        <div className={layout === "split" ? "lg:col-span-6 lg:col-start-7" : undefined}>
          {children}
        </div>
      </Measure>
    </section>
  );
}
