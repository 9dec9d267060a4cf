import { levels } from "@/domain/levels.ts";
import { FilterField } from "@/ui/filter-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { postKinds, type PostFilters } from "../model/post.ts";
import { postKindNames } from "../strings.ts";

const kindOptions = postKinds.map((value) => ({ value, label: `${postKindNames[value]}s` }));
const levelOptions = levels.map(({ number, name }) => ({
  value: String(number),
  label: `${number} · ${name}`,
}));

/** Search and filters of the posts. */
export function PostFilterBar({
  filters,
  onChange,
}: {
  readonly filters: PostFilters;
  readonly onChange: (changes: Partial<PostFilters>, options?: { replace: boolean }) => void;
}) {
  return (
    <search
      aria-label="Find posts"
      className="grid grid-cols-2 gap-4 lg:grid-cols-[2fr_repeat(3,1fr)]"
    >
      <FilterField
        label="Search"
        type="search"
        placeholder="Title, text or topic"
        fieldClassName="max-lg:col-span-full"
        value={filters.search}
        maxLength={200}
        onCommit={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        label="Kind"
        options={kindOptions}
        placeholder="Any"
        value={filters.kind}
        onChange={(event) => onChange({ kind: event.target.value })}
      />
      <SelectField
        label="Level"
        options={levelOptions}
        placeholder="Any"
        value={filters.level}
        onChange={(event) => onChange({ level: event.target.value })}
      />
      <FilterField
        label="Topic"
        placeholder="Any"
        fieldClassName="max-lg:col-span-full"
        value={filters.topic}
        maxLength={40}
        onCommit={(topic) => onChange({ topic }, { replace: true })}
      />
    </search>
  );
}
