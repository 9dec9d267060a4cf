import type { ComponentProps } from "react";
import { useCharacterLimit } from "./character-limit.ts";
import { classNames } from "./class-names.ts";
import { controlClasses, Field, type FieldTexts } from "./field.tsx";

export interface TextFieldProps extends Omit<ComponentProps<"input">, "size">, FieldTexts {
  /** In characters as the database counts them. */
  readonly maxLength?: number | undefined;
  readonly fieldClassName?: string | undefined;
}

/** One line of text: name, e-mail, number. Spread `register("name")` of a form onto it. */
export function TextField({
  label,
  hint,
  error,
  id,
  className,
  fieldClassName,
  maxLength,
  ref,
  "aria-describedby": describedBy,
  ...input
}: TextFieldProps) {
  const limited = useCharacterLimit(maxLength, { ref, value: input.value });
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      required={input.required}
      className={fieldClassName}
      describedBy={describedBy}
      counter={limited.counter}
    >
      {(control) => (
        <input
          ref={limited.ref}
          className={classNames(controlClasses, "h-11", className)}
          {...input}
          {...control}
        />
      )}
    </Field>
  );
}

export interface TextAreaProps extends ComponentProps<"textarea">, FieldTexts {
  /** In characters as the database counts them. */
  readonly maxLength?: number | undefined;
  readonly fieldClassName?: string | undefined;
}

/** Several lines of text. It grows with what is typed where the browser can. */
export function TextArea({
  label,
  hint,
  error,
  id,
  className,
  fieldClassName,
  rows = 4,
  maxLength,
  ref,
  "aria-describedby": describedBy,
  ...input
}: TextAreaProps) {
  const limited = useCharacterLimit(maxLength, { ref, value: input.value });
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      required={input.required}
      className={fieldClassName}
      describedBy={describedBy}
      counter={limited.counter}
    >
      {(control) => (
        <textarea
          ref={limited.ref}
          rows={rows}
          className={classNames(controlClasses, "field-sizing-content min-h-28 py-2.5", className)}
          {...input}
          {...control}
        />
      )}
    </Field>
  );
}
