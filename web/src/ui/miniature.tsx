import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A small picture of a screen. It repeats what is said beside it, so that screen readers pass it over. */
export function Miniature({
  className,
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <div
      aria-hidden
      className={classNames(
        "grid content-start gap-2.5 rounded-control border border-line bg-raised p-4 text-xs leading-snug select-none",
        className,
      )}
    >
      {children}
    </div>
  );
}
