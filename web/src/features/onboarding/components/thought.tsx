import type { ReactNode } from "react";
import { Prose } from "./prose.tsx";

/** What a step has to say, with one picture beside it, or below it on a phone. */
export function Thought({
  picture,
  children,
}: {
  readonly picture: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid items-start gap-6 sm:grid-cols-[minmax(0,1fr)_15rem] sm:gap-10">
      <Prose>{children}</Prose>
      {picture}
    </div>
  );
}

/** What may be read now or never, folded. */
export function More({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <details className="rounded-control border border-line px-4">
      <summary className="cursor-pointer py-3 font-medium">{title}</summary>
      <div className="pb-4">
        <Prose>{children}</Prose>
      </div>
    </details>
  );
}
