import { levels } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { DateRangeFields } from "@/ui/date-range-fields.tsx";
import { FilterField } from "@/ui/filter-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import type { MemberFilters } from "../api/members.ts";
import { membershipStatuses } from "../model/member.ts";
import { membershipNames } from "../strings.ts";

const memberships = [
  ...membershipStatuses.map((value) => ({ value, label: membershipNames[value] })),
  { value: "suspended", label: "Suspended" },
];
const levelOptions = [
  { value: "0", label: "Not started" },
  ...levels.map(({ number, name }) => ({ value: String(number), label: `${number} · ${name}` })),
];
const roleOptions = Object.entries(roleNames).map(([value, label]) => ({ value, label }));

/** Search and filters of the list of members. */
export function MemberFilterBar({
  filters,
  onChange,
}: {
  readonly filters: MemberFilters;
  readonly onChange: (changes: Partial<MemberFilters>, options?: { replace: boolean }) => void;
}) {
  return (
    <search
      aria-label="Find members"
      className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-[2fr_repeat(5,1fr)]"
    >
      <FilterField
        label="Search"
        type="search"
        placeholder="Part of a name or address"
        fieldClassName="max-xl:col-span-full"
        value={filters.search}
        maxLength={200}
        onCommit={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        label="Membership"
        options={memberships}
        placeholder="Any"
        value={filters.membership}
        onChange={(event) => onChange({ membership: event.target.value })}
      />
      <SelectField
        label="Level"
        options={levelOptions}
        placeholder="Any"
        value={filters.level}
        onChange={(event) => onChange({ level: event.target.value })}
      />
      <SelectField
        label="Role"
        options={roleOptions}
        placeholder="Any"
        value={filters.role}
        onChange={(event) => onChange({ role: event.target.value })}
      />
      <DateRangeFields
        from={filters.from}
        to={filters.to}
        fromLabel="Joined from"
        toLabel="Joined to"
        onFrom={(from) => onChange({ from })}
        onTo={(to) => onChange({ to })}
      />
    </search>
  );
}
