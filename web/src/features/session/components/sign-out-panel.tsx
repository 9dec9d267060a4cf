import { useState } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { sessionStrings, signOutStrings } from "../strings.ts";
import type { SignOutScope } from "../model/session-store.ts";
import { useSession } from "../session-provider.tsx";

/** Signs out here, or on every device after asking. */
export function SignOutPanel() {
  const { signOut } = useSession();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState<SignOutScope | null>(null);
  const [failed, setFailed] = useState(false);

  async function leave(scope: SignOutScope) {
    setBusy(scope);
    const error = await signOut(scope);
    setBusy(null);
    setAsking(false);
    setFailed(error !== null);
  }

  return (
    <div className="grid gap-4">
      {failed ? <Alert tone="danger">{sessionStrings.signOutFailed}</Alert> : null}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" loading={busy === "local"} onClick={() => void leave("local")}>
          {signOutStrings.here}
        </Button>
        <Button variant="secondary" onClick={() => setAsking(true)}>
          {signOutStrings.everywhere}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={signOutStrings.everywhereTitle}
        description={signOutStrings.everywhereText}
        confirmLabel={signOutStrings.everywhere}
        cancelLabel={signOutStrings.stay}
        busy={busy === "global"}
        onConfirm={() => void leave("global")}
      />
    </div>
  );
}
