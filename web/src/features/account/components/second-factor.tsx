import { KeyRound, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useBackend } from "@/lib/backend.tsx";
import { pluralise } from "@/lib/format-count.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { generateRecoveryCodes, removeFactor } from "../api/second-factor.ts";
import { useInvalidateSecondFactor } from "../mutations.ts";
import { useFactors, useRecoveryCodeCount } from "../queries.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUpSecondFactor } from "./set-up-second-factor.tsx";

const failedText = "That didn't work. Check your connection and try again.";

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
      toast.danger(failedText);
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
          toast.good("Your second factor is on.");
          void makeCodes();
        }}
      />
    );
  }
  if (factors.length === 0) {
    return (
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          Off. When it's on, nobody can sign in to your account with your password alone.
        </p>
        <div>
          <Button onClick={() => setSettingUp(true)}>Set up second factor</Button>
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
              <Link to={next}>Go back</Link>
            </Button>
          }
        >
          Your second factor is on. You can carry on where you left off.
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
          New recovery codes
        </Button>
        <Button variant="secondary" onClick={() => setSettingUp(true)}>
          Add a device
        </Button>
      </div>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => {
          if (!open) setRemoving(null);
        }}
        title="Remove this device?"
        description={
          factors.length === 1
            ? "Your account will ask for your password only."
            : "Its codes will no longer be accepted."
        }
        confirmLabel="Remove device"
        cancelLabel="Keep it"
        danger
        busy={busy}
        onConfirm={() => {
          const id = removing;
          if (id === null) return;
          void run(async () => {
            await removeFactor(client, id);
            toast.good("The device was removed.");
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
    <ul aria-label="Your authenticator apps" className="grid gap-2">
      {factors.map(({ id, name }) => (
        <li key={id} className="flex items-center gap-3">
          <ShieldCheck aria-hidden className="size-5 shrink-0 text-good" />
          <span className="min-w-0 grow wrap-anywhere">{name || "Authenticator app"}</span>
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Remove ${name || "authenticator app"}`}
            onClick={() => onRemove(id)}
          >
            Remove
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
      {count === 0
        ? "You have no recovery codes. Create some, so that losing your device doesn't lock you out."
        : `${pluralise(count, "recovery code")} left.`}
    </p>
  );
}
