import { KeyRound, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { generateRecoveryCodes, removeFactor } from "../api/second-factor.ts";
import { useInvalidateSecondFactor } from "../mutations.ts";
import { useFactors, useRecoveryCodeCount } from "../queries.ts";
import { secondFactorStrings } from "../strings.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUpSecondFactor } from "./set-up-second-factor.tsx";

/** Where to go on after setting up, as `?then=` says; null when it says nothing or leads elsewhere. */
function nextPath(then: string | null): string | null {
  return then !== null && /^\/(?![/\\])/.test(then) ? then : null;
}

/** The authenticator apps of an account and its recovery codes. */
export function SecondFactor() {
  const { client } = useBackend();
  const [parameters] = useSearchParams();
  const next = nextPath(parameters.get("then"));
  const [settingUp, setSettingUp] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
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
  if (settingUp) {
    return (
      <SetUpSecondFactor
        onCancel={() => setSettingUp(false)}
        onDone={() => {
          setSettingUp(false);
          toast.good(secondFactorStrings.done);
          void makeCodes();
        }}
      />
    );
  }
  if (factors.length === 0) {
    return (
      <div className="grid gap-4">
        <p className="text-sm text-muted">{secondFactorStrings.off}</p>
        <div>
          <Button onClick={() => setSettingUp(true)}>{secondFactorStrings.setUp}</Button>
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
      <FactorList factors={factors} onRemove={setRemoving} />
      {codesLeft === undefined ? null : <CodesLeft count={codesLeft} />}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={codesLeft === 0 ? "primary" : "secondary"}
          loading={busy}
          onClick={() => void makeCodes()}
        >
          {secondFactorStrings.newCodes}
        </Button>
        <Button variant="secondary" onClick={() => setSettingUp(true)}>
          {secondFactorStrings.addDevice}
        </Button>
      </div>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => {
          if (!open) setRemoving(null);
        }}
        title={secondFactorStrings.removeTitle}
        description={secondFactorStrings.removeText(factors.length === 1)}
        confirmLabel={secondFactorStrings.removeConfirm}
        cancelLabel={secondFactorStrings.keep}
        danger
        busy={busy}
        onConfirm={() => {
          const id = removing;
          if (id === null) return;
          void run(async () => {
            await removeFactor(client, id);
            toast.good(secondFactorStrings.removed);
          }).then(() => setRemoving(null));
        }}
      />
    </div>
  );
}

function FactorList({
  factors,
  onRemove,
}: {
  readonly factors: readonly { readonly id: string; readonly name: string }[];
  readonly onRemove: (id: string) => void;
}) {
  return (
    <ul aria-label={secondFactorStrings.listLabel} className="grid gap-2">
      {factors.map(({ id, name }) => (
        <li key={id} className="flex items-center gap-3">
          <ShieldCheck aria-hidden className="size-5 shrink-0 text-good" />
          <span className="min-w-0 grow wrap-anywhere">{name || secondFactorStrings.unnamed}</span>
          <Button
            variant="quiet"
            size="sm"
            aria-label={secondFactorStrings.removeNamed(name)}
            onClick={() => onRemove(id)}
          >
            {secondFactorStrings.remove}
          </Button>
        </li>
      ))}
    </ul>
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
