import type { ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "@/ui/class-names.ts";

export interface ItemCardProps {
  readonly to: string;
  readonly title: string;
  readonly text: string;
  readonly cover: ReactNode;
  /** Over the cover. */
  readonly badges: ReactNode;
  /** The last line: who, how long. */
  readonly facts: ReactNode;
  /** Between the text and the facts. */
  readonly children?: ReactNode;
  /** Read or completed: it rests. */
  readonly done: boolean;
}

/** An article or a course on its shelf. The whole card leads to it. */
export function ItemCard({ to, title, text, cover, badges, facts, children, done }: ItemCardProps) {
  return (
    <article
      aria-label={title}
      className={classNames(
        "relative grid h-full grid-rows-[auto_1fr] overflow-hidden rounded-card border border-line transition-colors focus-within:border-control-line hover:border-control-line",
        done ? "bg-sunken" : "bg-raised",
      )}
    >
      <div className="relative">
        {cover}
        <div className="absolute inset-x-3 top-3 flex flex-wrap gap-1.5">{badges}</div>
      </div>
      <div className="grid grid-rows-[auto_1fr_auto_auto] gap-2 p-5">
        <h2 className="display text-xl">
          <Link to={to} className="after:absolute after:inset-0">
            {title}
          </Link>
        </h2>
        <p className="line-clamp-3 text-sm text-muted">{text}</p>
        <div className="grid gap-3 pt-1 empty:hidden">{children}</div>
        <p className="tabular flex flex-wrap gap-x-3 gap-y-1 pt-1 text-sm text-muted">{facts}</p>
      </div>
    </article>
  );
}
