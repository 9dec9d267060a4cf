import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** The shape of what is coming. Give it the size of the real thing. It breathes when that takes long: each frame costs a slow machine time. */
export function Skeleton({ className }: { readonly className?: string | undefined }) {
  return (
    <span
      aria-hidden
      data-edge=""
      className={classNames(
        "block h-4 animate-[breathe_1.6s_ease-in-out_500ms_infinite] rounded-control bg-line",
        className,
      )}
    />
  );
}

/** Wraps skeletons and says once, to those who cannot see them, that something is loading. */
export function Loading({
  label,
  className,
  children,
}: {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <div role="status" aria-busy className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
