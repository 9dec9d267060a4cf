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
import { explainPeopleError, peopleStrings } from "../strings.ts";

/** `/members`: the members who are listed, with search and filters in the address. */
export function DirectoryPage() {
  const { status, current } = useEffectiveLevel();
  const [filters, setFilters] = useUrlFilters(noFilters);
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title="Directory"
        intro={
          <>
            Who is here, and what they may be asked about. What it says of you is{" "}
            <TextLink to={`${paths.account}#directory`}>your choice</TextLink>.
          </>
        }
      />
      {status === "ready" && current === 0 ? (
        <MembershipNotice>The directory is for members.</MembershipNotice>
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
        title="We couldn't load the directory"
        busy={isFetching}
        advice={explainPeopleError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label="Loading the directory" className="grid gap-4 md:grid-cols-2">
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
        title={filtered ? peopleStrings.emptyTitle : peopleStrings.firstTitle}
        action={
          filtered ? (
            <Button variant="secondary" onClick={onClear}>
              Clear search and filters
            </Button>
          ) : null
        }
      >
        {filtered ? peopleStrings.emptyText : peopleStrings.firstText}
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label="Members" aria-busy={isFetching} className="grid gap-4 md:grid-cols-2">
        {members.map((member) => (
          <li key={member.id} className="grid">
            <ListedCard member={member} />
          </li>
        ))}
      </ul>
      {isError ? (
        <p role="alert" className="text-sm text-muted">
          We couldn't load more members. {explainPeopleError(error)}
        </p>
      ) : null}
      {hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          Show more members
        </Button>
      ) : null}
    </>
  );
}

function ListedCard({ member }: { readonly member: ListedMember }) {
  const { client } = useBackend();
  const { id, name, role, occupation, avatarUrl, topics } = member;
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
          <MemberName id={id} name={name} className="break-words" />
          <RoleBadge role={role} label={roleNames[role]} />
        </h2>
        <p dir="auto" className="line-clamp-2 break-words text-muted">
          {occupation}
        </p>
      </div>
      <div className="col-span-full flex flex-wrap items-center gap-2">
        {level ? <LevelBadge {...level} /> : null}
        <TopicList topics={topics} linked />
      </div>
    </article>
  );
}
