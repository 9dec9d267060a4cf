import { MessageCircle, SearchX } from "lucide-react";
import { Link, useParams } from "react-router";
import { levelByNumber, levels } from "@/domain/levels.ts";
import { conversationPath, paths, submissionPath } from "@/domain/paths.ts";
import { submissionTypeName } from "@/domain/submission-type-name.ts";
import { roleNames } from "@/domain/roles.ts";
import { ProfileAchievements } from "@/features/achievements/index.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { longDate } from "@/lib/format-time.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { RisingLine } from "@/ui/rising-line.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { BlockedNotice } from "../components/blocked-notice.tsx";
import { MemberActions } from "../components/member-actions.tsx";
import { TopicList } from "../components/topic-list.tsx";
import { WrittenTexts } from "../components/written-texts.tsx";
import type { BlockedProfile, MemberProfile } from "../model/member.ts";
import { useMember } from "../queries.ts";
import { explainPeopleError, memberPageStrings, peopleStrings } from "../strings.ts";

/** `/members/{id}`: what a member says and shows of themselves. */
export function MemberPage() {
  const { memberId = "" } = useParams();
  const { status, current, refresh } = useEffectiveLevel();
  const { data, isError, error, isFetching, refetch } = useMember(memberId, {
    enabled: current > 0,
  });
  usePageDetail(data && data.kind !== "absent" ? data.profile.name : null);
  if (status === "ready" && current === 0) {
    return (
      <div className="grid gap-6">
        <h1 className="display text-2xl sm:text-3xl">{memberPageStrings.title}</h1>
        <MembershipNotice>{memberPageStrings.membersOnly}</MembershipNotice>
      </div>
    );
  }
  if (data?.kind === "shown") return <Profile profile={data.profile} />;
  if (data?.kind === "blocked") return <Blocked profile={data.profile} />;
  if (data?.kind === "absent") return <Absent />;
  if (isError || status === "failed") {
    return (
      <LoadFailed
        title={memberPageStrings.failed}
        busy={isFetching}
        advice={isError ? explainPeopleError(error) : null}
        onRetry={() => void (isError ? refetch() : refresh())}
      />
    );
  }
  return (
    <Loading label={memberPageStrings.loading} className="grid max-w-column gap-6">
      <div className="flex items-center gap-5">
        <Skeleton className="size-24 rounded-full" />
        <div className="grid grow gap-3">
          <Skeleton className="h-8 w-56 max-w-full" />
          <Skeleton className="w-40" />
        </div>
      </div>
      <Skeleton className="h-28" />
    </Loading>
  );
}

function Profile({ profile }: { readonly profile: MemberProfile }) {
  const { client } = useBackend();
  const userId = useUserId();
  const { id, name, role, occupation, bio, avatarUrl, topics, joinedOn } = profile;
  const own = id === userId;
  return (
    <div className="grid max-w-column grid-cols-1 gap-8">
      <header className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <Avatar
          id={id}
          name={name}
          picture={profilePictureUrl(client, avatarUrl)}
          size="lg"
          className="size-20 sm:size-24"
        />
        <div className="min-w-0 grow basis-48">
          <h1 className="display text-2xl break-words sm:text-3xl">
            <bdi>{name}</bdi>
          </h1>
          {occupation === "" ? null : (
            <p dir="auto" className="mt-0.5 break-words text-muted">
              {occupation}
            </p>
          )}
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <RoleBadge role={role} label={roleNames[role]} />
            <span>{memberPageStrings.joinedOn(longDate(joinedOn))}</span>
          </p>
        </div>
        {own ? (
          <Button asChild variant="secondary">
            <Link to={`${paths.account}#profile`}>{memberPageStrings.edit}</Link>
          </Button>
        ) : (
          <div className="flex gap-2">
            <Button asChild>
              <Link to={conversationPath(id)}>
                <MessageCircle aria-hidden className="size-4" />
                {peopleStrings.message}
              </Link>
            </Button>
            <MemberActions profile={profile} />
          </div>
        )}
      </header>
      {role === "student" ? <ReachedLevel level={profile.level} /> : null}
      <About name={name} bio={bio} own={own} />
      {topics.length === 0 ? null : (
        <section aria-labelledby="ask-about" className="grid gap-3">
          <h2 id="ask-about" className="display text-xl">
            {peopleStrings.askAbout}
          </h2>
          <TopicList topics={topics} linked />
        </section>
      )}
      {profile.texts.count === 0 ? null : <WrittenTexts author={id} texts={profile.texts} />}
      {profile.achievements === null ? null : (
        <ProfileAchievements achievements={profile.achievements} />
      )}
      {profile.keptPacts === null || profile.keptPacts.count === 0 ? null : (
        <KeptPacts pacts={profile.keptPacts} />
      )}
      {profile.submissions === null ? null : (
        <Submissions submissions={profile.submissions} own={own} />
      )}
    </div>
  );
}

