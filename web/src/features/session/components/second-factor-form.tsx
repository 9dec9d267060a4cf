import { zodResolver } from "@hookform/resolvers/zod";
import { useState, type ReactNode } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { useInitialFocus } from "@/ui/use-initial-focus.ts";
import { redeemRecoveryCode } from "../api/second-factor.ts";
import { sessionStrings } from "../strings.ts";
import { secondFactorFormStrings } from "../strings/second-factor.ts";
import type { SecondFactorRequest } from "../use-second-factor.tsx";

const recoverySchema = z.object({
  recoveryCode: z.string().check(z.trim(), z.minLength(1, sessionStrings.recoveryCodeMissing)),
});

/** The code or the security key, and the button that shows it to the server. */
export function SecondFactorForm({
  request,
  problem,
  isBusy,
  onSubmit,
  children,
}: {
  readonly request: SecondFactorRequest;
  readonly problem: string | null;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  /** The ways elsewhere. */
  readonly children: ReactNode;
}) {
  const { fields, change, way, canProve } = request;
  useInitialFocus();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      noValidate
      className="grid gap-5"
    >
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {fields}
      <Button
        type="submit"
        size="lg"
        wide
        loading={isBusy}
        disabled={!canProve}
        {...(way === "key" && { "data-initial-focus": "" })}
      >
        {way === "key" ? secondFactorFormStrings.submitKey : secondFactorFormStrings.submit}
      </Button>
      <div className="grid gap-1">
        {change}
        {children}
      </div>
    </form>
  );
}

/** Takes a recovery code, which removes the second factor. */
export function RecoveryCodeForm({
  onDone,
  children,
}: {
  readonly onDone: () => void;
  /** The ways elsewhere. */
  readonly children: ReactNode;
}) {
  const { client } = useBackend();
  const [problem, setProblem] = useState<string | null>(null);
  const { register, control, handleSubmit, formState } = useForm({
    defaultValues: { recoveryCode: "" },
    resolver: zodResolver(recoverySchema),
  });
  const recoveryCode = useWatch({ control, name: "recoveryCode" });
  useInitialFocus();

  /** What came of the last attempt is over with the next, also when its field is not right yet. */
  const clearProblem = () => setProblem(null);
  const submit = handleSubmit(async (fields) => {
    const refusal = await redeemRecoveryCode(client, fields.recoveryCode);
    setProblem(refusal && refusalText(refusal, sessionStrings));
    if (refusal === null) onDone();
  }, clearProblem);

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <TextField
        label={secondFactorFormStrings.recoveryCode}
        hint={secondFactorFormStrings.recoveryCodeHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-initial-focus=""
        error={formState.errors.recoveryCode?.message}
        {...register("recoveryCode")}
      />
      <Button
        type="submit"
        size="lg"
        wide
        loading={formState.isSubmitting}
        disabled={recoveryCode.trim() === ""}
      >
        {secondFactorFormStrings.submitRecoveryCode}
      </Button>
      {children}
    </form>
  );
}
