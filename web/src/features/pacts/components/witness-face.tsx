import { unnamedMember } from "@/domain/unnamed-member.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";

/** The face of one who stands by a promise. The name must stand beside it. */
export function WitnessFace({
  person: { id, name, avatar_url: avatarUrl },
  className,
}: {
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly avatar_url?: string | null | undefined;
  };
  readonly className?: string | undefined;
}) {
  const { client } = useBackend();
  return (
    <Avatar
      id={id}
      name={name || unnamedMember}
      picture={profilePictureUrl(client, avatarUrl)}
      size="sm"
      className={className}
    />
  );
}
