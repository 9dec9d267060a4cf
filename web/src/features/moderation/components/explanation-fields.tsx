import type { RefObject } from "react";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { explanationStrings, removalReasons } from "../strings.ts";

/** The most that the database takes, in characters. */
const maxLength = 500;

interface ExplanationFieldsProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint: string;
  /** True once a removal was to be confirmed without one. */
  readonly isMissing: boolean;
  readonly reasons: RefObject<HTMLSelectElement | null>;
}

/** Why something is taken away, for its author: a common reason, or the administrator's own words. */
export function ExplanationFields({
  value,
  onChange,
  hint,
  isMissing,
  reasons,
}: ExplanationFieldsProps) {
  return (
    <div className="mt-5 grid gap-4">
      <SelectField
        ref={reasons}
        label={explanationStrings.common}
        placeholder={explanationStrings.choose}
        value={removalReasons.find((each) => each === value) ?? ""}
        options={removalReasons.map((each) => ({ value: each, label: each }))}
        onChange={(event) => onChange(event.target.value)}
      />
      <TextArea
        label={explanationStrings.label}
        hint={hint}
        rows={3}
        maxLength={maxLength}
        value={value}
        error={isMissing ? explanationStrings.missing : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
