import { useId, type RefCallback } from "react";
import { ChoiceCard } from "@/ui/choice-card.tsx";
import { FieldError } from "@/ui/field.tsx";
import { submissionTypeInfo } from "./submission-type-info.ts";
import type { PickableType } from "../model/submission-type.ts";
import { newSubmissionStrings } from "../strings.ts";

/** What kind of submission it is going to be. */
export function TypePicker({
  types,
  value,
  disabled,
  error,
  onChange,
  firstRef,
}: {
  readonly types: readonly PickableType[];
  readonly value: PickableType | null;
  readonly disabled: boolean;
  readonly error: string | undefined;
  readonly onChange: (type: PickableType) => void;
  /** The first choice, which takes the focus when none was made. */
  readonly firstRef: RefCallback<HTMLInputElement>;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined} className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium">{newSubmissionStrings.typeLabel}</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {types.map((type, index) => {
          const { name, emoji, prompt } = submissionTypeInfo[type];
          return (
            <ChoiceCard
              key={type}
              ref={index === 0 ? firstRef : undefined}
              name="submission_type"
              value={type}
              checked={value === type}
              disabled={disabled}
              onChange={() => onChange(type)}
              className="gap-1 p-4"
              title={
                <>
                  <span aria-hidden>{emoji}</span> {name}
                </>
              }
            >
              <span className="block pl-8 text-sm text-muted">{prompt}</span>
            </ChoiceCard>
          );
        })}
      </div>
      <FieldError id={id}>{error}</FieldError>
    </fieldset>
  );
}
