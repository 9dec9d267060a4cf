import { Check } from "lucide-react";
import { useId, type ComponentProps } from "react";
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
        <span className="relative mt-0.5 grid size-5 shrink-0 place-items-center">
          <input
            type="checkbox"
            className="peer size-5 appearance-none rounded-[5px] border border-control-line bg-raised transition-colors checked:border-ink checked:bg-ink aria-invalid:border-danger"
            {...input}
            id={boxId}
            aria-describedby={described || undefined}
            aria-invalid={Boolean(error) || undefined}
          />
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute size-3.5 text-on-ink opacity-0 peer-checked:opacity-100"
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
