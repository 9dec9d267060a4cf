import { zodResolver } from "@hookform/resolvers/zod";
import { useState, type ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import {
  CodeField,
  codeSchema,
  useOwnFactors,
  verifyCode,
  sessionStrings,
} from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { moneyActionStrings } from "../strings/actions.ts";

/** The server takes a code for five minutes; within this time no other one is asked for. */
const codeLastsMs = 4 * 60_000;

const fields = z.object({ device: z.string(), code: codeSchema });

/** Asks for a code of the second factor before money moves. */
export function useFreshCode(isNeeded: boolean): {
  /** The fields; null while no code is needed. */
  readonly codeFields: ReactNode;
  /** False while the code is incomplete; the field says so. */
  readonly isCodeComplete: () => Promise<boolean>;
  /** Shows the code to the server. Returns the problem, or null when it was right. */
  readonly proveCode: () => Promise<string | null>;
} {
  const { client } = useBackend();
  const { data: factors = [] } = useOwnFactors(isNeeded);
  const [provenAt, setProvenAt] = useState<number | null>(null);
  const { register, control, trigger, getValues, resetField } = useForm({
    defaultValues: { device: "", code: "" },
    resolver: zodResolver(fields),
  });
  const isDue = () => isNeeded && (provenAt === null || performance.now() - provenAt > codeLastsMs);

  async function proveCode(): Promise<string | null> {
    if (!isDue()) return null;
    const { device, code } = getValues();
    const refusal = await verifyCode(client, device || (factors[0]?.id ?? ""), code);
    resetField("code");
    if (refusal === null) setProvenAt(performance.now());
    return refusal && refusalText(refusal, sessionStrings);
  }

  const codeFields =
    !isNeeded || provenAt !== null ? null : (
      <>
        {factors.length > 1 ? (
          <SelectField
            label={moneyActionStrings.device}
            options={factors.map(({ id, name }) => ({
              value: id,
              label: name || moneyActionStrings.unnamedDevice,
            }))}
            {...register("device")}
          />
        ) : null}
        <CodeField
          label={moneyActionStrings.code}
          hint={moneyActionStrings.codeHint}
          control={control}
          name="code"
        />
      </>
    );

  return {
    codeFields,
    isCodeComplete: async () => {
      if (!isDue()) return true;
      setProvenAt(null);
      return await trigger();
    },
    proveCode,
  };
}
