import { FilterField } from "./filter-field.tsx";

/** Two date filters of the address that bound each other. Values are `YYYY-MM-DD`, or empty for an open end. */
export function DateRangeFields({
  from,
  to,
  fromLabel = "From",
  toLabel = "To",
  onFrom,
  onTo,
}: {
  readonly from: string;
  readonly to: string;
  readonly fromLabel?: string;
  readonly toLabel?: string;
  readonly onFrom: (from: string) => void;
  readonly onTo: (to: string) => void;
}) {
  return (
    <>
      <FilterField
        label={fromLabel}
        type="date"
        value={from}
        max={to || undefined}
        onCommit={onFrom}
      />
      <FilterField label={toLabel} type="date" value={to} min={from || undefined} onCommit={onTo} />
    </>
  );
}
