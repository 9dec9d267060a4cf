import type { ComponentProps } from "react";
import {
  useController,
  type Control,
  type FieldValues,
  type FieldPathByValue,
} from "react-hook-form";
import * as z from "zod/mini";
import { TextField } from "@/ui/text-field.tsx";
import { sessionStrings } from "../strings.ts";

const codeLength = 6;

/** A form's field for the code of an authenticator app. */
export const codeSchema = z.string().check(z.length(codeLength, sessionStrings.codeMissing));

/** The six digits of an authenticator app. What is pasted may hold spaces. */
export function CodeField<Fields extends FieldValues>({
  control,
  name,
  onComplete,
  ...rest
}: {
  readonly control: Control<Fields>;
  readonly name: FieldPathByValue<Fields, string>;
  /** Called with the sixth digit, so that pasting or autofill is all it takes. */
  readonly onComplete?: () => void;
  /** Set where the page is for this field, which then has the focus from the start. */
  readonly "data-initial-focus"?: "";
} & Pick<ComponentProps<typeof TextField>, "label" | "hint">) {
  const { field, fieldState } = useController({ control, name });
  return (
    <TextField
      {...rest}
      {...field}
      error={fieldState.error?.message}
      onChange={(event) => {
        const code = event.target.value.replaceAll(/\D/g, "").slice(0, codeLength);
        field.onChange(code);
        if (code.length === codeLength && code !== field.value) onComplete?.();
      }}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      required
      className="tabular text-lg tracking-[0.3em]"
    />
  );
}
