import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { useInitialFocus } from "@/ui/use-initial-focus.ts";
import { refusalText } from "@/lib/refusal.ts";
import { verifyCode, listFactors, redeemRecoveryCode } from "../api/second-factor.ts";
import { secondFactorFormStrings, sessionStrings } from "../strings.ts";
import type { VerifiedFactor } from "../model/authenticator-assurance.ts";
import { useSession } from "../session-provider.tsx";
import { CodeField, codeSchema } from "./code-field.tsx";

const withCode = z.object({ device: z.string(), code: codeSchema, recoveryCode: z.string() });
const withRecoveryCode = z.object({
  device: z.string(),
  code: z.string(),
  recoveryCode: z.string().check(z.trim(), z.minLength(1, sessionStrings.recoveryCodeMissing)),
});

/** Asks for the code of the second factor, or for a recovery code instead. */
export function SecondFactorForm({
  onDone,
  onCancel,
}: {
  readonly onDone: (how: "code" | "recovery") => void;
  readonly onCancel?: () => void;
}) {
  const { client } = useBackend();
  const { signOut } = useSession();
  const [factors, setFactors] = useState<readonly VerifiedFactor[]>([]);
  const [recovering, setRecovering] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { register, control, handleSubmit, resetField, clearErrors, formState } = useForm({
    defaultValues: { device: "", code: "", recoveryCode: "" },
    resolver: zodResolver(recovering ? withRecoveryCode : withCode),
  });
  const recoveryCode = useWatch({ control, name: "recoveryCode" });

  useInitialFocus();
  useEffect(() => {
    listFactors(client).then(setFactors, () => setProblem(sessionStrings.codeFailed));
  }, [client]);

  /** What came of the last attempt is over with the next, also when its fields are not right yet. */
  const clearProblem = () => setProblem(null);
  const submit = handleSubmit(async (fields) => {
    const refusal = recovering
      ? await redeemRecoveryCode(client, fields.recoveryCode)
      : await verifyCode(client, fields.device || (factors[0]?.id ?? ""), fields.code);
    setProblem(refusal && refusalText(refusal, sessionStrings));
    if (refusal === null) onDone(recovering ? "recovery" : "code");
    else resetField("code");
  }, clearProblem);

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {recovering ? (
        <TextField
          key="recovery"
          label={secondFactorFormStrings.recoveryCode}
          hint={secondFactorFormStrings.recoveryCodeHint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={formState.errors.recoveryCode?.message}
          {...register("recoveryCode")}
        />
      ) : (
        <>
          {factors.length > 1 ? (
            <SelectField
              label={secondFactorFormStrings.device}
              options={factors.map(({ id, name }) => ({
                value: id,
                label: name || secondFactorFormStrings.unnamedDevice,
              }))}
              {...register("device")}
            />
          ) : null}
          <CodeField
            control={control}
            name="code"
            label={secondFactorFormStrings.code}
            hint={secondFactorFormStrings.codeHint}
            data-initial-focus=""
            onComplete={() => {
              if (!formState.isSubmitting) void submit();
            }}
          />
        </>
      )}
      <Button
        type="submit"
        size="lg"
        wide
        loading={formState.isSubmitting}
        disabled={recovering ? recoveryCode.trim() === "" : factors.length === 0}
      >
        {recovering ? secondFactorFormStrings.submitRecoveryCode : secondFactorFormStrings.submit}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          variant="quiet"
          size="sm"
          onClick={() => {
            setRecovering(!recovering);
            setProblem(null);
            clearErrors();
          }}
        >
          {recovering
            ? secondFactorFormStrings.codeInstead
            : secondFactorFormStrings.recoveryCodeInstead}
        </Button>
        <Button
          variant="quiet"
          size="sm"
          onClick={() => {
            void signOut();
            onCancel?.();
          }}
        >
          {secondFactorFormStrings.signOut}
        </Button>
      </div>
    </form>
  );
}
