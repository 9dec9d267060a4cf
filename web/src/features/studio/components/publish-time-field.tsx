import { CalendarClock } from "lucide-react";
import { useNow } from "@/lib/use-now.ts";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { ownTimeZone, toTimeField } from "../model/publish-time.ts";
import { publishTimeStrings } from "../strings/actions.ts";

export interface PublishTimeFieldProps {
  /** What the field holds; null while no time is chosen. */
  readonly value: string | null;
  readonly error: string | null;
  readonly disabled: boolean;
  readonly onChange: (value: string | null) => void;
}

/** A time for publication, when there shall be one. */
export function PublishTimeField({ value, error, disabled, onChange }: PublishTimeFieldProps) {
  const now = useNow();
  if (value === null) {
    return (
      <Button
        size="sm"
        variant="quiet"
        className="-ml-3 justify-self-start"
        disabled={disabled}
        onClick={() => onChange("")}
      >
        <CalendarClock aria-hidden className="size-4" />
        {publishTimeStrings.choose}
      </Button>
    );
  }
  return (
    <div className="grid gap-1">
      <TextField
        type="datetime-local"
        label={publishTimeStrings.label}
        hint={publishTimeStrings.zoneHint(ownTimeZone())}
        error={error ?? undefined}
        fieldClassName="max-w-xs"
        min={toTimeField(now)}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button
        size="sm"
        variant="quiet"
        className="-ml-3 justify-self-start"
        disabled={disabled}
        onClick={() => onChange(null)}
      >
        {publishTimeStrings.remove}
      </Button>
    </div>
  );
}
