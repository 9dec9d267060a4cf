import { TextField } from "./text-field.tsx";

/** Two date fields that bound each other. Values are `YYYY-MM-DD`, or empty for an open end. */
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
      <TextField
        label={fromLabel}
        type="date"
        value={from}
        max={to || undefined}
        onChange={(event) => onFrom(event.target.value)}
      />
      <TextField
        label={toLabel}
        type="date"
        value={to}
        min={from || undefined}
        onChange={(event) => onTo(event.target.value)}
      />
    </>
  );
}
