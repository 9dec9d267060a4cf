import { levels } from "@/domain/levels.ts";
import { FilterField } from "@/ui/filter-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { postKinds, type PostFilters } from "../model/post.ts";
import { postFilterStrings } from "../strings.ts";

const kindOptions = postKinds.map((value) => ({
  value,
  label: postFilterStrings.kindOption(value),
}));
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
      aria-label={postFilterStrings.name}
      className="grid grid-cols-2 gap-4 lg:grid-cols-[2fr_repeat(3,1fr)]"
    >
      <FilterField
        label={postFilterStrings.search}
        type="search"
        placeholder={postFilterStrings.searchPlaceholder}
        fieldClassName="max-lg:col-span-full"
        value={filters.search}
        maxLength={200}
        onCommit={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        label={postFilterStrings.kind}
        options={kindOptions}
        placeholder={postFilterStrings.any}
        value={filters.kind}
        onChange={(event) => onChange({ kind: event.target.value })}
      />
      <SelectField
        label={postFilterStrings.level}
        options={levelOptions}
        placeholder={postFilterStrings.any}
        value={filters.level}
        onChange={(event) => onChange({ level: event.target.value })}
      />
      <FilterField
        label={postFilterStrings.topic}
        placeholder={postFilterStrings.any}
        fieldClassName="max-lg:col-span-full"
        value={filters.topic}
        maxLength={40}
        onCommit={(topic) => onChange({ topic }, { replace: true })}
      />
    </search>
  );
}
