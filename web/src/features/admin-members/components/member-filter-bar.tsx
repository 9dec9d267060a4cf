import { useState } from "react";
import { levels } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
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
  const [moreOpen, setMoreOpen] = useState(() =>
    [filters.membership, filters.level, filters.role, filters.from, filters.to].some(
      (value) => value !== "",
    ),
  );
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
      {/* A phone's first screen is for the members. */}
      <Button
        variant="secondary"
        size="sm"
        className="col-span-full justify-self-start sm:hidden"
        aria-expanded={moreOpen}
        onClick={() => setMoreOpen(!moreOpen)}
      >
        {memberFilterStrings.more}
      </Button>
      <div className={classNames("contents", !moreOpen && "max-sm:hidden")}>
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
      </div>
    </search>
  );
}
