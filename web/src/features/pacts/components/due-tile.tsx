import { classNames } from "@/ui/class-names.ts";
import { dayAndMonth } from "@/lib/format-time.ts";

/** The day of a promise as the leaf of a calendar. Decoration: the day stands beside it in words. */
export function DueTile({
  day,
  tone,
}: {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly tone: "open" | "overdue" | "over";
}) {
  const shown = dayAndMonth(day);
  return (
    <span
      aria-hidden
      className={classNames(
        "tabular grid w-14 shrink-0 self-start overflow-hidden rounded-control border text-center leading-none",
        tone === "overdue" ? "border-danger text-danger" : "border-line",
        tone === "over" && "text-muted",
      )}
    >
      <span className="bg-sunken py-1 text-xs font-medium">{shown.month}</span>
      <span className="display bg-raised py-1.5 text-xl">{shown.day}</span>
    </span>
  );
}
