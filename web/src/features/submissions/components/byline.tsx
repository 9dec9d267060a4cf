import { roleNames } from "@/domain/roles.ts";
import { MemberName } from "@/features/people/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { exactTime, timeAgo } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { RoleBadge } from "@/ui/badge.tsx";
import type { SubmissionAuthor } from "../model/submission.ts";
import { submissionCardStrings } from "../strings.ts";

/** Who wrote something, and when. */
export function Byline({
  author,
  createdAt,
  edited = false,
  size = "md",
}: {
  readonly author: SubmissionAuthor;
  /** ISO time. */
  readonly createdAt: string;
  readonly edited?: boolean | undefined;
  readonly size?: "sm" | "md" | undefined;
}) {
  const { client } = useBackend();
  const now = useNow();
  const time = Date.parse(createdAt);
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar
        id={author.id}
        name={author.name}
        picture={profilePictureUrl(client, author.avatarUrl)}
        size={size}
      />
      <div className="min-w-0 leading-tight">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <MemberName
            id={author.id}
            name={author.name}
            className="min-w-0 font-medium wrap-anywhere"
          />
          <RoleBadge role={author.role} label={roleNames[author.role]} />
        </p>
        <p className="truncate text-sm text-muted">
          <time dateTime={createdAt} title={exactTime(time)}>
            {timeAgo(time, now)}
          </time>
          {edited ? submissionCardStrings.edited : null}
          {author.occupation && size === "md" ? ` · ${author.occupation}` : null}
        </p>
      </div>
    </div>
  );
}
