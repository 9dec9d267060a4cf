import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { VerifiedFactor } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { knowsPasskeys } from "@/lib/passkey-support.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { generateRecoveryCodes, removeFactor } from "../api/second-factor.ts";
import { useInvalidateSecondFactor } from "../mutations.ts";
import { useFactors, useRecoveryCodeCount } from "../queries.ts";
import { secondFactorStrings } from "../strings.ts";
import { keyFactorStrings } from "../strings/security-keys.ts";
import { AddSecurityKey } from "./add-security-key.tsx";
import { FactorList } from "./factor-list.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUpSecondFactor } from "./set-up-second-factor.tsx";

/** Where to go on after setting up, as `?then=` says; null when it says nothing or leads elsewhere. */
function nextPath(then: string | null): string | null {
  return then !== null && /^\/(?![/\\])/.test(then) ? then : null;
}

/** The second factors of an account and its recovery codes. */
export function SecondFactor() {
  const { client, config } = useBackend();
  const [parameters] = useSearchParams();
  const next = nextPath(parameters.get("then"));
  const [settingUp, setSettingUp] = useState<VerifiedFactor["kind"] | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [removing, setRemoving] = useState<VerifiedFactor | null>(null);
  const [busy, setBusy] = useState(false);
  const { data: factors = [] } = useFactors();
  const { data: codesLeft } = useRecoveryCodeCount(factors.length > 0);
  const refresh = useInvalidateSecondFactor();

  async function run(work: () => Promise<void>) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      console.error("The second factor could not be changed", error);
      toast.danger(secondFactorStrings.failed);
    } finally {
      setBusy(false);
      refresh();
    }
  }

  const makeCodes = () => run(async () => setCodes(await generateRecoveryCodes(client)));

  if (codes !== null) return <RecoveryCodes codes={codes} onSaved={() => setCodes(null)} />;
  if (settingUp !== null) {
    const SetUp = settingUp === "key" ? AddSecurityKey : SetUpSecondFactor;
    return (
      <SetUp
        onCancel={() => setSettingUp(null)}
        onDone={() => {
          setSettingUp(null);
          toast.good(secondFactorStrings.done);
          void makeCodes();
        }}
      />
    );
  }
  // Keys of an account stay in the list after the owner has switched them off.
  const withKeys = config.securityKeys || factors.some(({ kind }) => kind === "key");
  const texts = removing?.kind === "key" ? keyFactorStrings : secondFactorStrings;
  if (factors.length === 0) {
    return (
      <div className="grid gap-4">
        <p className="text-sm text-muted">{secondFactorStrings.off}</p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => setSettingUp("app")}>
            {withKeys ? keyFactorStrings.setUpApp : secondFactorStrings.setUp}
          </Button>
          <KeyButton onPress={() => setSettingUp("key")} />
        </div>
      </div>
    );
  }
  return (
    <div className="grid gap-5">
      {next === null ? null : (
        <Alert
          tone="good"
          action={
            <Button asChild size="sm">
              <Link to={next}>{secondFactorStrings.goBack}</Link>
            </Button>
          }
        >
          {secondFactorStrings.carryOn}
        </Alert>
      )}
      <FactorList factors={factors} withKeys={withKeys} onRemove={setRemoving} />
      {codesLeft === undefined ? null : <CodesLeft count={codesLeft} />}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={codesLeft === 0 ? "primary" : "secondary"}
          loading={busy}
          onClick={() => void makeCodes()}
        >
          {secondFactorStrings.newCodes}
        </Button>
        <Button variant="secondary" onClick={() => setSettingUp("app")}>
          {withKeys ? keyFactorStrings.addApp : secondFactorStrings.addDevice}
        </Button>
        <KeyButton onPress={() => setSettingUp("key")} />
      </div>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => {
          if (!open) setRemoving(null);
        }}
        title={texts.removeTitle}
        description={texts.removeText(factors.length === 1)}
        confirmLabel={texts.removeConfirm}
        cancelLabel={secondFactorStrings.keep}
        danger
        busy={busy}
        onConfirm={() => {
          if (removing === null) return;
          void run(async () => {
            await removeFactor(client, removing.id);
            toast.good(texts.removed);
          }).then(() => setRemoving(null));
        }}
      />
    </div>
  );
}

/** Leads to a new security key, where they are on; says why not where the browser makes none. */
function KeyButton({ onPress }: { readonly onPress: () => void }) {
  const { config } = useBackend();
  if (!config.securityKeys) return null;
  if (!knowsPasskeys()) {
    return <p className="w-full text-sm text-muted">{keyFactorStrings.unsupported}</p>;
  }
  return (
    <Button variant="secondary" onClick={onPress}>
      {keyFactorStrings.add}
    </Button>
  );
}

function CodesLeft({ count }: { readonly count: number }) {
  return (
    <p className="flex items-center gap-3 text-sm text-muted">
      <KeyRound aria-hidden className="size-5 shrink-0" />
      {secondFactorStrings.codesLeft(count)}
    </p>
  );
}
