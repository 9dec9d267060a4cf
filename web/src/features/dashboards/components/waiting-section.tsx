import { CircleHelp } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { NotificationLine, openBell, useMarkBellRead } from "@/features/notifications/index.ts";
import type { Today } from "../model/today.ts";
import { todayStrings } from "../strings.ts";
import { TodaySection } from "./today-section.tsx";

/** What asks something of the member. Following a line marks it as read. */
export function WaitingSection({ waiting }: { readonly waiting: Today["waiting"] }) {
  const mark = useMarkBellRead();
  const { count, items, questions } = waiting;
  const more = count - items.length;
  return (
    <TodaySection title={todayStrings.waiting} count={count + questions}>
      {questions === 0 ? null : (
        <li>
          <Link
            to={paths.studio}
            className="flex min-h-11 items-center gap-3 rounded-control px-2 py-2.5 text-sm font-medium hover:bg-hover"
          >
            <CircleHelp aria-hidden className="size-4 shrink-0 text-accent" />
            {todayStrings.questions(questions)}
          </Link>
        </li>
      )}
      {items.map((item) => (
        <NotificationLine
          key={item.id}
          item={item}
          onFollow={() => mark.mutate({ upTo: item, only: true })}
        />
      ))}
      {more > 0 ? (
        <li>
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={openBell}
            className="min-h-11 w-full rounded-control px-2 py-2.5 text-left text-sm text-muted hover:bg-hover hover:text-ink"
          >
            {todayStrings.moreWaiting(more)}
          </button>
        </li>
      ) : null}
      {count + questions === 0 ? (
        <li className="px-2 py-2.5 text-sm text-muted">{todayStrings.nothingWaits}</li>
      ) : null}
    </TodaySection>
  );
}
