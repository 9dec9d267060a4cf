import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { exactTime, shortTime } from "@/lib/format-time.ts";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { UnreadCount } from "@/ui/unread-count.tsx";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import type { RoomWords } from "../model/today.ts";
import { todayStrings } from "../strings.ts";
import { TodaySection } from "./today-section.tsx";

/** The rooms with the newest words; nothing when nobody has said anything. */
export function RoomWordsSection({ rooms }: { readonly rooms: readonly RoomWords[] }) {
  if (rooms.length === 0) return null;
  return (
    <TodaySection title={todayStrings.rooms}>
      {rooms.map((room) => (
        <RoomLine key={room.room_id} room={room} />
      ))}
    </TodaySection>
  );
}

function RoomLine({ room }: { readonly room: RoomWords }) {
  const { client } = useBackend();
  const isOwn = useUserId() === room.author_id;
  const now = useNow();
  const time = Date.parse(room.said_at);
  const author = room.author || unnamedMember;
  return (
    <li>
      <Link
        to={`${paths.chats}/${encodeURIComponent(room.room_id)}`}
        className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 rounded-control px-2 py-2.5 text-sm hover:bg-hover"
      >
        <Avatar
          id={room.author_id}
          name={author}
          picture={profilePictureUrl(client, room.avatar_url)}
          size="sm"
        />
        <span className="grid gap-0.5">
          <span className="flex items-start justify-between gap-3">
            <span className="font-medium wrap-anywhere">{room.room}</span>{" "}
            <UnreadCount count={room.unread} />
          </span>{" "}
          <span className="line-clamp-2 wrap-anywhere text-muted">
            <bdi>{isOwn ? todayStrings.you : author}</bdi>:{" "}
            <bdi>{messageExcerpt(room.excerpt)}</bdi>
          </span>{" "}
          <time dateTime={room.said_at} title={exactTime(time)} className="text-xs text-muted">
            {shortTime(time, now)}
          </time>
        </span>
      </Link>
    </li>
  );
}
