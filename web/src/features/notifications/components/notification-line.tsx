import { Link } from "react-router";
import { describeInBell } from "@/domain/describe-notification.ts";
import { reportCategoryName } from "@/domain/report-categories.ts";
import { clockTime, exactTime, shortTime } from "@/lib/format-time.ts";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { useNow } from "@/lib/use-now.ts";
import { classNames } from "@/ui/class-names.ts";
import type { BellItem } from "../model/bell-page.ts";
import { notificationStrings } from "../strings.ts";

export interface NotificationLineProps {
  readonly item: BellItem;
  /** Its day stands above it, so that the hour is enough. */
  readonly isUnderDay?: boolean;
  readonly onFollow: () => void;
}

/** Below what happened, the words that it is about; empty without any. */
function excerptOf(item: BellItem): string {
  const { kind, excerpt, why } = item;
  if (kind === "report_decided" && !excerpt && reportCategoryName(why) !== "") {
    return notificationStrings.reportCategory(reportCategoryName(why));
  }
  if (!excerpt) return "";
  if (kind === "moderated") return notificationStrings.reason(excerpt);
  if (kind === "report_decided") return notificationStrings.report(excerpt);
  const isMessage = item.chat_room_id || item.comment_id || item.member_id;
  return `“${isMessage ? messageExcerpt(excerpt) : excerpt}”`;
}

/** What happened, as a list item that leads there. */
export function NotificationLine({ item, isUnderDay = false, onFollow }: NotificationLineProps) {
  const now = useNow();
  const time = Date.parse(item.created_at);
  const { sentence, path } = describeInBell(item);
  const excerpt = excerptOf(item);
  return (
    <li>
      <Link
        to={path}
        onClick={onFollow}
        className="grid grid-cols-[0.5rem_minmax(0,1fr)] items-baseline gap-x-3 rounded-control px-2 py-2.5 text-sm hover:bg-hover"
      >
        {item.unread ? (
          <span data-filled="" className="size-2 rounded-full bg-accent">
            <span className="sr-only">{notificationStrings.unread}: </span>
          </span>
        ) : (
          <span />
        )}
        <span className="grid gap-0.5">
          <span className={item.unread ? "font-medium" : undefined}>{sentence}</span>
          {excerpt === "" ? null : (
            <span
              className={classNames(
                "wrap-anywhere text-muted",
                // Why something was taken away is for its author to read to the end.
                item.kind === "moderated" ? "whitespace-pre-line" : "line-clamp-2",
              )}
            >
              {excerpt}
            </span>
          )}
          <time dateTime={item.created_at} title={exactTime(time)} className="text-xs text-muted">
            {isUnderDay ? clockTime(time) : shortTime(time, now)}
          </time>
        </span>
      </Link>
    </li>
  );
}
