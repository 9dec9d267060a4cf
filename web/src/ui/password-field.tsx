import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { classNames } from "./class-names.ts";
import { controlClasses, Field } from "./field.tsx";
import type { TextFieldProps } from "./text-field.tsx";

/** A password with a button that shows it. The button says what it will do. */
export function PasswordField({
  label,
  hint,
  error,
  id,
  className,
  fieldClassName,
  "aria-describedby": describedBy,
  ...input
}: Omit<TextFieldProps, "type">) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      className={fieldClassName}
      describedBy={describedBy}
    >
      {(control) => (
        <div className="relative">
          <input
            className={classNames(controlClasses, "h-11 pr-12", className)}
            {...input}
            {...control}
            type={shown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
          />
          <button
            type="button"
            aria-pressed={shown}
            aria-label={shown ? "Hide password" : "Show password"}
            aria-controls={control.id}
            onClick={() => setShown((value) => !value)}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-muted hover:text-ink"
          >
            <Icon aria-hidden className="size-4.5" />
          </button>
        </div>
      )}
    </Field>
  );
}
