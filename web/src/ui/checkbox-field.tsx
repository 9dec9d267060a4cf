import { useId, type ComponentProps } from "react";
import { Checkbox } from "./checkbox.tsx";
import { classNames } from "./class-names.ts";
import { FieldError, type FieldTexts } from "./field.tsx";

export interface CheckboxFieldProps extends Omit<ComponentProps<"input">, "type">, FieldTexts {}

/** A statement one can agree to, with the box beside it. */
export function CheckboxField({ label, hint, error, id, className, ...input }: CheckboxFieldProps) {
  const ownId = useId();
  const boxId = id ?? ownId;
  const described = [hint ? `${boxId}-hint` : "", error ? `${boxId}-error` : ""]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <div className="flex items-start gap-3">
        <span className="mt-0.5">
          <Checkbox
            {...input}
            id={boxId}
            aria-describedby={described || undefined}
            aria-invalid={Boolean(error) || undefined}
          />
        </span>
        <label htmlFor={boxId} className="text-base text-ink">
          {label}
        </label>
      </div>
      {hint ? (
        <p id={`${boxId}-hint`} className="pl-8 text-sm text-muted">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${boxId}-error`}>{error}</FieldError>
    </div>
  );
}
