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
    <div className={classNames("mx-auto w-full max-w-page px-5 sm:px-8", className)}>
      {children}
    </div>
  );
}

export interface LandingSectionProps {
  /** Where a link of the page leads. */
  readonly id?: string;
  readonly title: ReactNode;
  readonly intro?: ReactNode;
  /** `split` sets the heading beside the body, `stacked` above it. */
  readonly layout?: "split" | "stacked";
  readonly children: ReactNode;
}

/** One section of the sales body, ruled off from the one before. */
export function LandingSection({
  id,
  title,
  intro,
  layout = "stacked",
  children,
}: LandingSectionProps) {
  return (
    <section id={id} className="border-t border-line py-11 sm:py-14">
      <Measure
        className={
          layout === "split" ? "grid gap-8 lg:grid-cols-12 lg:gap-12" : "grid gap-7 sm:gap-9"
        }
      >
        <div
          className={classNames(
            "grid content-start gap-3",
            layout === "split" ? "lg:col-span-5" : "max-w-column",
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
