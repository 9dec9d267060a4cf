import { UsersRound } from "lucide-react";
import { levelByNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { LevelBadge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { DirectoryFilterBar } from "../components/directory-filter-bar.tsx";
import { MemberName } from "../components/member-name.tsx";
import { TopicList } from "../components/topic-list.tsx";
import {
  directoryQuery,
  isFiltered,
  noFilters,
  type DirectoryFilters,
  type ListedMember,
} from "../model/directory.ts";
import { useDirectory } from "../queries.ts";
import { directoryStrings, explainPeopleError } from "../strings.ts";

/** `/members`: the members who are listed, with search and filters in the address. */
export function DirectoryPage() {
  const { status, current } = useEffectiveLevel();
  const [filters, setFilters] = useUrlFilters(noFilters);
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={directoryStrings.title}
        intro={
          <>
            {directoryStrings.intro.before}
            <TextLink to={`${paths.account}#directory`}>{directoryStrings.intro.link}</TextLink>
            {directoryStrings.intro.after}
          </>
        }
      />
      {status === "ready" && current === 0 ? (
        <MembershipNotice>{directoryStrings.membersOnly}</MembershipNotice>
      ) : (
        <>
          <DirectoryFilterBar filters={filters} onChange={setFilters} />
          <Results filters={filters} onClear={() => setFilters(noFilters)} />
        </>
      )}
    </div>
  );
}

function Results({
  filters,
  onClear,
}: {
  readonly filters: DirectoryFilters;
  readonly onClear: () => void;
}) {
  const { data, isError, error, isFetching, refetch, hasNextPage, fetchNextPage } =
    useDirectory(filters);
  const filtered = isFiltered(directoryQuery(filters));
  if (!data && isError) {
    return (
      <LoadFailed
        title={directoryStrings.failed}
        busy={isFetching}
        advice={explainPeopleError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={directoryStrings.loading} className="grid gap-4 md:grid-cols-2">
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="h-32" />
        ))}
      </Loading>
    );
  }
  const members = data.pages.flat();
  if (members.length === 0) {
    return (
      <EmptyState
        icon={<UsersRound aria-hidden />}
        title={filtered ? directoryStrings.emptyTitle : directoryStrings.firstTitle}
        action={
          filtered ? (
            <Button variant="secondary" onClick={onClear}>
              {directoryStrings.clear}
            </Button>
          ) : null
        }
      >
        {filtered ? directoryStrings.emptyText : directoryStrings.firstText}
      </EmptyState>
    );
  }
  return (
    <>
      <ul
        aria-label={directoryStrings.list}
        aria-busy={isFetching}
        className="grid gap-4 md:grid-cols-2"
      >
        {members.map((member) => (
          <li key={member.id} className="grid">
            <ListedCard member={member} />
          </li>
        ))}
      </ul>
      {isError ? (
        <p role="alert" className="text-sm text-muted">
          {directoryStrings.moreFailed} {explainPeopleError(error)}
        </p>
      ) : null}
      {hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {directoryStrings.more}
        </Button>
      ) : null}
    </>
  );
}

function ListedCard({ member }: { readonly member: ListedMember }) {
  const { client } = useBackend();
  const { id, name, role, occupation, avatarUrl, topics, bio } = member;
  const level = levelByNumber(member.level);
  return (
    <article className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-4 gap-y-3 rounded-card border border-line bg-raised p-5">
      <Avatar
        id={id}
        name={name}
        picture={profilePictureUrl(client, avatarUrl)}
        className="size-12 text-base"
      />
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-2 font-medium">
          <MemberName id={id} name={name} className="wrap-anywhere" />
          <RoleBadge role={role} label={roleNames[role]} />
        </h2>
        <p dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
          {occupation}
        </p>
      </div>
      {bio === "" ? null : (
        <p dir="auto" className="col-span-full line-clamp-3 text-sm wrap-anywhere">
          {bio}
        </p>
      )}
      <div className="col-span-full flex flex-wrap items-center gap-2 self-end">
        {level ? <LevelBadge {...level} /> : null}
        <TopicList topics={topics} linked />
      </div>
    </article>
  );
}
