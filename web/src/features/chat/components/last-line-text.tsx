import { useIsBlocked } from "@/features/people/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { classNames } from "@/ui/class-names.ts";
import type { LastLine } from "../model/room.ts";
import { chatStrings } from "../strings.ts";

/** Who wrote last in a room and what, in one line. */
export function LastLineText({
  line,
  className,
}: {
  /** Null when nobody has written yet. */
  readonly line: LastLine | null;
  readonly className?: string | undefined;
}) {
  const isBlocked = useIsBlocked(line?.authorId ?? "");
  const isOwn = useUserId() === line?.authorId;
  const instead =
    line === null
      ? chatStrings.noMessages
      : line.text === ""
        ? chatStrings.deleted
        : isBlocked
          ? chatStrings.blockedLine
          : null;
  return (
    <span className={classNames("truncate text-muted", className)}>
      {instead ?? (
        <>
          <bdi>{isOwn ? chatStrings.you : line?.author}</bdi>:{" "}
          <bdi>{messageExcerpt(line?.text ?? "")}</bdi>
        </>
      )}
    </span>
  );
}
