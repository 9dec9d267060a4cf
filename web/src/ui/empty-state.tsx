import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface EmptyStateProps {
  readonly title: ReactNode;
  readonly children?: ReactNode | undefined;
  readonly icon?: ReactNode | undefined;
  readonly action?: ReactNode | undefined;
  readonly className?: string | undefined;
}

/** What stands where nothing is yet: why, and what to do about it. */
export function EmptyState({ title, children, icon, action, className }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        "grid justify-items-start gap-3 rounded-card border border-dashed border-line p-6 sm:p-8",
        className,
      )}
    >
      {icon ? <div className="text-muted [&_svg]:size-6">{icon}</div> : null}
      <p className="text-lg font-medium">{title}</p>
      {children ? <div className="max-w-prose text-muted">{children}</div> : null}
      {action ? <div className="mt-2">{action}</div> : null}
    </div>
  );
}
