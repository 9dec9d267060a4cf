import { classNames } from "./class-names.ts";
import { shownCount } from "./shown-count.ts";

/** How much is unread; nothing for 0. */
export function UnreadCount({
  count = 0,
  what = "unread",
  className,
}: {
  readonly count?: number | undefined;
  /** Said after the number to screen readers. */
  readonly what?: string | undefined;
  readonly className?: string;
}) {
  if (count === 0) return null;
  return (
    <span
      data-edge=""
      className={classNames(
        "tabular min-w-5 shrink-0 rounded-full bg-ink px-1 text-center text-xs leading-5 font-medium text-on-ink",
        className,
      )}
    >
      {shownCount(count)}
      <span className="sr-only"> {what}</span>
    </span>
  );
}
