import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import type { MessageAuthor } from "@/features/chat/index.ts";
import { MemberActions, MemberName } from "@/features/people/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { RoleBadge } from "@/ui/badge.tsx";
import { messageStrings } from "../strings.ts";

/** Whom one writes to, with the way to their profile, and to block or report them. */
export function ConversationHeader({ member }: { readonly member: MessageAuthor }) {
  const { client } = useBackend();
  const { id, name, role, occupation, avatarUrl } = member;
  return (
    <header className="flex shrink-0 items-center gap-2 border-b border-line bg-raised px-2 py-2 short:py-0 sm:gap-3 sm:px-6">
      <Link
        to={paths.messages}
        aria-label={messageStrings.all}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
      <Avatar id={id} name={name} picture={profilePictureUrl(client, avatarUrl)} size="sm" />
      <div className="min-w-0 grow">
        <h1 className="flex items-center gap-x-2 text-base leading-snug font-semibold sm:text-lg">
          <MemberName id={id} name={name} className="truncate" />
          <RoleBadge role={role} label={roleNames[role]} />
        </h1>
        <p dir="auto" className="truncate text-sm text-muted short:hidden">
          {occupation}
        </p>
      </div>
      <MemberActions profile={member} />
    </header>
  );
}
