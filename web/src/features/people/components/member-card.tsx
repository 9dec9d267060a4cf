import { MessageCircle } from "lucide-react";
import { Link } from "react-router";
import { levelByNumber } from "@/domain/levels.ts";
import { conversationPath } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { RoleBadge } from "@/ui/badge.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { SeenMember } from "../model/member.ts";
import { useMember } from "../queries.ts";
import { explainPeopleError, peopleStrings } from "../strings.ts";
import { TopicList } from "./topic-list.tsx";

/** A member in a few lines, for the card beside a name. */
export function MemberCard({ id, name }: { readonly id: string; readonly name: string }) {
  const { data, isError, error } = useMember(id);
  if (data) return <Known id={id} seen={data} />;
  if (isError) {
    return (
      <p className="text-sm text-muted">
        {peopleStrings.cardFailed} {explainPeopleError(error)}
      </p>
    );
  }
  return (
    <Loading label={peopleStrings.cardLoading(name)} className="flex gap-3">
      <Skeleton className="size-10 rounded-full" />
      <span className="grid grow gap-2">
        <Skeleton className="w-32" />
        <Skeleton className="w-48" />
      </span>
    </Loading>
  );
}

function Known({ id, seen }: { readonly id: string; readonly seen: SeenMember }) {
  const { client } = useBackend();
  const userId = useUserId();
  if (seen.kind === "absent") {
    return <p className="text-sm text-muted">{peopleStrings.absentTitle}.</p>;
  }
  if (seen.kind === "blocked") {
    return <p className="text-sm text-muted">{peopleStrings.blockedTitle(seen.profile.name)}.</p>;
  }
  const { name, role, occupation, bio, avatarUrl, level, topics } = seen.profile;
  const reached = levelByNumber(level);
  return (
    <div className="grid gap-3 text-sm">
      <div className="flex items-center gap-3">
        <Avatar id={id} name={name} picture={profilePictureUrl(client, avatarUrl)} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2">
            <bdi className="font-semibold wrap-anywhere">{name}</bdi>
            <RoleBadge role={role} label={roleNames[role]} />
          </p>
          <p className="line-clamp-2 break-words text-muted">
            {[
              occupation,
              reached && role === "student" && `${peopleStrings.level(level)} · ${reached.name}`,
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
      </div>
      {bio === "" ? null : (
        <p dir="auto" className="line-clamp-3 break-words whitespace-pre-line">
          {bio}
        </p>
      )}
      <TopicList topics={topics.slice(0, 3)} />
      {id === userId ? null : (
        <Link
          to={conversationPath(id)}
          // For the pointer alone: with the keyboard one comes to it on the profile.
          tabIndex={-1}
          className="inline-flex items-center gap-1.5 justify-self-start font-medium underline underline-offset-4"
        >
          <MessageCircle aria-hidden className="size-4" />
          {peopleStrings.message}
        </Link>
      )}
    </div>
  );
}
