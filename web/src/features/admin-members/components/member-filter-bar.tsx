import { levels } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { DateRangeFields } from "@/ui/date-range-fields.tsx";
import { FilterField } from "@/ui/filter-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import type { MemberFilters } from "../api/members.ts";
import { membershipStatuses } from "../model/member.ts";
import { memberFields, memberFilterStrings, membershipNames } from "../strings.ts";

const memberships = [
  ...membershipStatuses.map((value) => ({ value, label: membershipNames[value] })),
  { value: "suspended", label: memberFields.suspended },
];
const levelOptions = [
  { value: "0", label: memberFields.notStarted },
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
      aria-label={memberFilterStrings.label}
      className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-[2fr_repeat(5,1fr)]"
    >
      <FilterField
        label={memberFilterStrings.search}
        type="search"
        placeholder={memberFilterStrings.searchHint}
        fieldClassName="max-xl:col-span-full"
        value={filters.search}
        maxLength={200}
        onCommit={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        label={memberFields.membership}
        options={memberships}
        placeholder={memberFilterStrings.any}
        value={filters.membership}
        onChange={(event) => onChange({ membership: event.target.value })}
      />
      <SelectField
        label={memberFields.level}
        options={levelOptions}
        placeholder={memberFilterStrings.any}
        value={filters.level}
        onChange={(event) => onChange({ level: event.target.value })}
      />
      <SelectField
        label={memberFields.role}
        options={roleOptions}
        placeholder={memberFilterStrings.any}
        value={filters.role}
        onChange={(event) => onChange({ role: event.target.value })}
      />
      <DateRangeFields
        from={filters.from}
        to={filters.to}
        fromLabel={memberFilterStrings.joinedFrom}
        toLabel={memberFilterStrings.joinedTo}
        onFrom={(from) => onChange({ from })}
        onTo={(to) => onChange({ to })}
      />
    </search>
  );
}
