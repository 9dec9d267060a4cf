import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { controlClasses, Field, type FieldTexts } from "./field.tsx";

interface SelectOption {
  readonly value: string;
  readonly label: string;
}

export interface SelectFieldProps extends ComponentProps<"select">, FieldTexts {
  readonly options: readonly SelectOption[];
  /** Shown while nothing is chosen. */
  readonly placeholder?: string | undefined;
  readonly fieldClassName?: string | undefined;
}

/** A choice of one. The browser's own control: familiar on a phone, complete by keyboard. */
export function SelectField({
  label,
  hint,
  error,
  id,
  options,
  placeholder,
  className,
  fieldClassName,
  ...input
}: SelectFieldProps) {
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      required={input.required}
      className={fieldClassName}
    >
      {(control) => (
        <div className="relative">
          <select
            className={classNames(controlClasses, "h-11 appearance-none pr-10", className)}
            {...input}
            {...control}
          >
            {placeholder === undefined ? null : <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-3.5 right-3 size-4 text-muted"
          />
        </div>
      )}
    </Field>
  );
}
