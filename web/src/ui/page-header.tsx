import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface PageHeaderProps {
  readonly title: ReactNode;
  /** With it the title can be referred to, and given the focus. */
  readonly titleId?: string | undefined;
  readonly intro?: ReactNode | undefined;
  /** A word above the title: a section, a date. */
  readonly eyebrow?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
  /** The actions are one small button, which has room beside the title on a phone too. */
  readonly actionsBeside?: boolean | undefined;
  readonly className?: string | undefined;
}

/** The heading of a screen: the one `h1`, an introduction, and what one can do here. */
export function PageHeader({
  title,
  titleId,
  intro,
  eyebrow,
  actions,
  actionsBeside = false,
  className,
}: PageHeaderProps) {
  return (
    <header
      className={classNames(
        "flex gap-4 pb-6 sm:flex-row sm:items-end sm:justify-between",
        actionsBeside ? "items-start justify-between" : "flex-col",
        className,
      )}
    >
      <div className="grid gap-1.5 max-sm:grid-cols-1">
        {eyebrow ? <p className="text-sm font-medium text-accent">{eyebrow}</p> : null}
        {/* Beside actions, a title gives up no letters of a word for them. */}
        <h1
          id={titleId}
          tabIndex={titleId === undefined ? undefined : -1}
          className="display text-2xl focus:outline-none max-sm:wrap-anywhere sm:text-3xl"
        >
          {title}
        </h1>
        {intro ? <p className="max-w-prose text-muted">{intro}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-3 whitespace-nowrap">{actions}</div> : null}
    </header>
  );
}
