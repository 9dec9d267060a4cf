import type { SortingState } from "@tanstack/react-table";
import { levelByNumber } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { AdminLoadFailed } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { dataColumns, DataTable } from "@/ui/data-table.tsx";
import { EmailAddress } from "@/ui/email-address.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { MemberFilterBar } from "../components/member-filter-bar.tsx";
import { MemberSheet } from "../components/member-panel.tsx";
import type { MemberRow } from "../model/member.ts";
import { nameOfMember } from "../model/member-detail.ts";
import { useMembers } from "../queries.ts";
import {
  memberFields,
  membershipColours,
  membershipNames,
  membersPageStrings,
} from "../strings.ts";

const defaults = {
  search: "",
  membership: "",
  level: "",
  role: "",
  from: "",
  to: "",
  sort: "newest",
};
const defaultMember = { member: "" };

const sortings: Readonly<Record<string, SortingState>> = {
  newest: [{ id: "joinedAt", desc: true }],
  oldest: [{ id: "joinedAt", desc: false }],
  name: [{ id: "name", desc: false }],
  name_desc: [{ id: "name", desc: true }],
};

/** The name of a sorting in the address; newest first when the table asks for none. */
function sortOf([sorting]: SortingState): string {
  if (sorting === undefined) return defaults.sort;
  if (sorting.id === "name") return sorting.desc ? "name_desc" : "name";
  return sorting.desc ? "newest" : "oldest";
}

const column = dataColumns<MemberRow>();
const columns = column.columns([
  column.accessor("name", {
    header: memberFields.member,
    enableSorting: true,
    cell: ({ row: { original } }) => (
      <span className="grid min-w-0">
        <span className="font-medium wrap-anywhere">{nameOfMember(original)}</span>{" "}
        {original.name === "" ? null : (
          <span className="text-muted">
            <EmailAddress>{original.email}</EmailAddress>
          </span>
        )}
      </span>
    ),
  }),
  column.accessor("membership", {
    header: memberFields.membership,
    cell: ({ row: { original } }) => (
      <span className="flex flex-wrap gap-1">
        <Badge colour={membershipColours[original.membership]}>
          {membershipNames[original.membership]}
        </Badge>
        {original.isSuspended ? <Badge colour="danger">{memberFields.suspended}</Badge> : null}
      </span>
    ),
  }),
  column.accessor("level", {
    header: memberFields.level,
    meta: { wideOnly: true },
    cell: ({ getValue }) => {
      const level = levelByNumber(getValue());
      return level ? `${level.number} · ${level.name}` : "–";
    },
  }),
  column.accessor("role", {
    header: memberFields.role,
    meta: { wideOnly: true },
    cell: ({ getValue }) => roleNames[getValue()],
  }),
  column.accessor("joinedAt", {
    header: memberFields.joined,
    enableSorting: true,
    meta: { align: "right", wideOnly: true },
    cell: ({ getValue }) => longDate(getValue()),
  }),
]);

/** `/admindash/members`: every account, found by name, address and status. */
export function MembersPage() {
  const [filters, setFilters] = useUrlFilters(defaults);
  const [{ member: openId }, setOpen] = useUrlFilters(defaultMember);
  const { data, error, isError, isFetching, refetch, ...pages } = useMembers(filters);
  const members = data?.pages.flat();
  const open = members?.find(({ id }) => id === openId);
  const isFiltered = Object.entries(filters).some(
    ([name, value]) => name !== "sort" && value !== "",
  );

  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={membersPageStrings.title}
        intro={membersPageStrings.intro}
      />
      <MemberFilterBar filters={filters} onChange={setFilters} />
      {isError && !members ? (
        <AdminLoadFailed
          title={membersPageStrings.loadFailed}
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <DataTable
          label={membersPageStrings.title}
          columns={columns}
          rows={members}
          rowId={({ id }) => id}
          rowLabel={(member) => [member.name, member.email].filter(Boolean).join(" ")}
          openId={openId}
          onOpen={({ id }) => setOpen({ member: id })}
          sorting={sortings[filters.sort] ?? []}
          onSortingChange={(sorting) => setFilters({ sort: sortOf(sorting) })}
          empty={
            <EmptyState
              title={isFiltered ? membersPageStrings.noMatchTitle : membersPageStrings.emptyTitle}
              action={
                isFiltered ? (
                  <Button
                    variant="secondary"
                    onClick={() => setFilters({ ...defaults, sort: filters.sort })}
                  >
                    {membersPageStrings.clearFilters}
                  </Button>
                ) : undefined
              }
            >
              {isFiltered ? membersPageStrings.noMatch : membersPageStrings.empty}
            </EmptyState>
          }
          more={
            pages.hasNextPage
              ? { loading: pages.isFetchingNextPage, load: () => void pages.fetchNextPage() }
              : undefined
          }
        />
      )}
      <MemberSheet
        memberId={openId}
        knownName={open && nameOfMember(open)}
        onClose={() => setOpen({ member: "" })}
      />
    </div>
  );
}