function ReachedLevel({ level }: { readonly level: number }) {
  const reached = levelByNumber(level);
  if (!reached) return null;
  return (
    <section
      data-accent={reached.accent}
      aria-labelledby="level"
      className="grid gap-4 rounded-card border border-line bg-raised p-5 sm:p-6"
    >
      <h2 id="level" className="font-medium">
        {peopleStrings.level(level)} · <span className="text-accent">{reached.name}</span>
      </h2>
      <RisingLine steps={levels} reached={level} className="max-w-md" />
    </section>
  );
}

function About({
  name,
  bio,
  own,
}: {
  readonly name: string;
  readonly bio: string;
  readonly own: boolean;
}) {
  return (
    <section aria-labelledby="about" className="grid gap-3">
      <h2 id="about" className="display text-xl">
        {memberPageStrings.about}
      </h2>
      {bio === "" ? (
        <p className="text-muted">
          {own ? (
            <>
              {memberPageStrings.noOwnBio}{" "}
              <TextLink to={`${paths.account}#profile`}>{memberPageStrings.addBio}</TextLink>
            </>
          ) : (
            memberPageStrings.noBio(name)
          )}
        </p>
      ) : (
        <p dir="auto" className="max-w-prose break-words whitespace-pre-line">
          {bio}
        </p>
      )}
    </section>
  );
}

function KeptPacts({
  pacts: { count, newest },
}: {
  readonly pacts: NonNullable<MemberProfile["keptPacts"]>;
}) {
  return (
    <section aria-labelledby="kept-pacts" className="grid grid-cols-1 gap-3">
      <h2 id="kept-pacts" className="display text-xl">
        {memberPageStrings.keptPacts(count)}
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {newest.map(({ id, title, keptOn }) => (
          <li key={id}>
            <Link to={submissionPath(id)} className="grid grid-cols-1 gap-0.5 py-3 hover:bg-hover">
              <bdi className="font-medium wrap-anywhere">{title}</bdi>
              <span className="text-sm text-muted">
                {memberPageStrings.keptOn(longDate(keptOn))}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Submissions({
  submissions: { count, newest },
  own,
}: {
  readonly submissions: NonNullable<MemberProfile["submissions"]>;
  readonly own: boolean;
}) {
  return (
    <section aria-labelledby="submissions" className="grid grid-cols-1 gap-3">
      <h2 id="submissions" className="display text-xl">
        {memberPageStrings.submissions}
      </h2>
      {newest.length === 0 ? (
        <p className="text-muted">
          {own ? memberPageStrings.noOwnSubmissions : memberPageStrings.noSubmissions}
        </p>
      ) : (
        <>
          <ul className="divide-y divide-line border-y border-line">
            {newest.map(({ id, title, type, createdAt }) => (
              <li key={id}>
                <Link
                  to={submissionPath(id)}
                  className="grid grid-cols-1 gap-0.5 py-3 hover:bg-hover"
                >
                  <bdi className="font-medium wrap-anywhere">{title}</bdi>
                  <span className="text-sm text-muted">
                    {submissionTypeName(type)} · {longDate(createdAt)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {count > newest.length ? (
            <p className="text-sm text-muted">
              {memberPageStrings.newestSubmissions(newest.length, count)}
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}

function Blocked({ profile }: { readonly profile: BlockedProfile }) {
  return (
    <div className="py-8 sm:py-14">
      <BlockedNotice profile={profile}>{peopleStrings.blocked}</BlockedNotice>
    </div>
  );
}

function Absent() {
  return (
    <div className="grid max-w-notice justify-items-start gap-4 py-8 sm:py-14">
      <SearchX aria-hidden className="size-8 text-muted" />
      <h1 className="display text-2xl sm:text-3xl">{peopleStrings.absentTitle}</h1>
      <p className="text-muted">{memberPageStrings.absent}</p>
      <Button asChild className="mt-2">
        <Link to={paths.members}>{memberPageStrings.openDirectory}</Link>
      </Button>
    </div>
  );
}
