import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { setUpFactorStrings } from "../strings.ts";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, setUpFactorStrings.nameMissing)),
});

/** Asks what a new second factor is to be called. */
export function NameDevice({
  label = setUpFactorStrings.name,
  hint = setUpFactorStrings.nameHint,
  onSubmit,
  onCancel,
}: {
  readonly label?: string;
  readonly hint?: string;
  /** Returns the problem, or null when it went on. */
  readonly onSubmit: (name: string) => Promise<string | null>;
  /** Without it there is no way back. */
  readonly onCancel?: () => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const { register, control, handleSubmit, formState } = useForm({
    defaultValues: { name: "" },
    resolver: zodResolver(schema),
  });
  const name = useWatch({ control, name: "name" });

  const submit = handleSubmit(async (fields) => {
    setProblem(null);
    setProblem(await onSubmit(fields.name));
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <TextField
        label={label}
        hint={hint}
        maxLength={60}
        required
        error={formState.errors.name?.message}
        {...register("name")}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={formState.isSubmitting} disabled={name.trim() === ""}>
          {setUpFactorStrings.next}
        </Button>
        {onCancel === undefined ? null : (
          <Button variant="secondary" disabled={formState.isSubmitting} onClick={onCancel}>
            {setUpFactorStrings.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
