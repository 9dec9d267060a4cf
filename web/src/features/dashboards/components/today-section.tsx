import { useId, type ReactNode } from "react";

export interface TodaySectionProps {
  readonly title: string;
  /** Stands beside the title; nothing when it is 0. */
  readonly count?: number | undefined;
  /** What is said before the list. */
  readonly lead?: ReactNode | undefined;
  /** List items, each with a link. */
  readonly children: ReactNode;
}

/** A part of what stands first on the dashboard: a heading and a list of links. */
export function TodaySection({ title, count = 0, lead, children }: TodaySectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 grid-cols-1 content-start gap-3">
      <h2 id={id} className="display text-xl">
        {title} {count === 0 ? null : <span className="tabular text-muted">· {count}</span>}
      </h2>
      {lead === undefined ? null : <p className="max-w-prose text-lg">{lead}</p>}
      <ul className="rounded-card border border-line bg-raised p-2">{children}</ul>
    </section>
  );
}
