import { levels } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { FilterField } from "@/ui/filter-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import type { DirectoryFilters } from "../model/directory.ts";

const levelOptions = levels.map(({ number, name }) => ({
  value: String(number),
  label: `${number} · ${name}`,
}));
const roleOptions = (["student", "mentor"] as const).map((value) => ({
  value,
  label: roleNames[value],
}));

/** Search and filters of the directory. */
export function DirectoryFilterBar({
  filters,
  onChange,
}: {
  readonly filters: DirectoryFilters;
  readonly onChange: (changes: Partial<DirectoryFilters>, options?: { replace: boolean }) => void;
}) {
  return (
    <search
      aria-label="Find members"
      className="grid grid-cols-2 gap-4 lg:grid-cols-[2fr_repeat(4,1fr)]"
    >
      <FilterField
        label="Search"
        type="search"
        placeholder="Name, occupation or topic"
        fieldClassName="max-lg:col-span-full"
        value={filters.search}
        maxLength={200}
        onCommit={(search) => onChange({ search }, { replace: true })}
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
      <FilterField
        label="Occupation"
        placeholder="Any"
        value={filters.occupation}
        maxLength={150}
        onCommit={(occupation) => onChange({ occupation }, { replace: true })}
      />
      <FilterField
        label="Topic"
        placeholder="Any"
        value={filters.topic}
        maxLength={40}
        onCommit={(topic) => onChange({ topic }, { replace: true })}
      />
    </search>
  );
}
