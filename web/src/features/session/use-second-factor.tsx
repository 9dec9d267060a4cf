import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState, type ReactNode } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { knowsPasskeys } from "@/lib/passkey-support.ts";
import { refusalText } from "@/lib/refusal.ts";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { verifyCode } from "./api/second-factor.ts";
import { verifyKey } from "./api/security-key.ts";
import { CodeField, codeSchema } from "./components/code-field.tsx";
import type { VerifiedFactor } from "./model/authenticator-assurance.ts";
import { sessionStrings } from "./strings.ts";
import {
  freshCodeTexts,
  secondFactorFieldStrings,
  securityKeyStrings,
} from "./strings/second-factor.ts";
import { useOwnFactors } from "./use-own-factors.ts";

const withCode = z.object({ device: z.string(), code: codeSchema });
const withKey = z.object({ device: z.string(), code: z.string() });

type Kind = VerifiedFactor["kind"];

/** What may be shown in place of what is asked for; null where there is nothing else. */
function otherWay(asked: Kind, hasApp: boolean, canUseKey: boolean): Kind | null {
  if (asked === "key") return hasApp ? "app" : null;
  return canUseKey ? "key" : null;
}

/** How a form asks for the second factor. */
export interface SecondFactorRequest {
  /** What the person meets: a field for the code, or what to do with the security key. */
  readonly fields: ReactNode;
  /** The button that leads from one to the other; null where there is nothing else. */
  readonly change: ReactNode;
  readonly way: "code" | "key";
  /** False while there is nothing to ask for, or nothing to ask with. */
  readonly canProve: boolean;
  /** False while the code is incomplete; the field says so. */
  readonly isComplete: () => Promise<boolean>;
  /** Shows code or key to the server. Returns the problem, or null when it was right. */
  readonly prove: () => Promise<string | null>;
}

/** Asks for the second factor of the present account: a code, a security key, or the one of both that is chosen. */
export function useSecondFactor({
  isNeeded = true,
  texts = freshCodeTexts,
  hasInitialFocus = false,
  onComplete,
}: {
  readonly isNeeded?: boolean;
  /** What the field of the code is called. */
  readonly texts?: { readonly label: string; readonly hint: string };
  /** True where the page is for this, which then has the focus from the start. */
  readonly hasInitialFocus?: boolean;
  /** Called with the sixth digit. */
  readonly onComplete?: () => void;
} = {}): SecondFactorRequest {
  const { client } = useBackend();
  const { data: factors = [] } = useOwnFactors(isNeeded);
  const [chosen, setChosen] = useState<Kind | null>(null);
  const apps = factors.filter(({ kind }) => kind === "app");
  const keys = factors.filter(({ kind }) => kind === "key");
  const canUseKey = keys.length > 0 && knowsPasskeys();
  const asked = chosen ?? (canUseKey || (keys.length > 0 && apps.length === 0) ? "key" : "app");
  const offered = asked === "key" ? keys : apps;
  const other = otherWay(asked, apps.length > 0, canUseKey);
  const { register, control, trigger, getValues, setValue, resetField, clearErrors, setFocus } =
    useForm({
      defaultValues: { device: "", code: "" },
      resolver: zodResolver(asked === "key" ? withKey : withCode),
    });
  const named = useWatch({ control, name: "device" });
  const device = offered.find(({ id }) => id === named) ?? offered[0];

  // What was said of an incomplete code is not true of the next one.
  const typed = useWatch({ control, name: "code" });
  useEffect(() => {
    if (typed !== "") clearErrors("code");
  }, [typed, clearErrors]);

  // A code that was asked for is what is typed next.
  useEffect(() => {
    if (chosen === "app") setFocus("code");
  }, [chosen, setFocus]);

  function choose(kind: Kind) {
    setChosen(kind);
    setValue("device", "");
    clearErrors();
  }

  async function prove(): Promise<string | null> {
    const id = device?.id ?? "";
    if (asked === "key") {
      if (!canUseKey) return secondFactorFieldStrings.unsupported;
      const refusal = await verifyKey(client, id);
      return refusal && refusalText(refusal, securityKeyStrings);
    }
    const refusal = await verifyCode(client, id, getValues("code"));
    resetField("code");
    return refusal && refusalText(refusal, sessionStrings);
  }

  const fields = (
    <>
      {offered.length > 1 ? (
        <SelectField
          label={asked === "key" ? secondFactorFieldStrings.key : secondFactorFieldStrings.device}
          options={offered.map(({ id, name }) => ({
            value: id,
            label: name || secondFactorFieldStrings.unnamed[asked],
          }))}
          {...register("device")}
        />
      ) : null}
      {asked === "key" ? (
        <p className="text-sm text-muted">
          {canUseKey
            ? secondFactorFieldStrings.keyReady(device?.name ?? "")
            : secondFactorFieldStrings.unsupported}
        </p>
      ) : (
        <CodeField
          control={control}
          name="code"
          {...texts}
          {...(hasInitialFocus && { "data-initial-focus": "" })}
          {...(onComplete && { onComplete })}
        />
      )}
    </>
  );

  // One button for both directions, so that it keeps the focus.
  const change =
    other === null ? null : (
      <Button
        variant="quiet"
        size="sm"
        className="justify-self-start"
        onClick={() => choose(other)}
      >
        {secondFactorFieldStrings.instead[other]}
      </Button>
    );

  return {
    fields,
    change,
    way: asked === "key" ? "key" : "code",
    canProve: asked === "key" ? canUseKey : apps.length > 0,
    isComplete: async () => asked === "key" || (await trigger("code", { shouldFocus: true })),
    prove,
  };
}
