import { DateRangeFields } from "@/ui/date-range-fields.tsx";
import { FilterField } from "@/ui/filter-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import type { AuditChoices, AuditFilters } from "../api/audit-log.ts";
import { actionName, auditStrings } from "../strings.ts";

/** The choice that shows what is in the address also when the log does not offer it. */
function withChosen(
  options: readonly { readonly value: string; readonly label: string }[],
  chosen: string,
) {
  const known = chosen === "" || options.some(({ value }) => value === chosen);
  return known ? options : [...options, { value: chosen, label: chosen }];
}

/** Filters of the audit log. */
export function AuditFilterBar({
  filters,
  choices,
  onChange,
}: {
  readonly filters: AuditFilters;
  /** Undefined until they were read. */
  readonly choices: AuditChoices | undefined;
  readonly onChange: (changes: Partial<AuditFilters>, options?: { replace: boolean }) => void;
}) {
  const actors = (choices?.actors ?? []).map(({ id, name }) => ({
    value: id,
    label: name ?? auditStrings.deletedAccount(id),
  }));
  const actions = (choices?.actions ?? []).map((action) => ({
    value: action,
    label: actionName(action),
  }));
  return (
    // Two dates side by side are wider than the smallest phones.
    <search
      aria-label={auditStrings.filters}
      className="grid grid-cols-1 gap-4 min-[24rem]:grid-cols-2 lg:grid-cols-5"
    >
      <FilterField
        label={auditStrings.about}
        type="search"
        placeholder={auditStrings.aboutPlaceholder}
        fieldClassName="max-lg:col-span-full"
        value={filters.about}
        maxLength={200}
        onCommit={(about) => onChange({ about }, { replace: true })}
      />
      <SelectField
        label={auditStrings.by}
        options={withChosen(
          [{ value: "system", label: auditStrings.system }, ...actors],
          filters.actor,
        )}
        placeholder={auditStrings.anyone}
        value={filters.actor}
        onChange={(event) => onChange({ actor: event.target.value })}
      />
      <SelectField
        label={auditStrings.action}
        options={withChosen(actions, filters.action)}
        placeholder={auditStrings.anyAction}
        value={filters.action}
        onChange={(event) => onChange({ action: event.target.value })}
      />
      <DateRangeFields
        from={filters.since}
        to={filters.until}
        onFrom={(since) => onChange({ since })}
        onTo={(until) => onChange({ until })}
      />
    </search>
  );
}
