import { levels } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { FilterField } from "@/ui/filter-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import type { DirectoryFilters } from "../model/directory.ts";
import { directoryStrings } from "../strings.ts";

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
      aria-label={directoryStrings.filters}
      className="grid grid-cols-2 gap-4 lg:grid-cols-[2fr_repeat(4,1fr)]"
    >
      <FilterField
        label={directoryStrings.search}
        type="search"
        placeholder={directoryStrings.searchHint}
        fieldClassName="max-lg:col-span-full"
        value={filters.search}
        maxLength={200}
        onCommit={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        label={directoryStrings.level}
        options={levelOptions}
        placeholder={directoryStrings.any}
        value={filters.level}
        onChange={(event) => onChange({ level: event.target.value })}
      />
      <SelectField
        label={directoryStrings.role}
        options={roleOptions}
        placeholder={directoryStrings.any}
        value={filters.role}
        onChange={(event) => onChange({ role: event.target.value })}
      />
      <FilterField
        label={directoryStrings.occupation}
        placeholder={directoryStrings.any}
        value={filters.occupation}
        maxLength={150}
        onCommit={(occupation) => onChange({ occupation }, { replace: true })}
      />
      <FilterField
        label={directoryStrings.topic}
        placeholder={directoryStrings.any}
        value={filters.topic}
        maxLength={40}
        onCommit={(topic) => onChange({ topic }, { replace: true })}
      />
    </search>
  );
}
