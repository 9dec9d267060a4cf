import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface StatFigureProps {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** What the number means. */
  readonly note?: ReactNode | undefined;
  /** How it compares with the period before, in words. */
  readonly change?: string | undefined;
  readonly className?: string | undefined;
}

/** One number with its name. Put several inside a `<dl>`. */
export function StatFigure({ label, value, note, change, className }: StatFigureProps) {
  return (
    <div className={classNames("grid content-start gap-0.5", className)}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="display tabular text-2xl text-ink">{value}</dd>
      {note ? <dd className="text-sm text-muted">{note}</dd> : null}
      {change ? (
        <dd className="tabular text-sm text-muted first-letter:uppercase">{change}</dd>
      ) : null}
    </div>
  );
}
