import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { CodeField, codeSchema, verifyCode, sessionStrings } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { enrollFactor, FactorError, type NewFactor } from "../api/second-factor.ts";
import { setUpFactorStrings } from "../strings.ts";
import { factorErrorText } from "./factor-error-text.ts";
import { NameDevice } from "./name-device.tsx";

const confirmationSchema = z.object({ code: codeSchema });

/** Sets up an authenticator app in two steps: a name for the device, then its first code. */
export function SetUpSecondFactor({
  onDone,
  onCancel,
}: {
  readonly onDone: () => void;
  /** Without it the first step has no way back, and the second one leads to the first. */
  readonly onCancel?: () => void;
}) {
  const { client } = useBackend();
  const [factor, setFactor] = useState<NewFactor | null>(null);

  async function enroll(name: string): Promise<string | null> {
    try {
      setFactor(await enrollFactor(client, name));
      return null;
    } catch (error) {
      return error instanceof FactorError ? factorErrorText(error) : String(error);
    }
  }

  return factor === null ? (
    <NameDevice onSubmit={enroll} {...(onCancel && { onCancel })} />
  ) : (
    <ConfirmDevice factor={factor} onDone={onDone} onCancel={onCancel ?? (() => setFactor(null))} />
  );
}

function ConfirmDevice({
  factor,
  onDone,
  onCancel,
}: {
  readonly factor: NewFactor;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) {
  const { client } = useBackend();
  const [problem, setProblem] = useState<string | null>(null);
  const { control, handleSubmit, reset, formState } = useForm({
    defaultValues: { code: "" },
    resolver: zodResolver(confirmationSchema),
  });

  const submit = handleSubmit(async ({ code }) => {
    const refusal = await verifyCode(client, factor.id, code);
    setProblem(refusal && refusalText(refusal, sessionStrings));
    if (refusal === null) onDone();
    else reset();
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <div className="grid gap-3">
        <p className="text-sm">{setUpFactorStrings.scan}</p>
        {/* White around it in dark mode, too: cameras need the contrast. */}
        <img
          src={factor.qrCode}
          alt={setUpFactorStrings.pictureAlt}
          className="size-48 rounded-control border border-line bg-white p-2"
        />
        <p className="text-sm text-muted">
          {setUpFactorStrings.typeKey}
          <span className="tabular mt-1 block font-mono wrap-anywhere text-ink select-all">
            {factor.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
          </span>
        </p>
      </div>
      <CodeField
        control={control}
        name="code"
        label={setUpFactorStrings.code}
        onComplete={() => {
          if (!formState.isSubmitting) void submit();
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={formState.isSubmitting}>
          {setUpFactorStrings.confirm}
        </Button>
        <Button variant="secondary" disabled={formState.isSubmitting} onClick={onCancel}>
          {setUpFactorStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
