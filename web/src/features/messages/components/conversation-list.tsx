import { MessagesSquare } from "lucide-react";
import { Link } from "react-router";
import { conversationPath, paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { shortTime } from "@/lib/format-time.ts";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { UnreadCount } from "@/ui/unread-count.tsx";
import type { ConversationLine } from "../model/conversation.ts";
import { useConversations } from "../queries.ts";
import { explainMessageError, messageStrings } from "../strings.ts";

/** The member's conversations, the newest first. */
export function ConversationList({
  currentId,
}: {
  /** The member whose conversation is open beside the list. */
  readonly currentId?: string;
}) {
  const { data, isError, error, isFetching, refetch, hasNextPage, fetchNextPage } =
    useConversations();
  if (!data && isError) {
    return (
      <LoadFailed
        title={messageStrings.listFailed}
        busy={isFetching}
        advice={explainMessageError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={messageStrings.listLoading} className="grid gap-2">
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} className="h-16" />
        ))}
      </Loading>
    );
  }
  const lines = data.pages.flat();
  if (lines.length === 0) {
    return (
      <EmptyState
        icon={<MessagesSquare aria-hidden />}
        title={messageStrings.emptyTitle}
        action={
          <Button asChild variant="secondary">
            <Link to={paths.members}>{messageStrings.findMember}</Link>
          </Button>
        }
      >
        {messageStrings.emptyText}
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label={messageStrings.list} className="grid grid-cols-1 gap-0.5">
        {lines.map((line) => (
          <li key={line.id} className="min-w-0">
            <Line line={line} isCurrent={line.member.id === currentId} />
          </li>
        ))}
      </ul>
      {isError ? (
        <p role="alert" className="mt-3 text-sm text-muted">
          {messageStrings.olderFailed} {explainMessageError(error)}
        </p>
      ) : null}
      {hasNextPage ? (
        <Button
          variant="secondary"
          className="mt-3 justify-self-start"
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {messageStrings.older}
        </Button>
      ) : null}
    </>
  );
}

function Line({
  line: { member, excerpt, isOwn, unread, lastMessageAt },
  isCurrent,
}: {
  readonly line: ConversationLine;
  readonly isCurrent: boolean;
}) {
  const { client } = useBackend();
  const now = useNow();
  // What arrives in the open conversation is being read.
  const isUnread = unread > 0 && !isCurrent;
  return (
    <Link
      to={conversationPath(member.id)}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "flex min-h-16 items-center gap-3 rounded-control px-3 py-2 text-sm focus-visible:-outline-offset-2",
        isCurrent ? "wash" : "hover:bg-hover",
      )}
    >
      <Avatar
        id={member.id}
        name={member.name}
        picture={profilePictureUrl(client, member.avatarUrl)}
      />
      <span className="grid min-w-0 grow grid-cols-1">
        <span className="flex items-baseline justify-between gap-3">
          <bdi className={classNames("truncate text-base", isUnread && "font-semibold")}>
            {member.name}
          </bdi>
          <time
            dateTime={new Date(lastMessageAt).toISOString()}
            className="tabular shrink-0 text-xs text-muted"
          >
            {shortTime(lastMessageAt, now)}
          </time>
        </span>
        <span className="flex items-center justify-between gap-3">
          <span className={classNames("truncate", isUnread ? "text-ink" : "text-muted")}>
            {excerpt === "" ? (
              messageStrings.deleted
            ) : (
              <>
                {isOwn ? `${messageStrings.you}: ` : null}
                <bdi>{messageExcerpt(excerpt)}</bdi>
              </>
            )}
          </span>
          {isUnread ? <UnreadCount count={unread} /> : null}
        </span>
      </span>
    </Link>
  );
}
