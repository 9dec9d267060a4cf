import type { ComponentProps } from "react";
import { TextField } from "@/ui/text-field.tsx";

const codeLength = 6;

/** The six digits of an authenticator app. What is pasted may hold spaces. */
export function CodeField({
  value,
  onChange,
  onComplete,
  ...rest
}: {
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Called with the sixth digit, so that pasting or autofill is all it takes. */
  readonly onComplete?: (code: string) => void;
} & Pick<ComponentProps<typeof TextField>, "label" | "hint" | "error">) {
  return (
    <TextField
      {...rest}
      value={value}
      onChange={(event) => {
        const code = event.target.value.replaceAll(/\D/g, "").slice(0, codeLength);
        onChange(code);
        if (code.length === codeLength && code !== value) onComplete?.(code);
      }}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      required
      className="tabular text-lg tracking-[0.3em]"
    />
  );
}

/** True when so many digits are there as a code has. */
export function isCompleteCode(code: string): boolean {
  return code.length === codeLength;
}
