import { ArrowLeft, Handshake, Users } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { useBlockedIds } from "@/features/people/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import type { ChatMessage } from "../model/message.ts";
import { lastSpeakers, type Person } from "../model/people.ts";
import type { Room } from "../model/room.ts";
import { hereNow, roomStrings } from "../strings.ts";
import { Faces } from "./faces.tsx";
import { MessageSearch } from "./message-search.tsx";

/** Name, description and members of the room. */
export function RoomHeader({
  room,
  here,
  messages,
  selfId,
}: {
  readonly room: Room;
  readonly here: readonly Person[];
  /** Those that are loaded, oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly selfId: string;
}) {
  const [open, setOpen] = useState(false);
  const blocked = useBlockedIds();
  const presence = hereNow(room.participants);
  const isAlone = here.every(({ id }) => id === selfId);
  const spoke = isAlone
    ? lastSpeakers(messages, selfId, 6).filter(({ id }) => !blocked.has(id))
    : [];
  return (
    <header className="flex shrink-0 items-center gap-2 border-b border-line bg-raised px-2 py-2 short:py-0 sm:gap-3 sm:px-6">
      <Link
        to={paths.chats}
        aria-label={roomStrings.allRooms}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
      <div className="min-w-0 grow">
        <h1 className="truncate text-base leading-snug font-semibold sm:text-lg">{room.name}</h1>
        <p className="truncate text-sm text-muted short:hidden">{room.description}</p>
      </div>
      <MessageSearch room={room} />
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="tabular flex min-h-11 shrink-0 items-center gap-2 rounded-control px-3 text-sm text-muted hover:bg-hover hover:text-ink"
      >
        {here.length === 0 ? (
          <Users aria-hidden className="size-4" />
        ) : (
          <>
            <span className="sm:hidden">
              <Faces people={here} max={2} />
            </span>
            <span className="max-sm:hidden">
              <Faces people={here} max={4} />
            </span>
          </>
        )}
        <span className={presence === null ? "sr-only sm:not-sr-only" : undefined}>
          {presence ?? roomStrings.whoIsHere}
        </span>
        {spoke.length === 0 ? null : (
          <span
            aria-hidden
            className="flex items-center gap-2 border-l border-line pl-3 max-lg:hidden"
          >
            {roomStrings.spokeLast}
            <Faces people={spoke} max={4} />
          </span>
        )}
      </button>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        from="side"
        title={roomStrings.whoIsHere}
        description={presence === null ? room.name : roomStrings.presenceIn(presence, room.name)}
      >
        {here.length === 0 ? (
          <p className="text-sm text-muted">{roomStrings.notConnected}</p>
        ) : (
          <PeopleList people={here} selfId={selfId} />
        )}
        {spoke.length === 0 ? null : (
          <section className="mt-6 grid gap-3">
            <h3 className="text-sm font-semibold text-muted">{roomStrings.spokeLast}</h3>
            <PeopleList people={spoke} selfId={selfId} />
          </section>
        )}
        <Button asChild variant="secondary" className="mt-6 justify-self-start">
          <Link to={paths.newPact}>
            <Handshake aria-hidden className="size-4" />
            {roomStrings.makePact}
          </Link>
        </Button>
      </Sheet>
    </header>
  );
}

function PeopleList({
  people,
  selfId,
}: {
  readonly people: readonly Person[];
  readonly selfId: string;
}) {
  const { client } = useBackend();
  return (
    <ul className="grid gap-3">
      {people.map((person) => (
        <li key={person.id} className="flex items-center gap-3">
          <Avatar
            id={person.id}
            name={person.name}
            picture={profilePictureUrl(client, person.avatarUrl)}
            size="sm"
          />
          <span className="min-w-0 grow truncate">
            <bdi>{person.name}</bdi>
            {person.id === selfId ? <span className="text-muted">{roomStrings.you}</span> : null}
          </span>
          <RoleBadge role={person.role} label={roleNames[person.role]} />
        </li>
      ))}
    </ul>
  );
}
