import { useState } from "react";
import { clockTime, exactTime, shortTime, startOfDay } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import type { ContextLine } from "../model/report.ts";
import { reportQueueStrings } from "../strings.ts";

/** From where on a line is folded, in characters. */
const foldedAt = 160;

/** What was written before or after something reported, oldest first; nothing where nothing was. */
export function ContextLines({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: readonly ContextLine[];
}) {
  if (lines.length === 0) return null;
  // As far in as the reported words, which have a line before them.
  return (
    <ol aria-label={label} className="grid gap-1 pl-3.5 text-sm text-muted">
      {lines.map((line, index) => (
        <li key={line.id ?? index} className="min-w-0">
          <Line line={line} />
        </li>
      ))}
    </ol>
  );
}

/** When something was written: the clock alone for today. */
export function WrittenAt({ time }: { readonly time: number }) {
  const now = useNow();
  const clock = clockTime(time);
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)} className="tabular">
      {startOfDay(time) === startOfDay(now) ? clock : `${shortTime(time, now)}, ${clock}`}
    </time>
  );
}

function Line({ line: { author, content, isCut, isDeleted, createdAt } }: { line: ContextLine }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = content.length > foldedAt || content.split("\n").length > 2;
  return (
    <>
      <p
        className={
          isLong && !isWhole ? "line-clamp-2 break-words" : "break-words whitespace-pre-wrap"
        }
      >
        <span className="text-xs">
          <WrittenAt time={createdAt} />
        </span>{" "}
        <bdi className="font-medium">{author}</bdi>:{" "}
        {isDeleted ? (
          <em>{reportQueueStrings.deletedLine}</em>
        ) : (
          <bdi>{isCut ? `${content}…` : content}</bdi>
        )}
      </p>
      {isLong ? (
        <button
          type="button"
          aria-expanded={isWhole}
          className="min-h-6 text-xs text-ink underline underline-offset-4"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? reportQueueStrings.showLess : reportQueueStrings.showMore}
        </button>
      ) : null}
    </>
  );
}
