import { Flag, MessageCircle } from "lucide-react";
import { Link } from "react-router";
import { conversationPath, paths } from "@/domain/paths.ts";
import { levelByNumber } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { MemberName } from "@/features/people/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { shortTime } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Badge, LevelBadge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import type { FoundPost } from "../model/post.ts";
import { answerDraft, foundPostStrings, postKindNames } from "../strings.ts";

/** A post of another member, which is answered in a direct message. */
export function FoundPostCard({
  post,
  onReport,
}: {
  readonly post: FoundPost;
  readonly onReport: () => void;
}) {
  const { client } = useBackend();
  const now = useNow();
  const { author } = post;
  const level = author.role === "admin" ? undefined : levelByNumber(author.level);
  return (
    <article className="grid gap-4 rounded-card border border-line bg-raised p-5">
      <div className="grid gap-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <Badge>{postKindNames[post.kind]}</Badge>
          <time dateTime={new Date(post.createdAt).toISOString()}>
            {shortTime(post.createdAt, now)}
          </time>
          {post.isEdited ? <span>{foundPostStrings.edited}</span> : null}
        </p>
        <h3 className="text-lg font-medium break-words">
          <bdi>{post.title}</bdi>
        </h3>
        <p dir="auto" className="max-w-prose break-words whitespace-pre-line">
          {post.details}
        </p>
      </div>
      {post.topics.length === 0 ? null : (
        <ul aria-label={foundPostStrings.topics} className="flex flex-wrap gap-2">
          {post.topics.map((topic) => (
            <li key={topic} className="max-w-full">
              <Link
                to={`${paths.collaborate}?${new URLSearchParams({ topic }).toString()}`}
                className="inline-block max-w-full rounded-full border border-line px-2.5 py-0.5 text-sm break-words hover:border-control-line hover:bg-hover"
              >
                <bdi>{topic}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-4">
        <div className="flex min-w-0 grow items-center gap-3">
          <Avatar
            id={author.id}
            name={author.name}
            picture={profilePictureUrl(client, author.avatarUrl)}
            size="sm"
          />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
              <MemberName id={author.id} name={author.name} className="font-medium wrap-anywhere" />
              <RoleBadge role={author.role} label={roleNames[author.role]} />
              {level ? <LevelBadge {...level} /> : null}
            </p>
            <p dir="auto" className="truncate text-sm text-muted">
              {author.occupation}
            </p>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="quiet"
            aria-label={foundPostStrings.reportLabel(post.title)}
            onClick={onReport}
          >
            <Flag aria-hidden className="size-4" />
            {foundPostStrings.report}
          </Button>
          <Button asChild>
            <Link
              to={conversationPath(author.id, answerDraft(post))}
              aria-label={foundPostStrings.answerLabel(post.title)}
            >
              <MessageCircle aria-hidden className="size-4" />
              {foundPostStrings.answer}
            </Link>
          </Button>
        </div>
      </div>
    </article>
  );
}
