import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import type { Person } from "../model/people.ts";

/** The first few of those who are in a room, overlapping. Decoration: their number stands beside it. */
export function Faces({
  people,
  max,
}: {
  readonly people: readonly Pick<Person, "id" | "name" | "avatarUrl">[];
  readonly max: number;
}) {
  const { client } = useBackend();
  if (people.length === 0) return null;
  return (
    <span aria-hidden className="flex -space-x-2">
      {people.slice(0, max).map(({ id, name, avatarUrl }) => (
        <Avatar
          key={id}
          id={id}
          name={name}
          picture={profilePictureUrl(client, avatarUrl)}
          size="sm"
          className="size-6 border-2 border-raised text-[0.5625rem]"
        />
      ))}
    </span>
  );
}
