import { useState } from "react";
import { TextField, type TextFieldProps } from "@/ui/text-field.tsx";

/** A number within `min`, `max` and `step`. Another one is told to be wrong and is not taken. */
export function NumberField({
  wrong,
  onNumber,
  ...field
}: Omit<TextFieldProps, "type" | "error" | "onChange"> & {
  /** Said of what is not taken. */
  readonly wrong: string;
  /** Null once the field is empty. */
  readonly onNumber: (value: number | null) => void;
}) {
  const [isWrong, setWrong] = useState(false);
  return (
    <TextField
      {...field}
      type="number"
      error={isWrong ? wrong : undefined}
      onChange={({ target: { validity, value, valueAsNumber } }) => {
        setWrong(!validity.valid);
        if (validity.valid) onNumber(value === "" ? null : valueAsNumber);
      }}
    />
  );
}
