import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { formatCount } from "@/lib/format-count.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { useFigures } from "../queries.ts";
import { profileCardStrings } from "../strings.ts";

/** The signed-in member with their figures. */
export function ProfileCard() {
  const { client } = useBackend();
  const { profile, user, role } = useSession();
  const { data, isError, isFetching, refetch } = useFigures();
  const name = displayName(profile, user?.email ?? "");
  const value = (figure: string | undefined) =>
    figure ?? (isError ? "–" : <Skeleton className="my-1 h-7 w-14" />);
  return (
    <Card className="grid grid-cols-1 content-start gap-6">
      <div className="flex items-center gap-4">
        <Avatar
          id={user?.id ?? ""}
          name={name}
          picture={profilePictureUrl(client, profile?.avatarUrl)}
          size="lg"
        />
        <div className="min-w-0">
          <h2 className="truncate text-lg font-medium">{name}</h2>
          <p className="line-clamp-2 text-muted">
            {profile?.occupation ?? profileCardStrings.noOccupation}
          </p>
          <div className="mt-1.5">
            <RoleBadge role={role} label={roleNames[role]} />
          </div>
        </div>
      </div>
      <dl
        aria-label={profileCardStrings.figures}
        className="grid grid-cols-2 items-end gap-5 border-t border-line pt-5"
      >
        <StatFigure
          label={profileCardStrings.likes}
          value={value(data && formatCount(data.likesReceived))}
        />
        <StatFigure
          label={profileCardStrings.lessons}
          value={value(data && formatCount(data.lessonsCompleted))}
        />
        <StatFigure
          label={
            <Link to={paths.affiliates} className="underline-offset-4 hover:underline">
              {profileCardStrings.links}
            </Link>
          }
          value={value(data && formatCount(data.affiliateLinks))}
        />
        <StatFigure
          label={profileCardStrings.profits}
          value={value(data && formatPence(data.profitsPence))}
        />
      </dl>
      {isError && !data ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {profileCardStrings.failed}
          <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
            {profileCardStrings.retry}
          </Button>
        </p>
      ) : null}
    </Card>
  );
}
